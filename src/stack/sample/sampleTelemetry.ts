/** The sample telemetry of a small shop. Sent once, in the background, through the collector; can be removed. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { SampleStatus } from '#contract/sample.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { type SampleContent, type SampleProgress, type SampleState, sampleProgress } from './sampleProgress.ts'
import { deleteSample, deleteSlice } from './sampleRemoval.ts'
import { type SenderOptions, sendSlices } from './sampleSender.ts'
import { sliceAt, sliceCount } from './shop.ts'

export interface SampleOptions extends SenderOptions {
  engine: Pick<Engine, 'command'>
  state: SampleState
  logger: Logger
  /** The dashboard, saved searches and alerts of the sample. */
  content: {
    /** Called when sending starts. */
    create(): Promise<SampleContent>
    /** Called when all telemetry is stored, again if that was interrupted: alerts have a history from it. */
    addAlerts(content: SampleContent, signal: AbortSignal): Promise<void>
    delete(content: SampleContent): Promise<void>
  }
  /** The share of time for sending while there are requests, 0 to 1. Default 0.5. */
  effort?: number
  /** Milliseconds since the last request. Without requests, sending uses all of the time. Default: always requests. */
  sinceLastQuery?: () => number
  /** The number of slices to send, each an hour. Default: seven days. */
  slices?: number
}

export interface Sample {
  status(): SampleStatus
  /** Sends the missing slices in the background. Does nothing if the sample is complete or was removed. */
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
/** Consecutive failures after which sending stops until the next start of the process. */
const maxFailures = 5

export async function createSample(options: SampleOptions): Promise<Sample> {
  const { engine, state, logger, content, effort = 0.5, sinceLastQuery = () => 0, slices = sliceCount } = options
  const stored = await state.get()
  let progress = stored == null ? null : sampleProgress.parse(stored)
  let abort = new AbortController()
  let background: Promise<void> = Promise.resolve()

  const store = async (next: SampleProgress): Promise<SampleProgress> => {
    await state.set(next)
    progress = next
    return next
  }
  const current = async () => progress ?? store(await begin())
  const keep = async (changes: Partial<SampleProgress>) => store({ ...(await current()), ...changes })

  const begin = async (): Promise<SampleProgress> => ({
    phase: 'loading',
    anchor: Date.now(),
    slices: 0,
    sending: false,
    records: 0,
    ...(await content.create()),
  })

  const inBackground = (what: string, work: () => Promise<void>) => {
    background = work().catch((error: unknown) => {
      if (!abort.signal.aborted) logger.error({ err: error }, `${what} the sample telemetry failed`)
    })
  }

  const load = async (signal: AbortSignal): Promise<void> => {
    let failures = 0
    while ((await current()).slices < slices) {
      const started = performance.now()
      try {
        await sendNextSlices(signal)
        failures = 0
      } catch (error) {
        signal.throwIfAborted()
        failures += 1
        if (failures > maxFailures) throw error
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
    await keep({ phase: 'ready' })
  }

  const sendNextSlices = async (signal: AbortSignal): Promise<void> => {
    const { anchor, slices: first, sending, records } = await current()
    const indices = Array.from({ length: Math.min(slicesPerStep, slices - first) }, (_, at) => first + at)
    // A slice that was started before a crash may be stored partly, so it is sent again.
    if (sending) for (const index of indices) await deleteSlice(engine, sliceAt(anchor, index))
    await keep({ sending: true })
    const sent = await sendSlices(anchor, indices, options, signal)
    await keep({ slices: first + indices.length, sending: false, records: records + sent })
  }

  const removeAll = async (): Promise<void> => {
    await deleteSample(engine)
    if (progress) await content.delete(progress)
    await keep({ phase: 'removed', records: 0, sending: false, dashboardId: undefined, savedSearches: undefined })
  }

  const stop = async (): Promise<void> => {
    abort.abort()
    await background
    abort = new AbortController()
  }

  const status = (): SampleStatus => {
    if (!progress || progress.phase === 'removed') return { state: 'absent', progress: 0, records: 0 }
    const { phase, records, dashboardId } = progress
    return {
      state: phase,
      progress: phase === 'loading' ? Math.min(1, progress.slices / slices) : 1,
      records,
      ...(dashboardId !== undefined && { dashboardId }),
    }
  }

  return {
    status,
    start: async () => {
      if (progress?.phase === 'removing') inBackground('Removing', removeAll)
      else if (!progress || progress.phase === 'loading') inBackground('Loading', () => load(abort.signal))
    },
    remove: async () => {
      if (progress?.phase === 'loading') await stop()
      if (!progress || progress.phase === 'removed' || progress.phase === 'removing') return status()
      await keep({ phase: 'removing' })
      inBackground('Removing', removeAll)
      return status()
    },
    settled: () => background,
    close: stop,
  }
}
