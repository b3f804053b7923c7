/** Sends a delivery once more on request. */
import type { AlertDelivery } from '#contract/stack/alertDeliveries.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { newObjectId } from '../ids.ts'
import { notFound, Refusal } from '../refusal.ts'
import type { Queries } from '../store/store.ts'
import { deliveryRows } from './deliveryRows.ts'
import { eventIdOf, repeatedKeyOf } from './eventKeys.ts'
import { insertEntry } from './outbox.ts'

/**
 * A failed delivery continues with its key, so that a receiver that got it after all can ignore it. One that was delivered
 * gets a new key and a record of its own.
 * @returns the delivery that is sent now
 */
export async function resend(transaction: Queries, alert: AlertDocument, deliveryId: string): Promise<AlertDelivery> {
  const stored = await deliveryRows.get(transaction, deliveryId)
  if (!stored || stored.delivery.alertId !== alert.id) throw notFound('Delivery')
  const { status, webhookId = '', service } = stored.delivery
  if (status === 'pending')
    throw new Refusal(409, 'This delivery has not ended. It is sent without a request to send it again.')
  if (service === undefined) throw new Refusal(409, 'This delivery has no webhook, so it cannot be sent again.')
  const now = currentTime()
  const { finishedAt: _, ...ended } = stored.delivery
  const pending: AlertDelivery = { ...ended, status: 'pending' }
  const isNew = status === 'delivered'
  const id = isNew ? newObjectId() : deliveryId
  const delivery = isNew
    ? { ...pending, id, attempts: [], attemptCount: 0, createdAt: new Date(now).toISOString() }
    : pending
  const idempotencyKey = isNew ? repeatedKeyOf(stored.idempotencyKey, id) : stored.idempotencyKey
  if (isNew) await deliveryRows.insert(transaction, delivery, { event: stored.event, idempotencyKey })
  else await deliveryRows.update(transaction, delivery)
  await insertEntry(transaction, {
    idempotencyKey,
    eventId: eventIdOf(webhookId, stored.event),
    target: { deliveryId: id, webhookId },
    alert,
    event: stored.event,
    createdAt: now,
  })
  return delivery
}
