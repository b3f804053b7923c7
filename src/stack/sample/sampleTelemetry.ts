/**
 * The sample telemetry of a small shop. Seven days are sent once, in the background, through the collector, and then what comes
 * after them while the stack runs. It can be removed. Of several stacks on a database, one does all of this.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { SampleStatus } from '#contract/stack/sample.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import type { TaskLease } from '../cluster/tasks.ts'
import type { SampleContent, SampleProgress, SampleState } from './sampleProgress.ts'
import { sendLive, type LiveClock } from './liveSample.ts'
import { followedIncident, type FollowedIncident } from './sampleIncident.ts'
import { deleteSample, deleteSlice } from './sampleRemoval.ts'
import { type SenderOptions, sendSlices } from './sampleSender.ts'
import { sliceAt, sliceCount } from './shop.ts'

export interface SampleOptions extends SenderOptions {
  engine: Pick<Engine, 'command'>
  state: SampleState
  /** Takes the task of sending and removing. @returns null while another stack has it */
  take(): Promise<Pick<TaskLease, 'isHeld' | 'release'> | null>
  logger: Logger
  /** The dashboard, saved searches and alerts of the sample. */
  content: {
    /** Called when sending starts. */
    create(): Promise<SampleContent>
    /** Called when all telemetry is stored, again if that was interrupted: alerts have a history from it. */
    addAlerts(content: SampleContent, signal: AbortSignal): Promise<void>
    /** The ID of the alert that fires in an incident, if it still exists. */
    incidentAlertId(content: SampleContent): Promise<string | undefined>
    delete(content: SampleContent): Promise<void>
  }
  /** The share of time for sending while there are requests, 0 to 1. Default 0.5. */
  effort?: number
  /** Milliseconds since the last request. Without requests, sending uses all of the time. Default: always requests. */
  sinceLastQuery?: () => number
  /** The number of slices to send, each an hour. Default: seven days. */
  slices?: number | undefined
  /** Whether it goes on after them. Default: no. */
  isLive?: boolean
  /** Milliseconds from the start of the process until it goes on with what comes after them. Default: none. */
  liveAfter?: number
  /** The clock of what comes after them. Default: that of the machine. */
  clock?: LiveClock
}

export interface Sample {
  status(): Promise<SampleStatus>
  /** Sends what is missing in the background. Does nothing if the sample was removed. */
  start(): Promise<void>
  /** Stops sending and deletes every sample record. Returns `removing` at once; `status` reports the end. */
  remove(): Promise<SampleStatus>
  /** Resolves when no background work is left. */
  settled(): Promise<void>
  /** Stops background work. The next start continues it. */
  close(): Promise<void>
}

/** Few large inserts cost less than many small ones. */
const slicesPerStep = 3
/** Milliseconds after a request until the stack counts as idle. Open pages send requests more often. */
const attention = 5_000
/** Milliseconds until a stack that does not have the task tries again. */
const waitingMs = 2000
/** Too many failures in a row: sending stops until the next start of the process. */
class LoadingFailed extends Error {}
/** Consecutive failures until then. */
const maxFailures = 5

