/** Deliveries of alerts, and sending them again. */
import type { deliveryEndpoints, AlertDelivery } from '#contract/stack/alertDeliveries.ts'
import type { alerts } from '#contract/stack/alerts.ts'
import type { Handlers } from '#contract/wire/kernel.ts'
import { deliveryRows } from '../alerting/deliveryRows.ts'
import { notFound, Refusal } from '../refusal.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Notifications } from './notifier.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { newObjectId } from '#stack/ids.ts'
import { eventIdOf, repeatedKeyOf } from '#stack/alerting/eventKeys.ts'
import { insertEntry } from '#stack/alerting/outbox.ts'

interface DeliveryContext {
  store: Store
  notifications: Notifications
}
type DeliveryHandlers = Pick<Handlers<typeof alerts, DeliveryContext>, keyof typeof deliveryEndpoints>
type AlertOf = (queries: Queries, id: string) => Promise<AlertDocument | undefined>

/** The handlers for alerts that `alertOf` reads. */
export const deliveryHandlers = (alertOf: AlertOf): DeliveryHandlers => ({
  async deliveries({ params, query }, { store }) {
    if (!(await alertOf(store, params.alertId))) throw notFound('Alert')
    return deliveryRows.ofAlert(store, params.alertId, query)
  },

  async resend({ params }, { store, notifications }) {
    const delivery = await store.write(async (transaction) => {
      const alert = await alertOf(transaction, params.alertId)
      if (!alert) throw notFound('Alert')
      return resend(transaction, alert, params.deliveryId)
    })
    notifications.wake()
    return delivery
  },
})

/**
 * Sends a delivery once more on request. A failed delivery continues with its key, so that a receiver that got it
 * after all can ignore it. One that was delivered gets a new key and a record of its own.
 * @returns the delivery that is sent now
 */
async function resend(transaction: Queries, alert: AlertDocument, deliveryId: string): Promise<AlertDelivery> {
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
