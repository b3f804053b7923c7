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
  return new ShopSample(options)
}

class ShopSample implements Sample {
  readonly #options: SampleOptions
  readonly #slices: number
  readonly #isLive: boolean
  #abort = new AbortController()
  #background: Promise<void> = Promise.resolve()
  /** Finding the incident generates telemetry again, so it is kept for up to ten minutes. */
  #known: { key: string; incident: Promise<FollowedIncident | null> } | undefined

  constructor(options: SampleOptions) {
    this.#options = options
    this.#slices = options.slices ?? sliceCount
    this.#isLive = options.isLive ?? false
  }

  async status(): Promise<SampleStatus> {
    const progress = await this.#options.state.get()
    if (!progress || progress.phase === 'removed') return { state: 'absent', progress: 0, records: 0 }
    const { phase, records, dashboardId } = progress
    const incident = phase === 'ready' ? await this.#incidentOf(progress) : undefined
    return {
      state: phase,
      progress: phase === 'loading' ? Math.min(1, progress.slices / this.#slices) : 1,
      records,
      ...(dashboardId !== undefined && { dashboardId }),
      ...(incident && { incident }),
    }
  }

  async start(): Promise<void> {
    const { state, liveAfter = 0 } = this.#options
    const phase = (await state.get())?.phase
    if (phase === 'removing') this.#inBackground('Removing')
    else if (!this.#isOver(phase)) this.#inBackground('Sending', phase === 'ready' ? liveAfter : 0)
  }

  async remove(): Promise<SampleStatus> {
    const { state } = this.#options
    const stored = await state.get()
    if (!stored || stored.phase === 'removed' || stored.phase === 'removing') return this.status()
    await this.close()
    let isFirst = false
    await state.update((now) => {
      isFirst = now?.phase === 'loading' || now?.phase === 'ready'
      return isFirst ? { ...stored, ...now, phase: 'removing' } : (now ?? stored)
    })
    const removing = await this.status()
    if (isFirst) this.#inBackground('Removing')
    return removing
  }

  settled(): Promise<void> {
    return this.#background
  }

  async close(): Promise<void> {
    this.#abort.abort()
    await this.#background
    this.#abort = new AbortController()
  }

  #inBackground(what: string, after = 0): void {
    const { signal } = this.#abort
    const begun = after > 0 ? sleep(after, undefined, { signal }).then(() => this.#work(signal)) : this.#work(signal)
    this.#background = begun.catch((error: unknown) => {
      if (!signal.aborted) this.#options.logger.error({ err: error }, `${what} the sample telemetry failed`)
    })
  }

  #isOver(phase: SampleProgress['phase'] | undefined): boolean {
    return phase === 'removed' || (phase === 'ready' && !this.#isLive)
  }

  /** Until nothing is left to do, for this stack or another one. */
  async #work(signal: AbortSignal): Promise<void> {
    const { take, state, logger } = this.#options
    for (;;) {
      try {
        const lease = await take()
        if (lease) await this.#carryOut(lease, signal).finally(lease.release)
        if (this.#isOver((await state.get())?.phase)) return
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof LoadingFailed) throw error
        logger.warn({ err: error }, 'The sample telemetry is tried again')
      }
      await sleep(waitingMs, undefined, { signal })
    }
  }

  async #carryOut(lease: Pick<TaskLease, 'isHeld'>, signal: AbortSignal): Promise<void> {
    if ((await this.#current()).phase === 'loading') await this.#load(lease, signal)
    if (this.#isLive) await sendLive({ ...this.#options, lease }, signal)
    if ((await this.#current()).phase === 'removing') await this.#removeAll()
  }

  async #load(lease: Pick<TaskLease, 'isHeld'>, signal: AbortSignal): Promise<void> {
    const { state, logger, content, effort = 0.5, sinceLastQuery = () => 0 } = this.#options
    let failures = 0
    for (;;) {
      const progress = await this.#current()
      if (progress.phase !== 'loading' || !lease.isHeld()) return
      if (progress.slices >= this.#slices) break
      const started = performance.now()
      try {
        await this.#sendNextSlices(progress, signal)
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
    await content.addAlerts(await this.#current(), signal).catch((error: unknown) => {
      signal.throwIfAborted()
      logger.warn({ err: error }, 'The alerts of the sample could not be created')
    })
    // It may be about to be removed.
    await state.update((stored) => ({ ...stored!, phase: stored!.phase === 'loading' ? 'ready' : stored!.phase })) // it is stored
  }

  async #sendNextSlices(progress: SampleProgress, signal: AbortSignal): Promise<void> {
    const { anchor, slices: first, sending, records } = progress
    const indices = Array.from({ length: Math.min(slicesPerStep, this.#slices - first) }, (_, at) => first + at)
    // A slice that was started before a crash may be stored partly, so it is sent again.
    if (sending) for (const index of indices) await deleteSlice(this.#options.engine, sliceAt(anchor, index))
    await this.#keep({ sending: true })
    const sent = await sendSlices(anchor, indices, this.#options, signal)
    await this.#keep({ slices: first + indices.length, sending: false, records: records + sent })
  }

  async #removeAll(): Promise<void> {
    const { engine, content } = this.#options
    await deleteSample(engine)
    await content.delete(await this.#current())
    await this.#keep({
      phase: 'removed',
      records: 0,
      sending: false,
      dashboardId: undefined,
      savedSearches: undefined,
    })
  }

  /** The stored progress, which begins here if there is none. */
  async #current(): Promise<SampleProgress> {
    const { state, content } = this.#options
    const stored = await state.get()
    if (stored) return stored
    const created = await content.create()
    const first: SampleProgress = {
      phase: 'loading',
      anchor: currentTime(),
      slices: 0,
      sending: false,
      records: 0,
      ...created,
    }
    return state.update(() => first)
  }

  async #keep(changes: Partial<SampleProgress>): Promise<void> {
    await this.#options.state.update((stored) => {
      if (!stored) throw new TypeError('the sample has not begun')
      return { ...stored, ...changes }
    })
  }

  /** The incident of the sample with its alert; undefined if that is gone. */
  async #incidentOf(progress: SampleProgress): Promise<SampleStatus['incident']> {
    const alertId = await this.#options.content.incidentAlertId(progress)
    if (alertId === undefined) return undefined
    const { anchor, liveUntil = anchor } = progress
    const key = `${anchor} ${Math.floor(liveUntil / 600_000)}`
    if (this.#known?.key !== key) this.#known = { key, incident: followedIncident(anchor, liveUntil) }
    const incident = await this.#known.incident
    return incident ? { ...incident, alertId } : undefined
  }
}
