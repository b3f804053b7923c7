/** Labels and order of the states of alerts. */
import { lastRunFailed, neverEvaluated } from '#console/usages/alertStatus.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import { visibleText, visibleSentence } from '#domain/text/visibleText.ts'
import type { ChipTone } from '#console/ui/StatusChip.tsx'

/** States by urgency. Lists are in this order. */
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

/** "Pending 2 of 3" where the deployment counts the windows; otherwise the label of the state. */
export function formatPending({ pendingWindows, numConsecutiveWindows }: Alert): string {
  const { label } = formatAlertState('PENDING')
  if (!pendingWindows || !numConsecutiveWindows || numConsecutiveWindows < 2) return label
  return `${label} ${pendingWindows} of ${numConsecutiveWindows}`
}

export const stateOptions = Object.entries(states).map(([value, { label }]) => ({ value, label }))

/** The place of a state in lists: an unknown one is before OK, so that it is seen. */
export function stateRank(state: string | undefined): number {
  const at = stateOptions.findIndex(({ value }) => value === state)
  return at === -1 ? stateOptions.findIndex(({ value }) => value === 'OK') - 0.5 : at
}

/** The silence of the whole alert, or of one group; undefined without one, or when it has ended. */
export function silenceOf({ silenced, silencedGroups }: Alert, group: string | undefined, now: number) {
  const silence =
    group === undefined ? silenced : silencedGroups?.find((silencedGroup) => silencedGroup.group === group)
  return silence && (silence.until === undefined || Date.parse(silence.until) > now) ? silence : undefined
}

/** "Acknowledged by Ada: looking into it"; empty if nobody did. */
export function formatAcknowledged({ acknowledged }: Pick<Alert, 'acknowledged'>): string {
  if (!acknowledged) return ''
  const { by, note } = acknowledged
  return `Acknowledged${by ? ` by ${visibleText(by)}` : ''}${note ? `: ${visibleSentence(note)}` : ''}`
}
