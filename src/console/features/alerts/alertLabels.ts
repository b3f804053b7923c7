/** Labels of alerts. */
import { rangeThresholdTypes, thresholdLabels, type Alert } from '#contract/stack/alerts.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'

export const sourceOptions = [
  { value: 'tile', label: 'Dashboard tile' },
  { value: 'saved_search', label: 'Saved search' },
]

/** The kind of an alert's query; an unknown one is shown unchanged. */
export function formatAlertSource(source: string): string {
  return sourceOptions.find(({ value }) => value === source)?.label ?? source
}

const intervalUnits: Record<string, string> = { m: 'minute', h: 'hour', d: 'day' }

/** `5m` -> "5 minutes"; any other interval is shown unchanged. */
export function formatInterval(interval: string): string {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(interval) ?? []
  if (!count) return interval
  return `${count} ${intervalUnits[unit]}${count === '1' ? '' : 's'}`
}

/** The label of a threshold type; an unknown one is shown unchanged. */
export function thresholdWord(type: string): string {
  return Object.entries(thresholdLabels).find(([known]) => known === type)?.[1] ?? type
}

type Condition = Pick<
  Alert,
  'threshold' | 'thresholdMax' | 'thresholdType' | 'interval' | 'numConsecutiveWindows' | 'source'
>

/** "value at least 100 over 5m", "rows between 1 and 5 over 1h, 3 consecutive windows". */
export function formatCondition(alert: Condition, unit: Unit = 'number'): string {
  const { interval, source } = alert
  return `${source === 'saved_search' ? 'rows' : 'value'} ${formatThreshold(alert, unit)} over ${interval}${formatWindows(alert)}`
}

/** "value is at least 100 over 5 minutes", with the threshold in the unit of the values. */
export function conditionSentence(alert: Condition, unit: Unit = 'number'): string {
  const { interval, source } = alert
  const what = source === 'saved_search' ? 'number of rows' : 'value'
  return `${what} is ${formatThreshold(alert, unit)} over ${formatInterval(interval)}${formatWindows(alert)}`
}

function formatThreshold({ threshold, thresholdMax, thresholdType }: Condition, unit: Unit = 'number'): string {
  // Without a unit as it was entered, without separators.
  const text = (value: number) => (unit === 'number' ? String(value) : formatValue(value, unit))
  const to = rangeThresholdTypes.includes(thresholdType)
    ? ` and ${thresholdMax == null ? '?' : text(thresholdMax)}`
    : ''
  return `${thresholdWord(thresholdType)} ${text(threshold)}${to}`
}

function formatWindows({ numConsecutiveWindows }: Condition): string {
  return (numConsecutiveWindows ?? 1) > 1 ? `, ${numConsecutiveWindows} consecutive windows` : ''
}
