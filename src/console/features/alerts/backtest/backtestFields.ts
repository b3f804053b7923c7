/** The fields that the backtest reads and writes in the form of an alert. */
import { type PastSilence, readRecurrence } from '#domain/alerting/silence.ts'
import type { Alert } from '#contract/stack/alerts.ts'

export interface BacktestValues {
  source: string
  dashboardId: string
  tileId: string
  savedSearchId: string
  groupBy: string
  interval: string
  scheduleOffsetMinutes: number | null
  scheduleStartAt: string
  thresholdType: string
  threshold: number | null
  thresholdMax: number | null
  numConsecutiveWindows: number | null
}

export type NumberField = 'threshold' | 'thresholdMax' | 'numConsecutiveWindows'

export interface BacktestFields {
  values: BacktestValues
  /** The silences of the stored alert. */
  silences: readonly PastSilence[]
  setNumber: (field: NumberField, value: number) => void
  /** Windows begin at multiples of their length. */
  removeOffset: () => void
}

type Typed = Pick<BacktestValues, 'groupBy' | 'scheduleOffsetMinutes' | 'scheduleStartAt'>

/** Whether the change of a form is one key in a text field: typing, which is likely to go on. */
export function isTyped(before: Typed, now: Typed): boolean {
  return (
    isOneKey(before.groupBy, now.groupBy) ||
    before.scheduleOffsetMinutes !== now.scheduleOffsetMinutes ||
    before.scheduleStartAt !== now.scheduleStartAt
  )
}

/** Whether one character was added or removed. */
function isOneKey(before: string, now: string): boolean {
  const [short, long] = before.length < now.length ? [before, now] : [now, before]
  if (long.length - short.length !== 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  return short.slice(at) === long.slice(at + 1)
}

/** The silences of an alert, as the backtest compares them with the past. */
export function pastSilences(alert: Pick<Alert, 'silenced' | 'silencedGroups'> | undefined): PastSilence[] {
  const { silenced, silencedGroups } = alert ?? {}
  const all = [...(silenced ? [{ ...silenced, group: null }] : []), ...(silencedGroups ?? [])]
  // Without its start, it is not known which firings are inside.
  return all.flatMap(({ group, at, until, recurring }): PastSilence[] => {
    if (at === undefined) return []
    return [
      {
        group,
        from: Date.parse(at),
        until: until === undefined ? Infinity : Date.parse(until),
        ...(recurring && { recurring: readRecurrence(recurring) }),
      },
    ]
  })
}
