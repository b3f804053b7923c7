/**
 * The effect of another size on the lag of a streaming pipe: from the measured rates, the CPU that they took, and the memory
 * of the fullest replica. It is assumed that a record costs the CPU that it cost before, that a replica needs the memory that
 * it needed before, and that the source can be read by all replicas.
 */
import { isConsecutive } from '#console/charting/sampling/series.ts'
import { limitThreshold, samplesOfCurrentSize } from '#console/charting/sampling/utilization.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'

/** Less is not enough to project from. */
export const minMinutes = 10
/** Older measurements do not count, milliseconds. */
const window = 30 * 60_000
/** How long a pipe keeps its size after a change was asked for, seconds. */
const settling = 180
/** The seconds from production to insertion of a pipe that keeps up: batches close after five. */
const usualLag = 10
/** Seconds that are projected, and between two points of the result. */
export const horizon = 30 * 60
const step = 30

export interface Measured {
  /** How much of the time was measured. */
  minutes: number
  /** Records per second that the source sends. */
  arrival: number
  /** Records per second for each millicore of all replicas together; the band has 80 % of the measurements. */
  perMillicore: { low: number; middle: number; high: number }
  /** The most memory that a replica used, bytes; null if it is not reported. */
  memory: number | null
  /** Seconds from production to insertion: now, and when the pipe has caught up. */
  lag: number
  base: number
}

interface Size {
  replicas: number
  replicaCpuMillicores: number
}

export type Measurement = { measured: Measured } | { measured: null; reason: string }

/** The capacity of a pipe by its samples at its present size, or why they say too little. */
export function measure(all: readonly PipeSample[], replicas: number): Measurement {
  const until = all.at(-1)?.at ?? 0
  const samples = samplesOfCurrentSize(all.filter(({ at }) => at >= until - window))
  const latencies = samples.flatMap(({ at, latency }) => (latency === null ? [] : [{ at, seconds: latency / 1000 }]))
  const intervals = samples.slice(1).flatMap((right, index) => {
    const left = samples[index]
    if (!left || !isConsecutive(left, right) || left.sentEvents === null || right.sentEvents === null) return []
    if (right.sentEvents < left.sentEvents || left.cpu === null || right.cpu === null) return []
    const seconds = (right.at - left.at) / 1000
    const rate = (right.sentEvents - left.sentEvents) / seconds
    return [{ seconds, rate, perMillicore: rate / (((left.cpu + right.cpu) / 2) * replicas) }]
  })
  const seconds = sum(intervals.map((interval) => interval.seconds))
  const minutes = Math.floor(seconds / 60)
  const last = latencies.at(-1)
  const none = (reason: string): Measurement => ({ measured: null, reason })
  if (samples.length > 0 && intervals.length === 0) return none('Its records and CPU are not reported.')
  if (minutes < minMinutes) return none(`${minutes} of ${minMinutes} minutes are measured at this size.`)
  if (!last) return none('Its lag is not reported.')
  const costs = intervals.flatMap(({ perMillicore }) =>
    perMillicore > 0 && Number.isFinite(perMillicore) ? [perMillicore] : [],
  )
  const sent = sum(intervals.map((interval) => interval.rate * interval.seconds)) / seconds
  if (sent <= 0 || costs.length === 0) return none('Nothing was loaded while it was measured.')
  return {
    measured: {
      minutes,
      // The lag grows by the share of the records that arrive and are not written.
      arrival: sent / (1 - Math.min(0.95, Math.max(-5, slopeOf(latencies)))),
      memory: samples.reduce<number | null>((most, sample) => {
        return sample.memory === null ? most : Math.max(most ?? 0, sample.memory)
      }, null),
      perMillicore: { low: quantile(costs, 0.1), middle: quantile(costs, 0.5), high: quantile(costs, 0.9) },
      lag: last.seconds,
      base: Math.min(usualLag, ...latencies.map((latency) => latency.seconds)),
    },
  }
}

/** Records per second that a size can write. */
export const capacityOf = ({ replicas, replicaCpuMillicores }: Size, perMillicore: number): number =>
  replicas * replicaCpuMillicores * perMillicore

/** The share of a size's memory that the fullest replica took; null if it is not reported. */
export const memoryShareOf = ({ memory }: Measured, replicaMemoryGb: number): number | null =>
  memory === null ? null : memory / (replicaMemoryGb * 2 ** 30)

/** Whether a size keeps up with the source, also if its records cost as much CPU as the expensive ones, and has the memory. */
export function keepsUp(measured: Measured, size: Size & { replicaMemoryGb: number }): boolean {
  const share = memoryShareOf(measured, size.replicaMemoryGb)
  return capacityOf(size, measured.perMillicore.low) >= measured.arrival && (share === null || share < limitThreshold)
}

/** Whether records wait: a lag that a pipe has anyway is none. */
export const isBehind = ({ lag, base }: Measured): boolean => lag > 2 * base + 5

interface Projected {
  /** Seconds from now, and of lag. */
  points: { at: number; lag: number }[]
  /** Seconds until the pipe has caught up; 0 if it has, null if it never does. */
  caughtUpIn: number | null
}

/** @param now the records per second of the present size, @param planned of the next, once it is in effect */
export function project(measured: Measured, now: number, planned: number): Projected {
  const { arrival, lag, base } = measured
  /** Seconds of lag that each second adds. */
  const [before, after] = [1 - now / arrival, 1 - planned / arrival]
  const turn = Math.max(base, lag + before * settling)
  const lagAt = (time: number) =>
    time <= settling ? Math.max(base, lag + before * time) : Math.max(base, turn + after * (time - settling))
  return {
    points: Array.from({ length: horizon / step + 1 }, (_, index) => ({ at: index * step, lag: lagAt(index * step) })),
    caughtUpIn: planned < arrival ? null : isBehind(measured) ? catchUp({ lag, base, turn, before, after }) : 0,
  }
}

/** When the lag is back at its base, seconds from now; null if it stays. `turn` is the lag when the size takes effect. */
function catchUp({ lag, base, turn, before, after }: Record<'lag' | 'base' | 'turn' | 'before' | 'after', number>) {
  if (turn <= base) return (base - lag) / before
  return after < 0 ? settling + (base - turn) / after : null
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** The slope of the straight line through the points, seconds of lag per second; 0 where noise explains it. */
function slopeOf(points: readonly { at: number; seconds: number }[]): number {
  const times = points.map(({ at }) => at / 1000)
  const [meanTime, mean] = [sum(times) / points.length, sum(points.map((point) => point.seconds)) / points.length]
  const spread = sum(times.map((time) => (time - meanTime) ** 2))
  if (points.length < 3 || spread === 0) return 0
  const slope = sum(points.map((point, at) => ((times[at] ?? 0) - meanTime) * (point.seconds - mean))) / spread
  const residual = sum(points.map((point, at) => (point.seconds - mean - slope * ((times[at] ?? 0) - meanTime)) ** 2))
  const error = Math.sqrt(residual / (points.length - 2) / spread)
  return Math.abs(slope) > 2 * error ? slope : 0
}
