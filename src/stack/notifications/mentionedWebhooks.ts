/** The webhooks that the message of an alert mentions: each gets a delivery of its own. */
import type { Mention } from '#domain/alerting/notification/mentions.ts'
import { recordDeliveryError } from '../alerting/deliveryErrors.ts'
import { deliveryRows, withAttempt } from '../alerting/deliveryRows.ts'
import { closeEntry, enqueueFor, type OutboxEntry } from '../alerting/outbox.ts'
import { webhookRows, type WebhookDocument } from '../documents/webhookRows.ts'
import type { Queries } from '../store/store.ts'

/** Webhooks that one message may mention. */
const maxMentions = 20

/** Replaces an entry without a target by one for each webhook that its message mentions. */
export async function expandMentions(
  transaction: Queries,
  entry: OutboxEntry,
  mentions: readonly Mention[],
  now: number,
): Promise<void> {
  await closeEntry(transaction, entry)
  const all = await webhookRows.all(transaction)
  for (const mention of mentions.slice(0, maxMentions)) {
    const webhook = mentioned(mention, all)
    if (webhook) await enqueueFor(transaction, entry.alert, entry.event, webhook.id, now)
    else {
      const reason = `which is no webhook. Use @webhook- and the beginning of a webhook's name.`
      await recordUnknown(transaction, entry, mention, reason, now)
    }
  }
  const [left] = mentions.slice(maxMentions)
  if (left) {
    const reason = `which is not sent: a message notifies at most ${maxMentions} mentions, and this one has ${mentions.length}.`
    await recordUnknown(transaction, entry, left, reason, now)
  }
}

/** The webhook with this id, or the first one whose name begins like this. */
export function mentioned({ type, target }: Mention, all: readonly WebhookDocument[]): WebhookDocument | undefined {
  if (type !== 'webhook' || target === '') return undefined
  return all.find(({ id }) => id === target) ?? all.find(({ name }) => name.startsWith(target))
}

function recordUnknown(
  transaction: Queries,
  entry: OutboxEntry,
  { type, target }: Mention,
  reason: string,
  now: number,
): Promise<void> {
  const name = target === '' ? type : `${type}-${target}`
  return recordUndelivered(transaction, entry, name, `The message mentions @${name}, ${reason}`, now)
}

/**
 * Records a failed delivery for a mention to which nothing is sent, so that somebody sees it.
 * @param name of the mention, without its `@`
 */
export async function recordUndelivered(
  transaction: Queries,
  entry: OutboxEntry,
  name: string,
  reason: string,
  now: number,
): Promise<void> {
  const id = await enqueueFor(transaction, entry.alert, entry.event, `@${name}`, now)
  const stored = id === null ? undefined : await deliveryRows.get(transaction, id)
  if (!stored) return
  await closeEntry(transaction, { ...entry, idempotencyKey: stored.idempotencyKey })
  const result = { outcome: 'failed', reason, duration: 0 } as const
  const delivery = withAttempt(stored.delivery, { id: `@${name}` }, result, { now, nextAttempt: null })
  await deliveryRows.update(transaction, delivery)
  await recordDeliveryError(transaction, delivery, now)
}
