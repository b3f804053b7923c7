/** Load against limits: what a pipe uses of what it has. */
import type { PipeSample } from '#contract/pipeSamples.ts'
import { follows } from './series.ts'

/** Samples older than this do not count, milliseconds. */
export const loadWindow = 30 * 60_000

export interface Against {
  used: number
  limit: number
  /** Used by limit, 0 to 1, at which 95 of 100 samples lie or below. */
  p95: number
}

export type Trend = 'rising' | 'falling' | 'steady'

export interface Load {
  cpu: Against | null
  memory: Against | null
  latency: { now: number; trend: Trend } | null
  /** Milliseconds that CPU or memory have been at their limit without a break. */
  cpuFull: number
  memoryFull: number
  /** The size changed so lately that the load does not yet tell whether it is enough. */
  settling: boolean
}

/** What a pipe takes to show what another size does to it, milliseconds. */
const settlingTime = 3 * 60_000

/** From here on a limit counts as reached: what is left is noise of the measurement. */
export const full = 0.9

/** How much of its limits a sample uses, 0 to 1: of CPU or memory, whichever is nearer to its limit. Null where neither is told. */
export function fullness({ cpu, cpuLimit, memory, memoryLimit }: PipeSample): number | null {
  const told = [
    cpu !== null && cpuLimit ? cpu / cpuLimit : null,
    memory !== null && memoryLimit ? memory / memoryLimit : null,
  ]
  const known = told.filter((share) => share !== null)
  return known.length > 0 ? Math.max(...known) : null
}

/** What latency did this long tells where it goes now, milliseconds. */
const lately = 5 * 60_000

/** @param askedAt when another size was last asked for here, epoch milliseconds */
export function loadOf(all: readonly PipeSample[], askedAt = -Infinity): Load | null {
  const last = all.at(-1)
  if (!last) return null
  const sized = ofThisSize(all)
  const changedAt = sized.length < all.length ? (sized[0]?.at ?? last.at) : -Infinity
  const samples = sized.filter(({ at }) => at > last.at - loadWindow)
  const cpu = shares(samples, 'cpu', 'cpuLimit')
  const memory = shares(samples, 'memory', 'memoryLimit')
  return {
    cpu: against(last.cpu, last.cpuLimit, cpu),
    memory: against(last.memory, last.memoryLimit, memory),
    latency: last.latency === null ? null : { now: last.latency, trend: trendOf(samples, last.at) },
    cpuFull: fullSince(cpu, last.at),
    memoryFull: fullSince(memory, last.at),
    settling: last.at - Math.max(askedAt, changedAt) < settlingTime,
  }
}

/** The samples since the limits last changed: what another size did says nothing about this one. */
function ofThisSize(all: readonly PipeSample[]): readonly PipeSample[] {
  const last = all.at(-1)
  const other = all.findLastIndex(
    ({ cpuLimit, memoryLimit }) => cpuLimit !== last?.cpuLimit || memoryLimit !== last.memoryLimit,
  )
  return all.slice(other + 1)
}

type Share = { at: number; pace: number; share: number }

function shares(samples: readonly PipeSample[], used: 'cpu' | 'memory', limit: 'cpuLimit' | 'memoryLimit'): Share[] {
  return samples.flatMap((sample) => {
    const [value, most] = [sample[used], sample[limit]]
    return value !== null && most !== null && most > 0
      ? [{ at: sample.at, pace: sample.pace, share: value / most }]
      : []
  })
}

function against(used: number | null, limit: number | null, list: readonly Share[]): Against | null {
  if (used === null || limit === null || limit <= 0) return null
  const sorted = list.map(({ share }) => share).toSorted((a, b) => a - b)
  return { used, limit, p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? used / limit }
}

/** Back from now, for as long as sampling went on and each sample was at the limit. */
function fullSince(list: readonly Share[], now: number): number {
  const start = list.findLastIndex((one, at) => {
    const before = list[at - 1]
    return one.share < full || before === undefined || before.share < full || !follows(before, one)
  })
  const since = list[start]
  return since && since.share >= full ? now - since.at : 0
}

/** Where latency goes now; where that cannot be seen, where it went over the whole time. */
function trendOf(samples: readonly PipeSample[], now: number): Trend {
  const recent = trendOver(samples.filter(({ at }) => at > now - lately))
  return recent === 'steady' ? trendOver(samples) : recent
}

/** Whether the latency of the last third is clearly apart from that of the first. */
function trendOver(samples: readonly PipeSample[]): Trend {
  const values = samples.flatMap(({ latency }) => (latency === null ? [] : [latency]))
  const third = Math.floor(values.length / 3)
  if (third < 1) return 'steady'
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const [early, late] = [mean(values.slice(0, third)), mean(values.slice(-third))]
  if (late > early * 1.1) return 'rising'
  return late < early * 0.9 ? 'falling' : 'steady'
}
