/** Webhooks as they are stored and returned: docs/DEPLOYMENTS.md#webhooks. */
import { z } from 'zod'
import type { Webhook, webhookInputStrict } from '#contract/stack/webhooks.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { newObjectId } from '../ids.ts'
import { readableRows } from '#node/database/damagedRows.ts'
import { collection } from '../store/collection.ts'
import type { Limit } from '../store/requireRoom.ts'
import type { Queries } from '../store/store.ts'

export type WebhookInput = z.output<typeof webhookInputStrict>

/** A type alias, because an interface does not fit the loose schemas of the contract. */
export type WebhookDocument = WebhookInput & { id: string; createdAt: string; updatedAt: string }

export const webhookRows = collection<WebhookDocument>('webhooks')

export const webhookLimit: Limit = {
  rows: webhookRows,
  most: 1000,
  owner: 'A stack',
  records: 'webhooks',
  remedy: 'Delete one first',
}

/** Whether another webhook than `except` has this name and service. Reads no secrets, which takes long for thousands of webhooks. */
export async function isNameTaken(
  queries: Queries,
  { name, service }: Pick<WebhookInput, 'name' | 'service'>,
  except = '',
): Promise<boolean> {
  const others = await queries.rows('SELECT id, document FROM webhooks WHERE id <> ?', [except])
  const names = readableRows('webhooks', others, ['id'], ({ document }) =>
    storedName.parse(JSON.parse(String(document))),
  )
  return names.some((stored) => stored.name === name && stored.service === service)
}

const storedName = z.object({ name: z.string(), service: z.string() })

/** The fields in responses: never headers and query parameters, and a body only for the generic service. */
export function answerOf(webhook: WebhookDocument): Webhook {
  const { headers: _, queryParams: __, body, ...shown } = webhook
  return shown.service === 'generic' && body !== undefined ? { ...shown, body } : shown
}

export function newWebhook(input: WebhookInput, now = currentIsoTime()): WebhookDocument {
  return { id: newObjectId(), ...input, createdAt: now, updatedAt: now }
}

/**
 * The webhook after a PUT. Everything is replaced, except headers and query parameters that are left out. These belong to
 * a URL, so another URL or service removes them.
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

/** Later than the previous change, even within one millisecond. */
function laterThan(moment: string): string {
  return new Date(Math.max(currentTime(), Date.parse(moment) + 1)).toISOString()
}
