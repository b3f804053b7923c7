/** Resamples metrics to buckets: counters become rates, gauges are interpolated. */
import type { Point } from '#console/ui/series/series.ts'

/** Default length of a bucket, milliseconds. */
export const bucketMs = 5000

type SampleTime = { at: number; pace: number }

/** A value of a sample; null if it is not reported. */
export type SampleSelector<S> = (sample: S) => number | null

/** Start times of the buckets between the first and the last sample. */
function buckets(samples: readonly SampleTime[], step: number): number[] {
  const [first, last] = [samples[0]?.at, samples.at(-1)?.at]
  if (first === undefined || last === undefined) return []
  const start = Math.ceil(first / step) * step
  return Array.from({ length: Math.max(0, Math.floor((last - start) / step) + 1) }, (_, at) => start + at * step)
}

/** Whether two samples are consecutive, so that values between them can be interpolated. */
export function isConsecutive(left: SampleTime, right: SampleTime): boolean {
  return right.at > left.at && right.at - left.at <= 2 * right.pace + leeway
}

/** Tolerance for the duration of a scrape, milliseconds. */
const leeway = 5_000

/** The index of the first sample at or after a time. */
function notBefore(samples: readonly SampleTime[], time: number): number {
  let [low, high] = [0, samples.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((samples[middle]?.at ?? Infinity) < time) low = middle + 1
    else high = middle
  }
  return low
}

function valueAt<S extends SampleTime>(samples: readonly S[], select: SampleSelector<S>, time: number): number | null {
  const after = notBefore(samples, time)
  const [left, right] = [samples[after - 1], samples[after]]
  if (!right) return null
  const b = select(right)
  if (right.at === time) return b
  if (!left || !isConsecutive(left, right)) return null
  const a = select(left)
  return a === null || b === null ? null : a + ((b - a) * (time - left.at)) / (right.at - left.at)
}

/** The interpolated value at the start of each bucket. */
export function gaugePoints<S extends SampleTime>(
  samples: readonly S[],
  select: SampleSelector<S>,
  step = bucketMs,
): Point[] {
  return buckets(samples, step).map((time) => [time, valueAt(samples, select, time)])
}

/** The rate per second of each bucket. Null if a counter was reset. */
export function ratePoints<S extends SampleTime>(
  samples: readonly S[],
  select: SampleSelector<S>,
  step = bucketMs,
): Point[] {
  return buckets(samples, step)
    .slice(0, -1)
    .map((time): Point => {
      const [before, after] = [valueAt(samples, select, time), valueAt(samples, select, time + step)]
      const known = before !== null && after !== null && isUnbroken(samples, select, time, time + step)
      return [time, known ? ((after - before) / step) * 1000 : null]
    })
}

/** Whether the samples around a time span are consecutive and the counter was not reset. */
function isUnbroken<S extends SampleTime>(
  samples: readonly S[],
  select: SampleSelector<S>,
  from: number,
  to: number,
): boolean {
  const first = notBefore(samples, from)
  const around = samples.slice(samples[first]?.at === from ? first : Math.max(0, first - 1), notBefore(samples, to) + 1)
  return around.every((right, at) => {
    const left = around[at - 1]
    return left === undefined || (isConsecutive(left, right) && (select(right) ?? -1) >= (select(left) ?? 0))
  })
}

/** The rate per second between the last two samples. Null if unknown. */
export function lastRate<S extends SampleTime>(samples: readonly S[], select: SampleSelector<S>): number | null {
  const [before, last] = samples.slice(-2)
  if (!before || !last || !isConsecutive(before, last)) return null
  const [a, b] = [select(before), select(last)]
  return a === null || b === null || b < a ? null : ((b - a) / (last.at - before.at)) * 1000
}
