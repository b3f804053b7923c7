/** Webhooks as they are kept, and as they are answered: section 6 of the open-source reference. */
import type { z } from 'zod'
import type { Webhook, webhookInputStrict } from '#contract/webhooks.ts'
import { newObjectId } from '../ids.ts'
import { collection } from '../store/collection.ts'

export type WebhookInput = z.output<typeof webhookInputStrict>

/** A type alias, not an interface: only an alias fits the open records of the contract. */
export type WebhookDocument = WebhookInput & { id: string; createdAt: string; updatedAt: string }

export const webhookRows = collection<WebhookDocument>('webhooks')

/** What may leave the stack: headers and query parameters never do, a body for the generic service alone. */
export function answerOf(webhook: WebhookDocument): Webhook {
  const { headers: _, queryParams: __, body, ...shown } = webhook
  return shown.service === 'generic' && body !== undefined ? { ...shown, body } : shown
}

export function newWebhook(input: WebhookInput, now = new Date().toISOString()): WebhookDocument {
  return { id: newObjectId(), ...input, createdAt: now, updatedAt: now }
}

/**
 * What a PUT leaves: all is replaced, but headers and query parameters that it leaves out stay. They belong to an
 * address, so another address or service takes them away.
 */
export function changedWebhook(stored: WebhookDocument, input: WebhookInput): WebhookDocument {
  const { id, createdAt, headers, queryParams } = stored
  const same = stored.url === input.url && stored.service === input.service
  return {
    id,
    ...(same && headers && { headers }),
    ...(same && queryParams && { queryParams }),
    ...input,
    createdAt,
    updatedAt: laterThan(stored.updatedAt),
  }
}

/** Two changes within one millisecond still tell apart. */
function laterThan(moment: string): string {
  return new Date(Math.max(Date.now(), Date.parse(moment) + 1)).toISOString()
}
