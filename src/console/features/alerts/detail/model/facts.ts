/** The facts at the top of the page of an alert. What is not known is undefined, never 0. */
import type { z } from 'zod'
import type { AlertDelivery } from '#contract/stack/alertDeliveries.ts'
import type { alertCrossing } from '#contract/stack/alertHistory.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import { formatLength } from '#console/ui/time/formatLength.ts'
import { formatRecent } from '#console/ui/time/formatRecent.ts'
import { firingSpans, type EvaluatedWindow } from './evaluatedWindows.ts'
import { formatFiringGroups } from './evaluationLabels.ts'

type Crossing = z.infer<typeof alertCrossing>

/** A time in which the alert fired; `to` is null while it fires. */
export interface Firing {
  from: number
  to: number | null
  /** It began before that: nothing earlier is known. */
  earlier?: boolean
}

/** The times in which it fired, newest first, from when it began and ceased to fire. */
export function firingsOfCrossings(crossings: readonly Crossing[]): Firing[] {
  const firings: Firing[] = []
  for (const { state, createdAt, bucketStart } of crossings) {
    const at = Date.parse(createdAt)
    const last = firings.at(-1)
    // One that fires at the start of the range begins there, and not at the end of a window.
    const earlier = Date.parse(bucketStart) >= at
    if (state === 'ALERT') firings.push({ from: at, to: null, ...(earlier && { earlier }) })
    else if (last && last.to === null) last.to = at
  }
  return firings.toReversed()
}

/** Firings from evaluated windows, newest first. */
export function firingsOfWindows(windows: readonly EvaluatedWindow[]): Firing[] {
  const read = windows.filter(({ state }) => state !== 'unread')
  const [newest, oldest] = [read[0], read.at(-1)]
  return firingSpans(windows)
    .map(({ from, to }) => ({
      from,
      to: newest?.state === 'firing' && to === newest.end ? null : to,
      ...(from === oldest?.end && !oldest.first && { earlier: true }),
    }))
    .toReversed()
}

export interface Fact {
  label: string
  /** Null while it is being read. */
  value: string | null
  tone?: 'bad'
}

interface Known {
  alert: Alert
  /** Newest first. */
  firings: readonly Firing[] | undefined
  windows: readonly EvaluatedWindow[] | undefined
  /** The windows that the deployment is known to have evaluated, where the others are computed. */
  recorded?: readonly EvaluatedWindow[] | undefined
  /** Newest first; undefined where they are not known. */
  deliveries: readonly AlertDelivery[] | undefined
  /** Older deliveries exist. */
  moreDeliveries: boolean
  /** First reads that are under way: until they end, nothing is said to be unknown. */
  reading?: { windows: boolean; firings: boolean; deliveries: boolean }
  /** The unit of the values. */
  unit?: Unit
  /** Milliseconds of a window. */
  length: number | null
  now: number
}

const unknown = 'unknown'
const nothingRead = { windows: false, firings: false, deliveries: false }

export function factsOf(known: Known): Fact[] {
  const { alert, firings, windows, unit = 'number', reading = nothingRead, now } = known
  const newest = windows?.[0]
  const current = firings?.[0]?.to === null ? firings[0] : undefined
  const before = firings?.[current ? 1 : 0]
  return [
    ...(alert.state === 'ALERT' || current
      ? [
          {
            label: 'Firing since',
            value: current ? formatSpan(current, now) : unknownUnlessReading(reading.firings),
            tone: 'bad' as const,
          },
        ]
      : []),
    {
      label: newest?.groups ? 'Highest now' : 'Value now',
      value: newest ? valueNow(alert, newest, unit) : windows ? 'none yet' : unknownUnlessReading(reading.windows),
    },
    ...(newest?.groups ? [{ label: 'Groups firing', value: formatFiringGroups(newest) }] : []),
    { label: 'Messages sent', value: messagesSent(known) },
    { label: 'Last evaluated', value: lastEvaluated(known) },
    {
      label: current ? 'Fired before' : 'Last fired',
      value: firings ? (before ? formatSpan(before, now) : noneBefore(windows)) : unknownUnlessReading(reading.firings),
    },
  ]
}

/** Unknown, or null while it is still being read. */
const unknownUnlessReading = (isReading: boolean): string | null => (isReading ? null : unknown)

/** An alert without any window never fired. */
const noneBefore = (windows: Known['windows']) => (windows?.length === 0 ? 'never' : 'not in the known history')

/** "19:05, 20 min"; "before 18:05, over 1 h" if the begin is not known. */
function formatSpan({ from, to, earlier }: Firing, now: number): string {
  const [start, length] = [formatRecent(from, now), formatLength((to ?? now) - from)]
  return earlier ? `before ${start}, over ${length}` : `${start}, ${length}`
}

/** "43, 2.2 × threshold" */
function valueNow({ threshold, thresholdType }: Alert, { value, state, noRows }: EvaluatedWindow, unit: Unit): string {
  if (state === 'unread') return 'could not be read'
  if (value === null) return noRows ? 'none, no row matched' : unknown
  const rising = thresholdType === 'above' || thresholdType === 'above_exclusive'
  const ratio =
    rising && threshold > 0 && value >= threshold ? `, ${formatValue(value / threshold, 'number')} × threshold` : ''
  return `${formatValue(value, unit)}${ratio}${noRows ? ', no row matched' : ''}`
}

const week = 7 * 86_400_000

/** "4 in 7 days, 1 failed" */
function messagesSent({ deliveries, moreDeliveries, reading = nothingRead, now }: Known): string | null {
  if (!deliveries) return unknownUnlessReading(reading.deliveries)
  const recent = deliveries.filter(({ createdAt }) => now - Date.parse(createdAt) <= week)
  const countOf = (status: string) => recent.filter((attempt) => attempt.status === status).length
  const parts = [
    `${moreDeliveries && recent.length === deliveries.length ? 'at least ' : ''}${countOf('delivered')} in 7 days`,
    countOf('pending') > 0 && `${countOf('pending')} pending`,
    countOf('failed') > 0 && `${countOf('failed')} failed`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** "19:24, next at 19:25"; an evaluation that is late says so. */
function lastEvaluated({ alert, windows, recorded, length, reading = nothingRead, now }: Known): string | null {
  const newest = (recorded ?? windows)?.[0]
  if (!newest) return windows ? 'never' : unknownUnlessReading(reading.windows)
  const last = formatRecent(newest.end, now)
  if (alert.paused || alert.state === 'DISABLED') return `${last}, paused`
  if (length === null) return last
  const next = newest.end + length
  const late = now - next
  if (late > 2 * 60_000) return `${last}, next one late by ${formatLength(late)}`
  return `${last}, next at ${formatRecent(next, now)}`
}
