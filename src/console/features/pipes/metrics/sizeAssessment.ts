/** What the load says about the size, in one sentence made of the figures that the charts beside it show. */
import { counted } from '#console/ui/format.ts'
import { isShort, limitReached, type Load, type Usage } from './utilization.ts'

export interface Verdict {
  tone: 'warning' | 'success' | 'info'
  sentence: string
  /** Whether another size would fit better; null where the load does not tell, or the size fits. */
  wants: 'more' | 'less' | null
}

/** Below this share of its limits a pipe is idle rather than too large. */
const idle = 0.02

/** Below this share it does with less. */
const roomy = 0.3

/** From this share of the time at the limit without a break on, the breaks before are not worth a word. */
const mostly = 0.8

/**
 * Whether CPU and memory are enough.
 * @param runs false where nothing moves, whatever the samples say
 * @param window milliseconds that the load was computed over, at most
 */
export function verdictOf(load: Load | null, runs: boolean, window: number): Verdict {
  if (!runs) return neutral('info', 'Nothing runs, so the load says nothing about the size.')
  const usages = load ? [load.cpu, load.memory].filter((usage) => usage !== null) : []
  if (!load || usages.length === 0) {
    return neutral('info', 'The deployment does not report CPU or memory usage, so a shortage cannot be detected.')
  }
  const short = usages.filter(isShort)
  if (short.length > 0) return shortage(load, short, window)
  const figures = `${percentages(load)} ${period(usages, load, window)}`
  const full = usages.filter(isFull)
  if (full.length > 0) {
    const [are, their] = full.length > 1 ? ['are', 'their limits'] : ['is', 'its limit']
    return neutral('info', `${namesOf(load, full)} ${are} at ${their} now, but not most of the time: ${figures}.`)
  }
  if (load.latency?.trend === 'rising') {
    return neutral(
      'warning',
      `Latency is rising although CPU and memory have room (${figures}). Check the source and the destination service.`,
    )
  }
  const most = Math.max(...usages.map(({ p95 }) => p95))
  if (most < idle) return neutral('info', 'The pipe is idle, so the load says nothing about the size.')
  if (most < roomy) return { tone: 'success', sentence: `The size is larger than needed: ${figures}.`, wants: 'less' }
  return neutral('success', `The size is sufficient: ${figures}.${unreported(load)}`)
}

function shortage(load: Load, short: readonly Usage[], window: number): Verdict {
  const names = namesOf(load, short)
  const [has, was, limit, are] =
    short.length > 1 ? ['have', 'were', 'their limits', 'are'] : ['has', 'was', 'its limit', 'is']
  const leastNow = Math.min(...short.map(({ atLimitNow }) => atLimitNow))
  const total = Math.min(...short.map(({ atLimit }) => atLimit))
  const known = Math.max(...short.map((usage) => usage.known))
  const been =
    leastNow >= mostly * total
      ? `${names} ${has} been at ${limit} for ${duration(leastNow)}`
      : `${names} ${was} at ${limit} for ${ofPeriod(total, known)}`
  const { latency, settling } = load
  if (settling) {
    return neutral(
      'info',
      `${names} ${are} at ${limit}. The size changed recently; allow a few minutes for it to take effect.`,
    )
  }
  if (latency?.trend === 'falling') {
    return neutral('info', `${been}, but latency is falling: the pipe is catching up with its backlog.`)
  }
  const rising = latency?.trend === 'rising' ? ' and latency is rising' : ''
  return {
    tone: 'warning',
    sentence: `${been}${rising}${othersHaveRoom(load, short)}.${gaps(known, load, window)}`,
    wants: 'more',
  }
}

function othersHaveRoom(load: Load, short: readonly Usage[]): string {
  const other = [load.cpu, load.memory].find((usage) => usage !== null && !short.includes(usage))
  return other ? `; ${namesOf(load, [other]).toLowerCase() === 'cpu' ? 'CPU' : 'memory'} has room` : ''
}

/** CPU, Memory, or CPU and memory. */
function namesOf({ cpu }: Load, usages: readonly Usage[]): string {
  if (usages.length > 1) return 'CPU and memory'
  return usages[0] === cpu ? 'CPU' : 'Memory'
}

/** `CPU 72 %, memory 40 % (p95)` */
function percentages({ cpu, memory }: Load): string {
  const percent = ({ p95 }: Usage) => `${Math.round(p95 * 100)} %`
  return `${[cpu && `CPU ${percent(cpu)}`, memory && `memory ${percent(memory)}`].filter(Boolean).join(', ')} of the limit (p95)`
}

/** Over which time the figures hold, and how much of it is known. */
function period(usages: readonly Usage[], load: Load, window: number): string {
  const known = Math.max(...usages.map((usage) => usage.known))
  if (load.resized) return 'since the size changed'
  return known >= mostly * window ? `in the last ${minutesOf(window)}` : `in ${duration(known)} of samples`
}

/** Says so where much of the window is not known. */
function gaps(known: number, load: Load, window: number): string {
  if (load.resized) return ' Measured since the size changed.'
  return known >= mostly * window ? '' : ` Measured for ${duration(known)} so far.`
}

function unreported({ cpu, memory }: Load): string {
  if (cpu && memory) return ''
  return cpu ? ' Memory usage is not reported.' : ' CPU usage is not reported.'
}

const neutral = (tone: Verdict['tone'], sentence: string): Verdict => ({ tone, sentence, wants: null })

const isFull = ({ used, limit }: Usage): boolean => used / limit >= limitReached

const minutesOf = (ms: number): string => counted(Math.max(1, Math.round(ms / 60_000)), 'minute')

function duration(ms: number): string {
  return ms < 60_000 ? 'less than a minute' : minutesOf(ms)
}

/** `7 of 10 minutes` */
function ofPeriod(part: number, whole: number): string {
  return `${Math.max(1, Math.round(part / 60_000))} of ${minutesOf(whole)}`
}
