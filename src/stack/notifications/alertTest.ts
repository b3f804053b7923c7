/** Sends the message of an alert to its channels to test them. Nothing is stored, and nothing is tried again. */
import { channelsOf } from '#contract/alerts.ts'
import type { AlertTestResult } from '#contract/alertTests.ts'
import type { NotifiedEvent } from '#domain/alerting/notification/notified.ts'
import type { Notification } from '#domain/alerting/notification/renderNotification.ts'
import { receiverKindOf } from '#domain/alerting/receivers/receiverKinds.ts'
import { eventIdOf, idempotencyKeyOf } from '../alerting/eventKeys.ts'
import type { SendResult } from '../alerting/deliveryRows.ts'
import { shownUrl } from '../alerting/shownAnswer.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { webhookRows, type WebhookDocument } from '../documents/webhookRows.ts'
import { newObjectId } from '../ids.ts'
import type { Store } from '../store/store.ts'
import { mentioned } from './mentionedWebhooks.ts'
import type { Receiver, SendWebhook } from './webhookSender.ts'

/** What is rendered for one webhook. */
export interface TestEntry {
  alert: AlertDocument
  event: NotifiedEvent
  eventId: string
}

interface TestParts {
  store: Store
  render: (entry: TestEntry, webhook: Pick<Receiver, 'service' | 'body'>) => Promise<Notification>
  send: SendWebhook
}

type Delivery = NonNullable<AlertTestResult['deliveries']>[number]
type Sent = { delivered: boolean } & Pick<SendResult, 'reason' | 'status' | 'answer'> & { duration?: number }
export type TestedNotification = Required<Pick<AlertTestResult, 'deliveries'>> & Pick<AlertTestResult, 'message'>

/** Webhooks that one test may notify: those of the alert, and those that its message mentions. */
const maxWebhooks = 20
/** Receivers that open an incident when an alert fires. It would stay open after a test. */
const withIncidents: readonly unknown[] = ['pagerduty', 'incidentio']

export async function testNotification(
  parts: TestParts,
  alert: AlertDocument,
  event: NotifiedEvent,
  signal: AbortSignal,
): Promise<TestedNotification> {
  const all = await webhookRows.all(parts.store)
  const ids = channelsOf(alert).map(({ webhookId = '' }) => webhookId)
  const configured = ids.map((id) => all.find((webhook) => webhook.id === id) ?? { id })
  // As unlike the event of a firing as that of any other alert: a receiver must not close an incident because of a test.
  const alertId = newObjectId()
  const entryOf = (id: string, state: NotifiedEvent['state']): TestEntry => ({
    alert,
    event: { ...event, state },
    eventId: eventIdOf(id, { ...event, alertId }),
  })
  const [first] = configured
  const shown = await parts.render(entryOf(first?.id ?? '', event.state), first && 'url' in first ? first : generic)
  const others = shown.mentions.flatMap((mention) => mentioned(mention, all) ?? [])
  const webhooks = new Map([...configured, ...others].map((webhook) => [webhook.id, webhook]))
  const deliveries = await Promise.all(
    [...webhooks.values()].slice(0, maxWebhooks).map((webhook) => deliver(webhook, entryOf(webhook.id, event.state))),
  )
  const { title, message: body, link, problems } = shown
  return { message: { title, body, link, problems }, deliveries }

  async function deliver(webhook: WebhookDocument | { id: string }, entry: TestEntry): Promise<Delivery> {
    if (!('url' in webhook)) {
      return {
        webhookId: webhook.id,
        delivered: false,
        reason: 'This webhook does not exist. It may have been deleted.',
      }
    }
    const sent = await sendEntry(webhook, entry)
    const isOpen = sent.delivered && withIncidents.includes(receiverKindOf(webhook))
    const resolved = isOpen && (await sendEntry(webhook, entryOf(webhook.id, 'OK'))).delivered
    return {
      webhookId: webhook.id,
      webhookName: webhook.name,
      service: webhook.service,
      url: shownUrl(webhook.url),
      ...sent,
      ...(isOpen && { resolved }),
    }
  }

  async function sendEntry(webhook: WebhookDocument, entry: TestEntry): Promise<Sent> {
    const { payload, problems } = await parts.render(entry, webhook)
    if (payload === null) return { delivered: false, reason: problems.join(' ') }
    const key = idempotencyKeyOf(entry.eventId, entry.event)
    const { outcome, retryAfter: _, ...answer } = await parts.send(webhook, payload, key, signal)
    return { delivered: outcome === 'delivered', ...answer }
  }
}

const generic = { service: 'generic' } as const
