/** Samples onto a grid of buckets: counters become rates, gauges are read between two samples. */
import type { Point } from '#console/ui/chart/series.ts'
import type { PipeSample } from '#contract/pipeSamples.ts'

/** Length of a bucket, milliseconds. */
export const bucketMs = 5000
/** Two samples further apart than this say nothing about the time between: nobody looked. */
const longestGap = 90_000

type Pick = (sample: PipeSample) => number | null

/** Times at which buckets start, from the first sample to the last. */
function buckets(samples: readonly PipeSample[]): number[] {
  const [first, last] = [samples[0]?.at, samples.at(-1)?.at]
  if (first === undefined || last === undefined) return []
  const start = Math.ceil(first / bucketMs) * bucketMs
  return Array.from(
    { length: Math.max(0, Math.floor((last - start) / bucketMs) + 1) },
    (_, at) => start + at * bucketMs,
  )
}

/** The two samples around a time, if they are close enough to each other. */
function around(samples: readonly PipeSample[], time: number): [PipeSample, PipeSample] | null {
  const after = samples.findIndex((sample) => sample.at >= time)
  const right = samples[after]
  const left = right?.at === time ? right : samples[after - 1]
  return left && right && right.at - left.at <= longestGap ? [left, right] : null
}

function valueAt(samples: readonly PipeSample[], pick: Pick, time: number): number | null {
  const pair = around(samples, time)
  if (!pair) return null
  const [left, right] = pair
  const [a, b] = [pick(left), pick(right)]
  if (a === null || b === null) return null
  return left.at === right.at ? a : a + ((b - a) * (time - left.at)) / (right.at - left.at)
}

export function gaugePoints(samples: readonly PipeSample[], pick: Pick): Point[] {
  return buckets(samples).map((time) => [time, valueAt(samples, pick, time)])
}

/** Per second. A counter that went down was started anew: what it did in between is not known. */
export function ratePoints(samples: readonly PipeSample[], pick: Pick): Point[] {
  return buckets(samples)
    .slice(0, -1)
    .map((time): Point => {
      const [before, after] = [valueAt(samples, pick, time), valueAt(samples, pick, time + bucketMs)]
      return [time, before === null || after === null || after < before ? null : ((after - before) / bucketMs) * 1000]
    })
}

/** The rate between the last two samples, per second; null where they do not tell. */
export function lastRate(samples: readonly PipeSample[], pick: Pick): number | null {
  const [before, last] = samples.slice(-2)
  if (!before || !last || last.at <= before.at || last.at - before.at > longestGap) return null
  const [a, b] = [pick(before), pick(last)]
  return a === null || b === null || b < a ? null : ((b - a) / (last.at - before.at)) * 1000
}
