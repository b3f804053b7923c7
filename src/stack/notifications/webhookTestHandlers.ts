/** Tries webhooks with a test notification. */
import type { z } from 'zod'
import type { Handlers } from '#contract/wire/kernel.ts'
import { webhookServices, type webhooks } from '#contract/stack/webhooks.ts'
import { webhookRows, type WebhookDocument } from '../documents/webhookRows.ts'
import type { AddressPolicy } from '../net/webhookAddress.ts'
import { notFound, refuse } from '../refusal.ts'
import type { Store } from '../store/store.ts'
import type { Notifications } from './notifier.ts'
import type { Receiver } from './webhookSender.ts'

interface TestContext {
  store: Store
  webhookAddresses: AddressPolicy
  notifications: Notifications
  signal: AbortSignal
}

type Trial = z.output<typeof webhooks.test.strictBody>

export const webhookTestHandlers: Pick<Handlers<typeof webhooks, TestContext>, 'test'> = {
  async test({ body }, { store, webhookAddresses, notifications, signal }) {
    const stored = body.webhookId === undefined ? undefined : await webhookRows.get(store, body.webhookId)
    if (body.webhookId !== undefined && !stored) throw notFound('Webhook')
    const receiver = receiverOf(body, stored)
    const problem = await webhookAddresses(receiver.url, receiver.service)
    if (problem !== null) throw refuse(problem)
    const { outcome, reason, retryAfter: _, ...answer } = await notifications.test(receiver, signal)
    return { message: reason, delivered: outcome === 'delivered', ...answer }
  },
}

function serviceOf(name: string): Receiver['service'] {
  const service = webhookServices.find((known) => known === name)
  if (!service) throw refuse(`service: must be one of ${webhookServices.join(', ')}`)
  return service
}

/** Masks that some clients send for values that they cannot read. */
const masks = /^(?:\*{4}|•{8})$/

/**
 * The webhook to try. Stored values replace omitted and masked ones, but secrets of a stored webhook are only sent to its
 * own URL.
 */
function receiverOf(trial: Trial, stored: WebhookDocument | undefined): Receiver {
  const url = trial.url === undefined || isMaskOf(trial.url, stored) ? stored?.url : trial.url
  const service = trial.service ?? stored?.service
  if (url === undefined) throw refuse('url: Required')
  if (service === undefined) throw refuse('service: Required')
  const same = stored?.url === url && stored.service === service ? stored : undefined
  return {
    service: serviceOf(service),
    url,
    ...bodyOf(trial, same),
    headers: filledIn(trial.headers, same?.headers),
    queryParams: filledIn(trial.queryParams, same?.queryParams),
  }
}

/** `<origin>/****` is the mask of a URL. */
function isMaskOf(url: string, stored: WebhookDocument | undefined): boolean {
  return stored !== undefined && url === `${new URL(stored.url).origin}/****`
}

/** null: without a body, which is the default of the service. */
function bodyOf({ body }: Trial, same: WebhookDocument | undefined): Pick<Receiver, 'body'> {
  if (body === null) return {}
  const used = body ?? same?.body
  return used === undefined ? {} : { body: used }
}

function filledIn(
  typed: Record<string, string> | undefined,
  stored: Record<string, string> = {},
): Record<string, string> {
  if (typed === undefined) return stored
  return Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [name, masks.test(value) ? (stored[name] ?? value) : value]),
  )
}
