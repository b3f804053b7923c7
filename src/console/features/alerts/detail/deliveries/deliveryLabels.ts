/** Texts of deliveries. */
import type { AlertDelivery } from '#contract/stack/alertDeliveries.ts'
import type { Webhook } from '#contract/stack/webhooks.ts'
import { receiverName } from '#domain/alerting/receivers/receiverKinds.ts'
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import { counted } from '#domain/text/words.ts'
import { formatValue } from '#domain/charts/units.ts'

/** The receiver by its name: of the webhook as it is now, or as much as the delivery says about it. */
export function formatReceiver({ service = '', url }: AlertDelivery, webhook: Webhook | undefined): string {
  return receiverName(webhook ?? { service, url })
}

/** "Fired, service:checkout", "Resolved, 24 groups" */
export function formatDeliveredEvent({ state, groupKey, groups }: AlertDelivery): string {
  const what = state === 'ALERT' ? 'Fired' : state === 'OK' ? 'Resolved' : state
  return [what, groupKey, groups !== undefined && counted(groups, 'group')].filter(Boolean).join(', ')
}

/** "3 attempts, 6.4 s"; from the creation to the end of the delivery. */
export function formatDeliveryEffort({ attemptCount, createdAt, finishedAt, attempts }: AlertDelivery): string {
  const count = attemptCount === 0 ? 'not sent yet' : counted(attemptCount, 'attempt')
  const only = attemptCount === 1 ? attempts.at(-1)?.duration : undefined
  const length = only ?? (finishedAt ? Date.parse(finishedAt) - Date.parse(createdAt) : undefined)
  if (length === undefined) return count
  return `${count}, ${length < 1 ? 'under 1 ms' : formatValue(Math.round(length), 'ms')}`
}

export interface AttemptChip {
  text: string
  tone: ChipTone
  /** The outcome, in a sentence. */
  reason: string
}

/** The newest attempts: the status of the receiver, or that it did not answer. */
export function attemptChips({ attempts, status }: AlertDelivery): AttemptChip[] {
  return attempts.slice(-3).map((attempt, at, all) => ({
    text: attempt.status === undefined ? 'No answer' : String(attempt.status),
    tone: isDelivered(attempt.status) ? 'ok' : at === all.length - 1 && status === 'failed' ? 'bad' : 'warn',
    reason: attempt.reason,
  }))
}

const isDelivered = (status: number | undefined) => status !== undefined && status >= 200 && status < 300

const statuses: Record<string, { label: string; tone: ChipTone }> = {
  pending: { label: 'Pending', tone: 'warn' },
  delivered: { label: 'Delivered', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
}

/** An unknown status is shown unchanged. */
export const deliveryStatus = (status: string): { label: string; tone: ChipTone } =>
  statuses[status] ?? { label: status, tone: 'neutral' }

/** The last answer of a receiver that did not accept the message, or what happened instead. */
export function deliveryProblem({ status, attempts }: AlertDelivery): string | null {
  const last = attempts.at(-1)
  if (status === 'delivered' || !last) return null
  return last.answer ? `${last.reason} Answer: ${last.answer}` : last.reason
}
