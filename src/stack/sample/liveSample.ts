/**
 * Goes on with the sample while the stack runs, so that its last hour looks like the week before. A range is noted before it is
 * sent: what a process that ends leaves of it is missing, at most ten minutes, and nothing is sent twice.
 */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { currentTime } from '#node/clock/wallClock.ts'
import type { TaskLease } from '../cluster/tasks.ts'
import type { SampleProgress, SampleState } from './sampleProgress.ts'
import { type SenderOptions, sendTelemetry } from './sampleSender.ts'
import { generateStep, sliceCount, stepLength, type Telemetry } from './shop.ts'

export interface LiveClock {
  /** Milliseconds since 1970. */
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

const realClock: LiveClock = { now: currentTime, sleep: (ms, signal) => sleep(ms, undefined, { signal }) }

export interface LiveOptions extends SenderOptions {
  state: SampleState
  logger: Logger
  lease: Pick<TaskLease, 'isHeld'>
  /** Default: that of the machine. */
  clock?: LiveClock
  /** Milliseconds since somebody last read telemetry. Default: 0. */
  sinceLastQuery?: () => number
}

const minute = 60_000
/**
 * Milliseconds of a minute at which a range ends: what is sent then is stored before alerts look at the minute, but for its
 * last step.
 */
const rangeEnd = 50_000
/** Milliseconds after somebody read telemetry for which each step is sent at once. Otherwise those of a minute are, together. */
const attention = 60_000
/** Milliseconds after the end of a step until it is sent: its last requests have ended then. */
const lag = 5_000
/** The longest gap that is filled, in milliseconds before now. Of a longer one, the older part is left out. */
const longest = sliceCount * 60 * minute
/** Milliseconds of what is missing that are sent together. */
const together = 10 * minute

/** Sends until the signal fires, the sample is to be removed, or another stack has the task. */
export async function sendLive(options: LiveOptions, signal: AbortSignal): Promise<void> {
  const { state, lease, logger, clock = realClock } = options
  for (;;) {
    const progress = await state.get()
    if (progress?.phase !== 'ready' || !lease.isHeld()) return
    const [from, to] = nextRange(progress, clock.now())
    if (from > clock.now()) {
      // This minute was noted before a restart or a failure, or the clock was set back.
      await clock.sleep(Math.min(from - clock.now(), minute), signal)
      continue
    }
    let isOurs = false
    await state.update((stored) => {
      const known = stored ?? progress
      // Another stack may have taken over meanwhile.
      isOurs = known.phase === 'ready' && (known.liveUntil ?? 0) < to
      return isOurs ? { ...known, liveUntil: to } : known
    })
    if (!isOurs) continue
    const sent = await sendRange(progress.anchor, from, to, options, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      logger.warn({ err: error }, 'Some of the sample telemetry was not sent')
      return 0
    })
    await state.update((stored) => ({ ...(stored ?? progress), records: (stored ?? progress).records + sent }))
  }
}

/** Minutes that end at `rangeEnd`: the beginning of what is missing until now, or else the minute that has begun. */
function nextRange({ anchor, liveUntil }: SampleProgress, now: number): [from: number, to: number] {
  const whole = (time: number, round: (value: number) => number) =>
    round((time - rangeEnd) / minute) * minute + rangeEnd
  const from = whole(Math.max(liveUntil ?? anchor, now - longest), Math.ceil)
  const missing = whole(now, Math.floor)
  return [from, Math.max(Math.min(from + together, missing), from + minute)]
}

/**
 * Sends each step once it is over, or at the end of the range while nobody reads; those that are over already, together.
 * Stops soon after the sample is to be removed.
 */
async function sendRange(
  anchor: number,
  from: number,
  to: number,
  options: LiveOptions,
  signal: AbortSignal,
): Promise<number> {
  const { state, lease, clock = realClock, sinceLastQuery = () => 0 } = options
  let sent = 0
  let waiting: Telemetry = { logs: [], traces: [], metrics: [] }
  for (let start = from; start < to; start += stepLength) {
    if (clock.now() < start + stepLength + lag) {
      if (sinceLastQuery() < attention) {
        sent += await sendTelemetry(waiting, options, signal)
        waiting = { logs: [], traces: [], metrics: [] }
      }
      // At most a step longer if the clock is set back.
      await clock.sleep(Math.min(Math.max(0, start + stepLength + lag - clock.now()), stepLength + lag), signal)
      if ((await state.get())?.phase !== 'ready' || !lease.isHeld()) return sent
    }
    const { logs, traces, metrics } = generateStep(anchor, start)
    waiting.logs.push(...logs)
    waiting.traces.push(...traces)
    waiting.metrics.push(...metrics)
    // Other requests come in between.
    await turn()
  }
  return sent + (await sendTelemetry(waiting, options, signal))
}
