/** The backtest of a form: one chart query for each watched query and interval, and none for another threshold. */
import { useDeferredValue, useMemo, useState } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { tooManyGroups, type TooManyGroups } from '#console/api/groupErrors.ts'
import { useWatchedWindows, type ReadWindows } from '#console/charting/watched/useWatchedWindows.ts'
import { useSettled } from '#console/ui/useSettled.ts'
import { rangeThresholdTypes } from '#contract/stack/alerts.ts'
import { backtest, type Backtest } from '#domain/alerting/backtest.ts'
import { backtestWarnings, type BacktestWarning } from '#domain/alerting/backtestWarnings.ts'
import type { AlertRule } from '#domain/alerting/evaluateWindow.ts'
import { sweep, type Sweep } from '#domain/alerting/sweep.ts'
import { type BacktestValues, isTyped } from './backtestFields.ts'

/** Milliseconds without typing after which a changed query is sent. */
const pause = 150
const day = 86_400_000

/** The range that is tried next if the groups have too many values. */
const shorterDays: Readonly<Record<number, number>> = { 30: 7, 7: 1 }

/** A range that was shortened because of too many groups. */
export interface ShortenedRange extends TooManyGroups {
  /** Days that were read instead. */
  days: number
}

/** The windows of the past for what the form watches. Too many groups shorten the range. */
export function useBacktestWindows(values: BacktestValues, days: number) {
  const connection = useConnection()
  const { source, dashboardId, tileId, savedSearchId, groupBy, interval } = values
  const { scheduleOffsetMinutes, scheduleStartAt } = values
  const typed = useMemo(
    () => ({
      source,
      dashboardId,
      tileId,
      savedSearchId,
      groupBy,
      interval,
      scheduleOffsetMinutes,
      scheduleStartAt,
    }),
    [source, dashboardId, tileId, savedSearchId, groupBy, interval, scheduleOffsetMinutes, scheduleStartAt],
  )
  // Waits only while somebody types: a value that was chosen or pasted is read at once.
  const [last, setLast] = useState({ typed, wait: 0 })
  const isNew = last.typed !== typed
  const wait = isNew ? (isTyped(last.typed, typed) ? pause : 0) : last.wait
  if (isNew) setLast({ typed, wait })
  const watching = useSettled(typed, wait)
  const [now, setNow] = useState(Date.now)
  const [tried, setTried] = useState<{ watching: typeof watching; days: number; range: ShortenedRange } | null>(null)
  const shortened = tried?.watching === watching && tried.days === days ? tried.range : null
  const readDays = shortened?.days ?? days
  const range = useMemo(() => ({ from: now - readDays * day, to: now }), [now, readDays])
  const state = useWatchedWindows({ connection, watching, schedule: watching, range })
  const tooMany = state.kind === 'failed' ? tooManyGroups(state.error) : null
  const shorter = shorterDays[readDays]
  if (tooMany && shorter !== undefined) setTried({ watching, days, range: { ...tooMany, days: shorter } })
  return { state, shortened, tooMany, refresh: () => setNow(Date.now()) }
}

export interface Replay {
  /** Null while the threshold is missing. */
  rule: AlertRule | null
  result: Backtest | null
}

/** Replays the windows with the condition of the form. */
export function useReplay(values: BacktestValues, { windows, grouped }: ReadWindows): Replay {
  const { threshold, thresholdType, thresholdMax, numConsecutiveWindows } = values
  const current = useMemo(
    () => ruleOf({ threshold, thresholdType, thresholdMax, numConsecutiveWindows }, grouped),
    [threshold, thresholdType, thresholdMax, numConsecutiveWindows, grouped],
  )
  // Typing and dragging come first: the replay follows.
  const rule = useDeferredValue(current)
  return useMemo(() => ({ rule, result: rule && backtest(rule, windows) }), [rule, windows])
}

/** The effect of other thresholds, and warnings before the alert is saved. */
export function useFindings(
  values: BacktestValues,
  { windows, grouped }: ReadWindows,
  { rule, result }: Replay,
): { sweep: Sweep | null; warnings: BacktestWarning[] } {
  const { thresholdType, numConsecutiveWindows, interval } = values
  const { scheduleOffsetMinutes, scheduleStartAt } = values
  // The sweep tries every threshold, so another one does not change it.
  const swept = useMemo(
    () => sweep({ alertId: '', grouped, threshold: 0, thresholdType, numConsecutiveWindows }, windows, grouped),
    [grouped, thresholdType, numConsecutiveWindows, windows],
  )
  const warnings = useMemo(() => {
    if (!rule || !result) return []
    const schedule = { interval, scheduleOffsetMinutes, scheduleStartAt }
    return backtestWarnings({ rule, schedule, windows, result, sweep: swept })
  }, [rule, result, windows, swept, interval, scheduleOffsetMinutes, scheduleStartAt])
  return { sweep: swept, warnings }
}

type Condition = Pick<BacktestValues, 'threshold' | 'thresholdType' | 'thresholdMax' | 'numConsecutiveWindows'>

function ruleOf(condition: Condition, grouped: boolean): AlertRule | null {
  const { threshold, thresholdType, thresholdMax, numConsecutiveWindows } = condition
  const isNumber = (value: number | null): value is number => value !== null && Number.isFinite(value)
  if (!isNumber(threshold)) return null
  if (rangeThresholdTypes.includes(thresholdType) && (!isNumber(thresholdMax) || thresholdMax < threshold)) return null
  if (numConsecutiveWindows !== null && !(Number.isInteger(numConsecutiveWindows) && numConsecutiveWindows >= 1))
    return null
  return { alertId: '', grouped, threshold, thresholdType, thresholdMax, numConsecutiveWindows }
}
