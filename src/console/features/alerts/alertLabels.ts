/** Labels of alerts. */
import { lastRunFailed, neverEvaluated } from '#console/references/alertStatus.ts'
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import { rangeThresholdTypes, thresholdLabels, type Alert } from '#contract/alerts.ts'

/** What needs attention first. Lists are in this order. */
const states: Record<string, { label: string; tone: ChipTone }> = {
  ALERT: { label: 'Firing', tone: 'bad' },
  PENDING: { label: 'Pending', tone: 'warn' },
  [lastRunFailed]: { label: 'Last run failed', tone: 'warn' },
  [neverEvaluated]: { label: 'Never evaluated', tone: 'warn' },
  INSUFFICIENT_DATA: { label: 'Not enough data', tone: 'neutral' },
  OK: { label: 'OK', tone: 'ok' },
  DISABLED: { label: 'Disabled', tone: 'neutral' },
}

/** An unknown state is shown unchanged. */
export function formatAlertState(state: string | undefined): { label: string; tone: ChipTone } {
  return states[state ?? ''] ?? { label: state ?? 'Unknown', tone: 'neutral' }
}

export const stateOptions = Object.entries(states).map(([value, { label }]) => ({ value, label }))

/** The place of a state in lists: an unknown one is before OK, so that it is seen. */
export function stateRank(state: string | undefined): number {
  const at = stateOptions.findIndex(({ value }) => value === state)
  return at === -1 ? stateOptions.findIndex(({ value }) => value === 'OK') - 0.5 : at
}

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
