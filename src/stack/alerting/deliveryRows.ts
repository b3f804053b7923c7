/** Deliveries as they are stored: the record of what was sent, for each event and webhook, without what may be secret. */
import type { AlertDelivery } from '#contract/stack/alertDeliveries.ts'
import type { NotifiedEvent } from '#domain/alerting/notification/notified.ts'
import type { WebhookDocument } from '../documents/webhookRows.ts'
import { newObjectId } from '../ids.ts'
import { shownUrl } from './shownWebhook.ts'
import type { Row } from '#node/database/statements.ts'
import { readRow } from '#node/database/damagedRows.ts'
import { documentOf, documentsOf } from '../store/collection.ts'
import type { Queries } from '../store/store.ts'

/** Attempts that a delivery keeps. */
const maxAttempts = 20
/** Days that deliveries are kept. */
const keptDays = 30

/** The result of one request to a webhook. */
export interface SendResult {
  /** `retry`: a later attempt may succeed. */
  outcome: 'delivered' | 'retry' | 'failed'
  /** The outcome, in a sentence. */
  reason: string
  /** The HTTP status of the receiver, if it answered. */
  status?: number
  /** The beginning of the receiver's answer, without the webhook's secrets. */
  answer?: string
  /** Milliseconds after which the receiver wants the next request. */
  retryAfter?: number
  /** Milliseconds. */
  duration: number
}

export function newDelivery(
  event: NotifiedEvent,
  webhook: WebhookDocument | { id: string },
  now: number,
): AlertDelivery {
  return {
    id: newObjectId(),
    alertId: event.alertId,
    webhookId: webhook.id,
    ...describe(webhook),
    state: event.state,
    ...(event.groupKey && { groupKey: event.groupKey }),
    ...(event.groups && { groups: event.groupCount ?? event.groups.length }),
    ...(Number.isFinite(event.value) && { value: event.value }),
    start: event.start,
    end: event.end,
    status: 'pending',
    attempts: [],
    attemptCount: 0,
    createdAt: new Date(now).toISOString(),
  }
}

/** The webhook as it was used. */
function describe(webhook: WebhookDocument | { id: string }): Partial<AlertDelivery> {
  if (!('url' in webhook)) return {}
  return { webhookName: webhook.name, service: webhook.service, url: shownUrl(webhook.url) }
}

/** The delivery after an attempt. `nextAttempt` is the time of the next one in epoch milliseconds; null if this was the last. */
export function withAttempt(
  delivery: AlertDelivery,
  webhook: WebhookDocument | { id: string },
  result: SendResult,
  { title, now, nextAttempt }: { title?: string | undefined; now: number; nextAttempt: number | null },
): AlertDelivery {
  const { outcome, retryAfter: _, ...attempt } = result
  const { nextAttemptAt: __, finishedAt: ___, ...rest } = delivery
  return {
    ...rest,
    ...describe(webhook),
    ...(title !== undefined && { title: title.slice(0, 200) }),
    status: outcome === 'delivered' ? 'delivered' : nextAttempt === null ? 'failed' : 'pending',
    attempts: [...delivery.attempts, { at: new Date(now).toISOString(), ...attempt }].slice(-maxAttempts),
    attemptCount: delivery.attemptCount + 1,
    ...(nextAttempt === null
      ? { finishedAt: new Date(now).toISOString() }
      : { nextAttemptAt: new Date(nextAttempt).toISOString() }),
  }
}

const table = 'alert_deliveries'

interface StoredDelivery {
  delivery: AlertDelivery
  event: NotifiedEvent
  idempotencyKey: string
}

export const deliveryRows = {
  /** @returns whether the key was new */
  async insert(
    queries: Queries,
    delivery: AlertDelivery,
    { event, idempotencyKey }: { event: NotifiedEvent; idempotencyKey: string },
  ): Promise<boolean> {
    const count = await queries.run(
      `INSERT INTO alert_deliveries (id, idempotency_key, alert_id, state, group_key, event, created_at, document)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (idempotency_key) DO NOTHING`,
      [
        delivery.id,
        idempotencyKey,
        delivery.alertId,
        delivery.state,
        delivery.groupKey ?? null,
        JSON.stringify(event),
        Date.parse(delivery.createdAt),
        JSON.stringify(delivery),
      ],
    )
    return count > 0
  },

  async update(queries: Queries, delivery: AlertDelivery): Promise<void> {
    await queries.run('UPDATE alert_deliveries SET document = ? WHERE id = ?', [JSON.stringify(delivery), delivery.id])
  },

  /** @throws DamagedRow */
  async get(queries: Queries, id: string): Promise<StoredDelivery | undefined> {
    const [row] = await queries.rows('SELECT id, document, event, idempotency_key FROM alert_deliveries WHERE id = ?', [
      id,
    ])
    return row && readRow(table, id, () => storedOf(row))
  },

  /** Newest first, without damaged ones. */
  async ofAlert(
    queries: Queries,
    alertId: string,
    { limit, before }: { limit: number; before?: string | undefined },
  ): Promise<AlertDelivery[]> {
    const older = before === undefined ? '' : 'AND seq < (SELECT seq FROM alert_deliveries WHERE id = ?)'
    const rows = await queries.rows(
      `SELECT id, document FROM alert_deliveries WHERE alert_id = ? ${older} ORDER BY seq DESC LIMIT ?`,
      [alertId, ...(before === undefined ? [] : [before]), limit],
    )
    return documentsOf<AlertDelivery>(table, rows)
  },

  /** The groups of an alert whose firing was announced one by one, and not their end. */
  async openGroups(queries: Queries, alertId: string): Promise<Set<string>> {
    const last = (state: string) => `max(CASE WHEN state = '${state}' THEN seq ELSE 0 END)`
    const rows = await queries.rows(
      `SELECT group_key FROM alert_deliveries WHERE alert_id = ? AND group_key IS NOT NULL GROUP BY group_key
       HAVING ${last('ALERT')} > ${last('OK')}`,
      [alertId],
    )
    return new Set(rows.map((row) => String(row['group_key'])))
  },

  /** Removes old deliveries. Those in the outbox are never so old. */
  async removeOld(queries: Queries, now: number): Promise<void> {
    await queries.run('DELETE FROM alert_deliveries WHERE created_at < ?', [now - keptDays * 86_400_000])
  },
}

function storedOf(row: Row): StoredDelivery {
  const event = JSON.parse(String(row['event'])) as NotifiedEvent // `insert` wrote it
  const delivery = documentOf<AlertDelivery>(String(row['document']), String(row['id']))
  return { delivery, event, idempotencyKey: String(row['idempotency_key']) }
}
