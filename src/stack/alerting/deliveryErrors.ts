/** Failed deliveries in the `executionErrors` of their alert: docs/DEPLOYMENTS.md#alert-evaluation. */
import type { AlertDelivery } from '#contract/stack/alertDeliveries.ts'
import { undefinedIfDamaged } from '#node/database/damagedRows.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { alertRows } from '../documents/alertRows.ts'
import type { Queries } from '../store/store.ts'

/** The most failed deliveries that are reported, newest first. */
const maxErrors = 20
const type = 'WEBHOOK_ERROR'

type Finished = Pick<AlertDelivery, 'alertId' | 'webhookId' | 'webhookName' | 'status' | 'attempts'>

/**
 * Sets or clears the error of a webhook after a delivery to it ended. An alert has at most one for each webhook. Call it in
 * the transaction that records the delivery. An alert that cannot be read has no errors.
 */
export async function recordDeliveryError(transaction: Queries, delivery: Finished, now: number): Promise<void> {
  if (delivery.status === 'pending') return
  const alert = await alertRows.get(transaction, delivery.alertId).catch(undefinedIfDamaged)
  const before = alert?.executionErrors ?? []
  // Most deliveries succeed, and most alerts have no error to clear.
  if (!alert || (delivery.status === 'delivered' && !before.some((error) => error.type === type))) return
  const executionErrors = errorsAfter(before, delivery, now)
  if (executionErrors.length === before.length && delivery.status === 'delivered') return
  await alertRows.update(transaction, { ...alert, executionErrors })
}

type ExecutionErrors = NonNullable<AlertDocument['executionErrors']>

function errorsAfter(before: ExecutionErrors, delivery: Finished, now: number): ExecutionErrors {
  const subject = `webhook "${delivery.webhookName ?? delivery.webhookId ?? 'unknown'}"`
  const others = before.filter(
    (error) => error.type !== type || !error.message.startsWith(`The notification to ${subject} `),
  )
  if (delivery.status === 'delivered') return others
  const reason = delivery.attempts.at(-1)?.reason ?? ''
  const message = `The notification to ${subject} was not delivered. ${reason}`.trim()
  const own = others.filter((other) => other.type === type)
  const dropped = own.slice(0, Math.max(0, own.length + 1 - maxErrors))
  return [
    ...others.filter((other) => !dropped.includes(other)),
    { timestamp: new Date(now).toISOString(), type, message },
  ]
}
