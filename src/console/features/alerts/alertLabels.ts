/** Labels of alerts. */
import { rangeThresholdTypes, thresholdLabels, type Alert } from '#contract/alerts.ts'

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
export function formatCondition(alert: Condition): string {
  const { interval, source } = alert
  return `${source === 'saved_search' ? 'rows' : 'value'} ${formatThreshold(alert)} over ${interval}${formatWindows(alert)}`
}

/** "value is at least 100 over 5 minutes". */
export function conditionSentence(alert: Condition): string {
  const { interval, source } = alert
  const what = source === 'saved_search' ? 'number of rows' : 'value'
  return `${what} is ${formatThreshold(alert)} over ${formatInterval(interval)}${formatWindows(alert)}`
}

function formatThreshold({ threshold, thresholdMax, thresholdType }: Condition): string {
  const to = rangeThresholdTypes.includes(thresholdType) ? ` and ${thresholdMax ?? '?'}` : ''
  return `${thresholdWord(thresholdType)} ${threshold}${to}`
}

function formatWindows({ numConsecutiveWindows }: Condition): string {
  return (numConsecutiveWindows ?? 1) > 1 ? `, ${numConsecutiveWindows} consecutive windows` : ''
}
