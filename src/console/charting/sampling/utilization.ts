/** Utilization: what a pipe uses of its limits. Charts, table and size assessment use the same samples. */
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { isConsecutive } from './series.ts'

/** CPU or memory usage over a window of samples. */
export interface ResourceUsage {
  /** The newest measurement and its limit. */
  used: number
  limit: number
  /** The 95th percentile of used / limit, 0 to 1. */
  p95: number
  /** Milliseconds at the limit within the window. */
  atLimit: number
  /** Milliseconds at the limit without interruption until now. */
  atLimitNow: number
  /** Milliseconds covered by samples. Gaps in between are unknown. */
  known: number
}

type Trend = 'rising' | 'falling' | 'steady'

export interface Utilization {
  cpu: ResourceUsage | null
  memory: ResourceUsage | null
  /** Null if it is not reported. `now` is null while nothing is loaded. */
  latency: { now: number | null; trend: Trend } | null
  /** The size changed within the window. Older samples are ignored. */
  resized: boolean
  /** The size changed so recently that its effect is not visible yet. */
  settling: boolean
}

interface Window {
  /** Length of the window that ends with the newest sample, milliseconds. */
  window: number
  /** When a size was last requested in this session, epoch milliseconds. */
  requestedAt?: number | undefined
}

/** How long a pipe needs until a new size shows its effect, milliseconds. */
const settlingTime = 3 * 60_000

/** From this share on a limit counts as reached; the rest is measurement noise. */
export const limitThreshold = 0.9

/** The higher share of CPU and memory that a sample uses, 0 to 1. Null if neither is reported. */
export function usedShare(sample: PipeSample): number | null {
  const known = [shareOf(sample, 'cpu'), shareOf(sample, 'memory')].filter((share) => share !== null)
  return known.length > 0 ? Math.max(...known) : null
}

/** A pipe is overloaded if more than 5 % of its samples are at the limit of CPU or memory. */
export function isOverloaded(utilization: Utilization | null): boolean {
  return isConstrained(utilization?.cpu) || isConstrained(utilization?.memory)
}

export const isConstrained = (usage: ResourceUsage | null | undefined): boolean =>
  usage != null && usage.p95 >= limitThreshold

/** The window in which the trend of the latency is determined first, milliseconds. */
const latencyWindow = 5 * 60_000

/** The utilization over the window that ends with the last sample. Null without samples. */
export function computeUtilization(
  all: readonly PipeSample[],
  { window, requestedAt = -Infinity }: Window,
): Utilization | null {
  const last = all.at(-1)
  if (!last) return null
  const inWindow = all.filter(({ at }) => at >= last.at - window)
  const samples = samplesOfCurrentSize(inWindow)
  const changedAt = samples.length < inWindow.length ? (samples[0]?.at ?? last.at) : -Infinity
  return {
    cpu: resourceUsage(samples, 'cpu', last.at),
    memory: resourceUsage(samples, 'memory', last.at),
    latency: latencyOf(samples, last),
    resized: changedAt !== -Infinity,
    settling: last.at - Math.max(requestedAt, changedAt) < settlingTime,
  }
}

/** The samples since the limits last changed. A limit that is briefly not reported is not a change. */
export function samplesOfCurrentSize(all: readonly PipeSample[]): readonly PipeSample[] {
  const newest = (limit: 'cpuLimit' | 'memoryLimit') =>
    all.findLast((sample) => sample[limit] !== null)?.[limit] ?? null
  const [cpuLimit, memoryLimit] = [newest('cpuLimit'), newest('memoryLimit')]
  const differs = (a: number | null, b: number | null) => a !== null && b !== null && a !== b
  const other = all.findLastIndex(
    (sample) => differs(sample.cpuLimit, cpuLimit) || differs(sample.memoryLimit, memoryLimit),
  )
  return all.slice(other + 1)
}

const limitOf = { cpu: 'cpuLimit', memory: 'memoryLimit' } as const

function shareOf(sample: PipeSample, resource: 'cpu' | 'memory'): number | null {
  const [used, limit] = [sample[resource], sample[limitOf[resource]]]
  return used !== null && limit !== null && limit > 0 ? used / limit : null
}

/** A measurement that is older than this many sampling intervals is not current. */
const missedSamples = 4

function resourceUsage(samples: readonly PipeSample[], resource: 'cpu' | 'memory', now: number): ResourceUsage | null {
  const measured = samples.flatMap((sample) => {
    const share = shareOf(sample, resource)
    return share === null ? [] : [{ sample, at: sample.at, pace: sample.pace, share }]
  })
  const last = measured.at(-1)
  if (!last || now - last.at > missedSamples * last.pace) return null
  const sorted = measured.map(({ share }) => share).toSorted((a, b) => a - b)
  let [known, atLimit, atLimitNow] = [0, 0, 0]
  for (const [index, right] of measured.entries()) {
    const left = measured[index - 1]
    const isFollowed = left !== undefined && isConsecutive(left, right)
    const length = isFollowed ? right.at - left.at : 0
    const isFull = isFollowed && Math.min(left.share, right.share) >= limitThreshold
    known += length
    atLimit += isFull ? length : 0
    atLimitNow = isFull ? atLimitNow + length : 0
  }
  return {
    used: last.sample[resource] ?? 0,
    limit: last.sample[limitOf[resource]] ?? 0,
    p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? last.share,
    atLimit,
    atLimitNow,
    known,
  }
}

function latencyOf(samples: readonly PipeSample[], last: PipeSample): Utilization['latency'] {
  if (last.latency !== null) return { now: last.latency, trend: trendOf(samples, last.at) }
  return samples.some(({ latency }) => latency !== null) ? { now: null, trend: 'steady' } : null
}

/** The recent trend, or the trend over all samples if the recent one is steady. */
function trendOf(samples: readonly PipeSample[], now: number): Trend {
  const recent = trendOver(samples.filter(({ at }) => at > now - latencyWindow))
  return recent === 'steady' ? trendOver(samples) : recent
}

/** Compares the mean latency of the last third with that of the first. */
function trendOver(samples: readonly PipeSample[]): Trend {
  const values = samples.flatMap(({ latency }) => (latency === null ? [] : [latency]))
  const third = Math.floor(values.length / 3)
  if (third < 1) return 'steady'
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const [early, late] = [mean(values.slice(0, third)), mean(values.slice(-third))]
  if (late > early * 1.1) return 'rising'
  return late < early * 0.9 ? 'falling' : 'steady'
}
