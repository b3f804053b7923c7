/** Deliveries of alerts, sending them again, and previews of their notifications. */
import type { deliveryEndpoints } from '#contract/alertDeliveries.ts'
import type { alerts } from '#contract/alerts.ts'
import type { Handlers } from '#contract/kernel.ts'
import type { NotifiedEvent } from '#domain/alerting/notification/notified.ts'
import { resend } from '../alerting/resend.ts'
import { deliveryRows } from '../alerting/deliveryRows.ts'
import { watchedOf } from './watched.ts'
import { answerOf, webhookRows } from '../documents/webhookRows.ts'
import { notFound } from '../refusal.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import type { Identity } from '../store/identity.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Notifications } from './notifier.ts'

interface DeliveryContext {
  store: Store
  identity: Identity
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

  async preview({ body }, { store, identity, notifications }) {
    const { state, group, webhookId } = body
    const webhook = webhookId === undefined ? undefined : await webhookRows.get(store, webhookId)
    if (webhookId !== undefined && !webhook) throw notFound('Webhook')
    const alert = { ...body.alert, id: body.alert.id ?? 'new', teamId: identity.teamId }
    const end = Math.floor(Date.now() / 60_000) * 60_000
    const event: NotifiedEvent = {
      alertId: alert.id,
      state,
      groupKey: Object.entries(group ?? {})
        .map((pair) => pair.join(':'))
        .join(', '),
      group: group ?? null,
      value: body.value ?? alert.threshold,
      start: end - 60_000,
      end,
    }
    const { service, body: template } = webhook ? answerOf(webhook) : { service: 'generic', body: undefined }
    const watched = await watchedOf(store, alert)
    const rendered = await notifications.preview({
      alert,
      event,
      watched,
      eventId: 'preview-event-id',
      service,
      body: template,
    })
    const { title, message, link, problems } = rendered
    // The body of an incident.io webhook is never returned.
    const isShown = service !== 'incidentio'
    return { title, message, link, payload: isShown ? rendered.payload : null, problems }
  },
})
