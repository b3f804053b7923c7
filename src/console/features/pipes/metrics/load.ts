/** Load against limits: what a pipe uses of what it has, and what it is short of. */
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
}

/** Below this share of its limits a pipe is idle rather than too large. */
const idle = 0.02

/** From here on a limit counts as reached: what is left is noise of the measurement. */
const full = 0.9

export function loadOf(all: readonly PipeSample[]): Load | null {
  const last = all.at(-1)
  if (!last) return null
  const samples = all.filter(({ at }) => at > last.at - loadWindow)
  const cpu = shares(samples, 'cpu', 'cpuLimit')
  const memory = shares(samples, 'memory', 'memoryLimit')
  return {
    cpu: against(last.cpu, last.cpuLimit, cpu),
    memory: against(last.memory, last.memoryLimit, memory),
    latency: last.latency === null ? null : { now: last.latency, trend: trendOf(samples) },
    cpuFull: fullSince(cpu, last.at),
    memoryFull: fullSince(memory, last.at),
  }
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

/** Whether the latency of the last third is clearly apart from that of the first. */
function trendOf(samples: readonly PipeSample[]): Trend {
  const values = samples.flatMap(({ latency }) => (latency === null ? [] : [latency]))
  const third = Math.floor(values.length / 3)
  if (third < 1) return 'steady'
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const [early, late] = [mean(values.slice(0, third)), mean(values.slice(-third))]
  if (late > early * 1.1) return 'rising'
  return late < early * 0.9 ? 'falling' : 'steady'
}

export interface Verdict {
  tone: 'warning' | 'success' | 'info'
  sentence: string
}

/** One sentence: what the pipe is short of. */
export function verdictOf(load: Load | null, runs: boolean): Verdict {
  if (!runs) return { tone: 'info', sentence: 'Nothing runs, so the load says nothing about the size.' }
  if (!load?.cpu && !load?.memory) {
    return {
      tone: 'info',
      sentence: 'The deployment does not report what is used: whether anything is short cannot be told.',
    }
  }
  const { cpu, memory, latency, cpuFull, memoryFull } = load
  const cpuShort = cpu !== null && cpu.used / cpu.limit >= full
  const memoryShort = memory !== null && memory.used / memory.limit >= full
  const rising = latency?.trend === 'rising' ? ' and latency is rising' : ''
  if (cpuShort && memoryShort) {
    return {
      tone: 'warning',
      sentence: `CPU and memory have been at their limits for ${time(Math.min(cpuFull, memoryFull))}${rising}: both are short. A larger size lets it catch up.`,
    }
  }
  if (cpuShort) {
    const not = memory ? ', memory is not' : ''
    return {
      tone: 'warning',
      sentence: `CPU has been at its limit for ${time(cpuFull)}${rising}: CPU is short${not}.`,
    }
  }
  if (memoryShort) {
    const not = cpu ? ', CPU is not' : ''
    return {
      tone: 'warning',
      sentence: `Memory has been at its limit for ${time(memoryFull)}${rising}: memory is short${not}.`,
    }
  }
  if (rising) {
    return {
      tone: 'warning',
      sentence:
        'Latency is rising although CPU and memory have room: look at the source and at the service that it writes to.',
    }
  }
  const most = Math.max(...[cpu, memory].flatMap((one) => (one ? [one.p95] : [])))
  if (most < idle) {
    return { tone: 'info', sentence: 'There is next to nothing to do now, so the load says nothing about the size.' }
  }
  if (most < 0.3) {
    return {
      tone: 'success',
      sentence: `At most ${Math.round(most * 100)} % of what there is gets used: a smaller size would do.`,
    }
  }
  return { tone: 'success', sentence: 'There is enough of both: neither CPU nor memory is at its limit.' }
}

function time(ms: number): string {
  if (ms < 60_000) return 'less than a minute'
  const minutes = Math.round(ms / 60_000)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
