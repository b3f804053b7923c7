/** Assesses from the utilization whether a size fits, in one sentence with the figures of the charts. */
import { counted } from '#domain/text/words.ts'
import { isConstrained, limitThreshold, type Utilization, type ResourceUsage } from './utilization.ts'

export interface SizeAssessment {
  tone: 'warning' | 'success' | 'info'
  sentence: string
  /** The recommended direction. Null if the size fits or cannot be assessed. */
  recommendation: 'scaleUp' | 'scaleDown' | null
}

/** Below this share of the limits a pipe is idle rather than oversized. */
const idleShare = 0.02

/** Below this share of the limits a smaller size is enough. */
const oversizedShare = 0.3

/** From this share on, short interruptions are not mentioned. */
const mostOfTheTime = 0.8

/**
 * Assesses whether CPU and memory are sufficient.
 * @param isRunning false if no pipe is running, whatever the samples show
 * @param window the window of the utilization, milliseconds
 */
export function assessSize(utilization: Utilization | null, isRunning: boolean, window: number): SizeAssessment {
  if (!isRunning) return neutral('info', 'No pipe is running, so the size cannot be assessed.')
  const usages = utilization ? [utilization.cpu, utilization.memory].filter((usage) => usage !== null) : []
  if (!utilization || usages.length === 0) {
    return neutral('info', 'The deployment does not report CPU or memory usage, so a shortage cannot be detected.')
  }
  const short = usages.filter(isConstrained)
  if (short.length > 0) return shortage(utilization, short, window)
  const figures = `${percentages(utilization)} ${period(usages, utilization, window)}`
  const full = usages.filter(isFull)
  if (full.length > 0) {
    const [are, their] = full.length > 1 ? ['are', 'their limits'] : ['is', 'its limit']
    return neutral(
      'info',
      `${namesOf(utilization, full)} ${are} at ${their} now, but not most of the time: ${figures}.`,
    )
  }
  if (utilization.latency?.trend === 'rising') {
    return neutral(
      'warning',
      `Latency is rising although CPU and memory have headroom (${figures}). Check the source and the destination service.`,
    )
  }
  const highest = Math.max(...usages.map(({ p95 }) => p95))
  if (highest < idleShare) return neutral('info', 'The pipe is idle, so the size cannot be assessed.')
  if (highest < oversizedShare)
    return { tone: 'success', sentence: `The size is larger than needed: ${figures}.`, recommendation: 'scaleDown' }
  return neutral('success', `The size is sufficient: ${figures}.${unreported(utilization)}`)
}

function shortage(utilization: Utilization, short: readonly ResourceUsage[], window: number): SizeAssessment {
  const names = namesOf(utilization, short)
  const [has, were, limit, are] =
    short.length > 1 ? ['have', 'were', 'their limits', 'are'] : ['has', 'was', 'its limit', 'is']
  const leastNow = Math.min(...short.map(({ atLimitNow }) => atLimitNow))
  const total = Math.min(...short.map(({ atLimit }) => atLimit))
  const known = Math.max(...short.map((usage) => usage.known))
  const been =
    leastNow >= mostOfTheTime * total
      ? `${names} ${has} been at ${limit} for ${duration(leastNow)}`
      : `${names} ${were} at ${limit} for ${ofPeriod(total, known)}`
  const { latency, settling } = utilization
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
    sentence: `${been}${rising}${othersHaveRoom(utilization, short)}.${gaps(known, utilization, window)}`,
    recommendation: 'scaleUp',
  }
}

function othersHaveRoom(utilization: Utilization, short: readonly ResourceUsage[]): string {
  const other = [utilization.cpu, utilization.memory].find((usage) => usage !== null && !short.includes(usage))
  return other ? `; ${namesOf(utilization, [other]).toLowerCase() === 'cpu' ? 'CPU' : 'memory'} has headroom` : ''
}

/** CPU, Memory, or CPU and memory. */
function namesOf({ cpu }: Utilization, usages: readonly ResourceUsage[]): string {
  if (usages.length > 1) return 'CPU and memory'
  return usages[0] === cpu ? 'CPU' : 'Memory'
}

/** `CPU 72 %, memory 40 % (p95)` */
function percentages({ cpu, memory }: Utilization): string {
  const percent = ({ p95 }: ResourceUsage) => `${Math.round(p95 * 100)} %`
  return `${[cpu && `CPU ${percent(cpu)}`, memory && `memory ${percent(memory)}`].filter(Boolean).join(', ')} of the limit (p95)`
}

/** The period behind the figures. */
function period(usages: readonly ResourceUsage[], utilization: Utilization, window: number): string {
  const known = Math.max(...usages.map((usage) => usage.known))
  if (utilization.resized) return 'since the size changed'
  return known >= mostOfTheTime * window ? `in the last ${minutesOf(window)}` : `in ${duration(known)} of samples`
}

/** Names the covered time if a large part of the window has no samples. */
function gaps(known: number, utilization: Utilization, window: number): string {
  if (utilization.resized) return ' Measured since the size changed.'
  return known >= mostOfTheTime * window ? '' : ` Measured for ${duration(known)} so far.`
}

function unreported({ cpu, memory }: Utilization): string {
  if (cpu && memory) return ''
  return cpu ? ' Memory usage is not reported.' : ' CPU usage is not reported.'
}

const neutral = (tone: SizeAssessment['tone'], sentence: string): SizeAssessment => ({
  tone,
  sentence,
  recommendation: null,
})

const isFull = ({ used, limit }: ResourceUsage): boolean => used / limit >= limitThreshold

const minutesOf = (ms: number): string => counted(Math.max(1, Math.round(ms / 60_000)), 'minute')

function duration(ms: number): string {
  return ms < 60_000 ? 'less than a minute' : minutesOf(ms)
}

/** `7 of 10 minutes` */
function ofPeriod(part: number, total: number): string {
  return `${Math.max(1, Math.round(part / 60_000))} of ${minutesOf(total)}`
}
