/** Sends the message of an alert to its channels to test them. Nothing is stored, and nothing is tried again. */
import { channelsOf } from '#contract/stack/alerts.ts'
import type { AlertTestResult } from '#contract/stack/alertTests.ts'
import type { NotifiedEvent } from '#domain/alerting/notification/notified.ts'
import type { Notification } from '#domain/alerting/notification/renderNotification.ts'
import { RendererBusy } from '#node/notifications/renderer.ts'
import { receiverKindOf } from '#domain/alerting/receivers/receiverKinds.ts'
import { eventIdOf, idempotencyKeyOf } from '../alerting/eventKeys.ts'
import type { SendResult } from '../alerting/deliveryRows.ts'
import { shownUrl } from '../alerting/shownWebhook.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { webhookRows, type WebhookDocument } from '../documents/webhookRows.ts'
import { newObjectId } from '../ids.ts'
import type { Store } from '../store/store.ts'
import { mentioned } from './mentionedWebhooks.ts'
import type { Receiver, SendWebhook } from './webhookSender.ts'

/** The notification for one webhook. */
export interface TestEntry {
  alert: AlertDocument
  event: NotifiedEvent
  eventId: string
}

interface TestDependencies {
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
  parts: TestDependencies,
  alert: AlertDocument,
  event: NotifiedEvent,
  signal: AbortSignal,
): Promise<TestedNotification> {
  const all = await webhookRows.all(parts.store)
  const ids = channelsOf(alert).map(({ webhookId = '' }) => webhookId)
  const configured = ids.map((id) => all.find((webhook) => webhook.id === id) ?? { id })
  // A random alert ID, so that the test's event key never matches a real alert and closes its incident.
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
  const sending: Promise<Delivery>[] = []
  for (const webhook of [...webhooks.values()].slice(0, maxWebhooks)) {
    // One after another: few notifications may wait to be rendered, and others test too.
    const prepared = await prepare(webhook)
    sending.push(deliver(webhook, prepared))
  }
  const deliveries = await Promise.all(sending)
  const { title, message: body, link, problems } = shown
  return { message: { title, body, link, problems }, deliveries }

  /** All that is sent to a webhook, so that nothing is left to fail once an incident is open; or why nothing is sent. */
  async function prepare(webhook: WebhookDocument | { id: string }): Promise<Prepared | string> {
    if (!('url' in webhook)) return 'This webhook does not exist. It may have been deleted.'
    try {
      const first = await requestOf(webhook, event.state)
      if (typeof first === 'string' || !withIncidents.includes(receiverKindOf(webhook))) {
        return typeof first === 'string' ? first : { first, webhook }
      }
      const end = await requestOf(webhook, 'OK')
      if (typeof end === 'string') return `The event that ends the incident of the test cannot be rendered. ${end}`
      return { first, end, webhook }
    } catch (error) {
      return error instanceof RendererBusy ? error.message : 'The message could not be rendered.'
    }
  }

  async function requestOf(webhook: WebhookDocument, state: NotifiedEvent['state']): Promise<Request | string> {
    const entry = entryOf(webhook.id, state)
    const { payload, problems } = await parts.render(entry, webhook)
    return payload === null ? problems.join(' ') : { payload, key: idempotencyKeyOf(entry.eventId, entry.event) }
  }

  async function deliver({ id, ...webhook }: { id: string } & Partial<WebhookDocument>, prepared: Prepared | string) {
    const { name, service, url } = webhook
    const shownFields = {
      webhookId: id,
      ...(name !== undefined && { webhookName: name }),
      ...(service !== undefined && { service }),
      ...(url !== undefined && { url: shownUrl(url) }),
    }
    if (typeof prepared === 'string') return { ...shownFields, delivered: false, reason: prepared }
    const sent = await send(prepared.webhook, prepared.first, signal)
    // A receiver that did not answer may have opened its incident too. Whoever ends the test early must not keep it open.
    const mayBeOpen = sent.delivered || sent.status === undefined
    const ended = prepared.end && mayBeOpen ? await send(prepared.webhook, prepared.end) : undefined
    return { ...shownFields, ...sent, ...(ended && sent.delivered && { resolved: ended.delivered }) }
  }

  async function send(webhook: WebhookDocument, { payload, key }: Request, until?: AbortSignal): Promise<Sent> {
    try {
      const { outcome, retryAfter: _, ...answer } = await parts.send(webhook, payload, key, until)
      return { delivered: outcome === 'delivered', ...answer }
    } catch {
      return { delivered: false, reason: 'The message could not be sent.' }
    }
  }
}

interface Request {
  payload: string
  key: string
}

/** `end` ends the incident that the first request opens. */
interface Prepared {
  webhook: WebhookDocument
  first: Request
  end?: Request
}

const generic = { service: 'generic' } as const