export function createSample(options: SampleOptions): Sample {
  const { engine, state, take, logger, content, effort = 0.5, sinceLastQuery = () => 0 } = options
  const { slices = sliceCount, isLive = false, liveAfter = 0 } = options
  let abort = new AbortController()
  let background: Promise<void> = Promise.resolve()

  const current = async () => (await state.get()) ?? begin()
  const keep = async (changes: Partial<SampleProgress>) => {
    await state.update((stored) => {
      if (!stored) throw new TypeError('the sample has not begun')
      return { ...stored, ...changes }
    })
  }

  const begin = async (): Promise<SampleProgress> => {
    const created = await content.create()
    const first = {
      phase: 'loading',
      anchor: currentTime(),
      slices: 0,
      sending: false,
      records: 0,
      ...created,
    } as const
    return state.update(() => first)
  }

  const inBackground = (what: string, after = 0) => {
    const { signal } = abort
    const begun = after > 0 ? sleep(after, undefined, { signal }).then(() => work(signal)) : work(signal)
    background = begun.catch((error: unknown) => {
      if (!signal.aborted) logger.error({ err: error }, `${what} the sample telemetry failed`)
    })
  }

  const isOver = (phase: SampleProgress['phase'] | undefined) => phase === 'removed' || (phase === 'ready' && !isLive)

  /** Until nothing is left to do, for this stack or another one. */
  const work = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      try {
        const lease = await take()
        if (lease) await carryOut(lease, signal).finally(lease.release)
        if (isOver((await state.get())?.phase)) return
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof LoadingFailed) throw error
        logger.warn({ err: error }, 'The sample telemetry is tried again')
      }
      await sleep(waitingMs, undefined, { signal })
    }
  }

  const carryOut = async (lease: Pick<TaskLease, 'isHeld'>, signal: AbortSignal): Promise<void> => {
    if ((await current()).phase === 'loading') await load(lease, signal)
    if (isLive) await sendLive({ ...options, lease }, signal)
    if ((await current()).phase === 'removing') await removeAll()
  }

  const load = async (lease: Pick<TaskLease, 'isHeld'>, signal: AbortSignal): Promise<void> => {
    let failures = 0
    for (;;) {
      const progress = await current()
      if (progress.phase !== 'loading' || !lease.isHeld()) return
      if (progress.slices >= slices) break
      const started = performance.now()
      try {
        await sendNextSlices(progress, signal)
        failures = 0
      } catch (error) {
        signal.throwIfAborted()
        failures += 1
        if (failures > maxFailures) throw new LoadingFailed('the sample could not be sent', { cause: error })
        logger.warn({ err: error }, 'A slice of the sample telemetry is sent again')
      }
      const rest = sinceLastQuery() < attention ? (performance.now() - started) * (1 / effort - 1) : 0
      await sleep(rest + failures * 1000, undefined, { signal })
    }
    // The telemetry is worth having without them.
    await content.addAlerts(await current(), signal).catch((error: unknown) => {
      signal.throwIfAborted()
      logger.warn({ err: error }, 'The alerts of the sample could not be created')
    })
    // It may be about to be removed.
    await state.update((stored) => ({ ...stored!, phase: stored!.phase === 'loading' ? 'ready' : stored!.phase })) // it is stored
  }

  const sendNextSlices = async (progress: SampleProgress, signal: AbortSignal): Promise<void> => {
    const { anchor, slices: first, sending, records } = progress
    const indices = Array.from({ length: Math.min(slicesPerStep, slices - first) }, (_, at) => first + at)
    // A slice that was started before a crash may be stored partly, so it is sent again.
    if (sending) for (const index of indices) await deleteSlice(engine, sliceAt(anchor, index))
    await keep({ sending: true })
    const sent = await sendSlices(anchor, indices, options, signal)
    await keep({ slices: first + indices.length, sending: false, records: records + sent })
  }

  const removeAll = async (): Promise<void> => {
    await deleteSample(engine)
    await content.delete(await current())
    await keep({ phase: 'removed', records: 0, sending: false, dashboardId: undefined, savedSearches: undefined })
  }

  const stop = async (): Promise<void> => {
    abort.abort()
    await background
    abort = new AbortController()
  }

  // Finding it generates telemetry again, so that it is done once in ten minutes at most.
  let known: { key: string; incident: Promise<FollowedIncident | null> } | undefined
  const incidentOf = async (progress: SampleProgress): Promise<SampleStatus['incident']> => {
    const alertId = await content.incidentAlertId(progress)
    if (alertId === undefined) return undefined
    const { anchor, liveUntil = anchor } = progress
    const key = `${anchor} ${Math.floor(liveUntil / 600_000)}`
    if (known?.key !== key) known = { key, incident: followedIncident(anchor, liveUntil) }
    const incident = await known.incident
    return incident ? { ...incident, alertId } : undefined
  }

  const status = async (): Promise<SampleStatus> => {
    const progress = await state.get()
    if (!progress || progress.phase === 'removed') return { state: 'absent', progress: 0, records: 0 }
    const { phase, records, dashboardId } = progress
    const incident = phase === 'ready' ? await incidentOf(progress) : undefined
    return {
      state: phase,
      progress: phase === 'loading' ? Math.min(1, progress.slices / slices) : 1,
      records,
      ...(dashboardId !== undefined && { dashboardId }),
      ...(incident && { incident }),
    }
  }

  return {
    status,
    start: async () => {
      const phase = (await state.get())?.phase
      if (phase === 'removing') inBackground('Removing')
      else if (!isOver(phase)) inBackground('Sending', phase === 'ready' ? liveAfter : 0)
    },
    remove: async () => {
      const stored = await state.get()
      if (!stored || stored.phase === 'removed' || stored.phase === 'removing') return status()
      await stop()
      let isFirst = false
      await state.update((now) => {
        isFirst = now?.phase === 'loading' || now?.phase === 'ready'
        return isFirst ? { ...stored, ...now, phase: 'removing' } : (now ?? stored)
      })
      const removing = await status()
      if (isFirst) inBackground('Removing')
      return removing
    },
    settled: () => background,
    close: stop,
  }
}
