/** Sentences about loads, sizes and what is expected of them. */
import { formatLength } from '#console/ui/time/formatLength.ts'
import type { PipeSize } from '#domain/sizing/pipePrices.ts'
import type { ExpectedUse, SizePrediction } from '#contract/console/sampling/sizeLoads.ts'
import { formatDollars } from '#domain/charts/amounts.ts'
import { highestShare, minHours, type Certainty, type Expected } from '#domain/sizing/advice.ts'
import { capacityOf, project, type Measured } from '../scaling/projection.ts'
import type { MonthlyCost, SizingRow } from './sizingRow.ts'

export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** "120 h", "0.5 h" */
const formatHours = (hours: number): string => `${hours < 10 ? hours : Math.round(hours)} h`

/** "28 to 36 %": the peaks of the days, as shares of the limit. */
function peakText({ low, high, limit }: ExpectedUse): string {
  const [from, to] = [Math.round((low / limit) * 100), Math.round((high / limit) * 100)]
  return from < to ? `${from} to ${to} %` : `${to} %`
}

/** "Peaks: CPU 28 to 36 %, memory 48 %." */
export function expectedText({ cpu, memory }: Expected): string {
  const all = [cpu && `CPU ${peakText(cpu)}`, memory && `memory ${peakText(memory)}`].filter(Boolean)
  const text = all.join(', ')
  return text && `Expected peak: ${text}.`
}

/** The effect of the advised size. */
export function effectText({ next, advice, reason }: SizingRow): string {
  if (reason !== null) return ''
  if (advice.kind === 'keep') {
    if (advice.isShort) return 'At its limit, and there is no larger size.'
    return `Fits. ${expectedText(advice.expected)}`
  }
  if (!next) return ''
  const stays = next.isEnough
    ? `Stays under ${percent(highestShare)} at the peak seen.`
    : 'The largest size, and perhaps not enough.'
  return [expectedText(next.expected), stays, next.lag].filter(Boolean).join(' ')
}

/** Why nothing is advised, and what is missing. Empty if something is. */
export function missingText({ advice, reason, load }: SizingRow): string {
  if (reason !== null) return reason
  if (advice.kind !== 'unknown') return ''
  if (advice.missing !== 'hours')
    return `The deployment does not report its ${advice.missing === 'cpu' ? 'CPU' : 'memory'}.`
  const hours = load?.hours ?? 0
  const needed = advice.needed ?? 0
  const left = Math.round((needed - hours) * 10) / 10
  const first = load ? 'Only some minutes are measured' : 'Nothing is measured yet'
  const known = hours === 0 ? first : `${formatHours(hours)} measured at this size`
  return needed === minHours.smaller
    ? `${known}, and no shortage. A smaller size needs ${needed} h: ${formatHours(left)} are missing.`
    : `${known}. Advice needs ${needed} h of measurements, a smaller size ${minHours.smaller} h.`
}

const certainties: Record<Certainty, string> = { low: 'Low', fair: 'Fair', high: 'High' }

/** "Fair: 30 h measured" */
export function certaintyText({ certainty, load }: SizingRow): string {
  if (certainty === null || !load) return ''
  const isShort = certainty === 'low' && load.hours >= minHours.smaller
  const cut = isShort ? ', at its limit: the need may be higher' : ''
  return `${certainties[certainty]}: ${formatHours(load.hours)} measured${cut}`
}

/** The lag at another size, from the last minutes. */
export function lagText(measured: Measured, now: PipeSize, planned: PipeSize): string {
  const { middle } = measured.perMillicore
  const { caughtUpIn } = project(measured, capacityOf(now, middle), capacityOf(planned, middle))
  if (caughtUpIn === null) return 'The lag would keep growing.'
  if (caughtUpIn === 0) return 'It keeps up with the source.'
  return `Caught up in ${formatLength(Math.max(1, Math.round(caughtUpIn / 60)) * 60_000)}.`
}

/** "−$58", "+$12 to +$40" per month. */
export function differenceText({ least, most }: MonthlyCost): string {
  const [from, to] = [least, most].toSorted((a, b) => Math.abs(a) - Math.abs(b)).map(signed)
  return from === to ? `${to}` : `${from} to ${to}`
}

function signed(usd: number): string {
  const rounded = Math.round(usd)
  if (rounded === 0) return '$0'
  return `${rounded < 0 ? '−' : '+'}${formatDollars(Math.abs(rounded), 0)}`
}

/** More than the expected peak by this factor is no noise any more. */
const tolerance = 1.1

export interface Comparison {
  text: string
  verdict: 'waiting' | 'unmeasured' | 'asPredicted' | 'higher'
}

/** "CPU: predicted peak 62 %, measured 58 % over 3 h." */
export function compare({ cpu, memory, load, appliedAt }: SizePrediction): Comparison {
  if (appliedAt === null) return { verdict: 'waiting', text: 'Waits for approval.' }
  const pairs = [
    { title: 'CPU', expected: cpu, used: load?.cpu },
    { title: 'Memory', expected: memory, used: load?.memory },
  ].flatMap(({ title, expected, used }) => (expected && used ? [{ title, expected, peak: used.peak }] : []))
  if (!load || pairs.length === 0) {
    return { verdict: 'unmeasured', text: `${expectedText({ cpu, memory })} Nothing is measured at this size yet.` }
  }
  const over = load.hours > 0 ? ` over ${formatHours(load.hours)}` : ' so far'
  const text = pairs
    .map(({ title, expected, peak }) => {
      const { limit, high } = expected
      return `${title}: predicted peak ${percent(high / limit)}, measured ${percent(peak / limit)}${over}.`
    })
    .join(' ')
  const isHigher = pairs.some(({ expected, peak }) => peak > expected.high * tolerance)
  return { verdict: isHigher ? 'higher' : 'asPredicted', text }
}
