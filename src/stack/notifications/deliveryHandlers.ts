/** Deliveries of alerts, and sending them again. */
import type { deliveryEndpoints } from '#contract/stack/alertDeliveries.ts'
import type { alerts } from '#contract/stack/alerts.ts'
import type { Handlers } from '#contract/wire/kernel.ts'
import { resend } from '../alerting/resend.ts'
import { deliveryRows } from '../alerting/deliveryRows.ts'
import { notFound } from '../refusal.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Notifications } from './notifier.ts'

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
