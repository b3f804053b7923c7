/**
 * Goes on with the sample while the stack runs, so that its last hour looks like the week before. A minute is noted before it is
 * sent: what a process that ends leaves of it is missing, and nothing is sent twice.
 */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { currentTime } from '#node/clock/wallClock.ts'
import type { TaskLease } from '../sharing/tasks.ts'
import type { SampleProgress, SampleState } from './sampleProgress.ts'
import { type SenderOptions, sendTelemetry } from './sampleSender.ts'
import { generateStep, sliceCount, stepLength, type Telemetry } from './shop.ts'

export interface LiveOptions extends SenderOptions {
  state: SampleState
  logger: Logger
  lease: Pick<TaskLease, 'isHeld'>
}

const minute = 60_000
const hour = 60 * minute
/** Milliseconds after the end of a step until it is sent: its last requests have ended then. */
const lag = 5_000
/** Milliseconds before now of which nothing that is missing is sent. */
const longest = sliceCount * hour

/** Sends until the signal fires, the sample is to be removed, or another stack has the task. */
export async function sendLive(options: LiveOptions, signal: AbortSignal): Promise<void> {
  const { state, lease, logger } = options
  for (;;) {
    const progress = await state.get()
    if (progress?.phase !== 'ready' || !lease.isHeld()) return
    const [from, to] = nextRange(progress, currentTime())
    if (from > currentTime()) {
      // The clock was set back.
      await sleep(minute, undefined, { signal })
      continue
    }
    await state.update((stored) => ({ ...progress, ...stored, liveUntil: to }))
    const sent = await sendRange(progress.anchor, from, to, options, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      logger.warn({ err: error }, 'Some of the sample telemetry was not sent')
      return 0
    })
    await state.update((stored) => ({ ...progress, ...stored, records: (stored ?? progress).records + sent }))
  }
}

/** Whole minutes: what is missing until now, an hour at most, or else the minute that has begun. */
function nextRange({ anchor, liveUntil }: SampleProgress, now: number): [from: number, to: number] {
  const from = Math.ceil(Math.max(liveUntil ?? anchor, now - longest) / minute) * minute
  const missing = Math.floor(now / minute) * minute
  return [from, Math.max(Math.min(from + hour, missing), from + minute)]
}

/** Sends each step once it is over; those that are over already, together. Stops soon after the sample is to be removed. */
async function sendRange(
  anchor: number,
  from: number,
  to: number,
  options: LiveOptions,
  signal: AbortSignal,
): Promise<number> {
  let sent = 0
  let waiting: Telemetry = { logs: [], traces: [], metrics: [] }
  for (let start = from; start < to; start += stepLength) {
    if (currentTime() < start + stepLength + lag) {
      sent += await sendTelemetry(waiting, options, signal)
      waiting = { logs: [], traces: [], metrics: [] }
      await untilTime(start + stepLength + lag, signal)
      if ((await options.state.get())?.phase !== 'ready' || !options.lease.isHeld()) return sent
    }
    const { logs, traces, metrics } = generateStep(anchor, start)
    waiting = {
      logs: [...waiting.logs, ...logs],
      traces: [...waiting.traces, ...traces],
      metrics: [...waiting.metrics, ...metrics],
    }
    // Other requests come in between.
    await turn()
  }
  return sent + (await sendTelemetry(waiting, options, signal))
}

/** At most a step longer if the clock is set back. */
async function untilTime(time: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(Math.max(0, time - currentTime()), stepLength + lag), undefined, { signal })
}
