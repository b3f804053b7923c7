/**
 * The outbox: events that still have to be sent. The evaluator writes them in the transaction of its states, so that no
 * event is lost and none is sent twice with another key.
 */
import { z } from 'zod'
import { channelsOf } from '#contract/stack/alerts.ts'
import type { AlertEvent } from '#domain/alerting/alertEvent.ts'
import type { NotifiedEvent } from '#domain/alerting/notification/notified.ts'
import { DamagedRow, damagedRows, readRow } from '#node/database/damagedRows.ts'
import { currentTime, stepTolerance } from '#node/clock/wallClock.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { webhookRows, type WebhookDocument } from '../documents/webhookRows.ts'
import type { Row } from '#node/database/statements.ts'
import type { Queries } from '../store/store.ts'
import { deliveryRows, newDelivery } from './deliveryRows.ts'
import { withSummaries } from './summaries.ts'
import { eventIdOf, idempotencyKeyOf } from './eventKeys.ts'

export interface OutboxEntry {
  idempotencyKey: string
  eventId: string
  /** Null for the webhooks that the message mentions: they are known when it is rendered. */
  target: { deliveryId: string; webhookId: string } | null
  /** The alert when the event happened. */
  alert: AlertDocument
  event: NotifiedEvent
  /** Earlier attempts. */
  attempts: number
  /** Earlier attempts that ended before the notification was rendered, because the process ended or failed. */
  unfinished: number
  /** Epoch milliseconds. */
  createdAt: number
}

/** An entry that cannot be read, with what can be read of it. */
export interface DamagedEntry {
  idempotencyKey: string
  /** Null for mentions. */
  deliveryId: string | null
  alertId: string | null
  /** Why it cannot be read. */
  damage: DamagedRow
}

/** Entries that were taken. */
export interface Claimed {
  entries: OutboxEntry[]
  damaged: DamagedEntry[]
}

/**
 * Puts the events of one pass of an alert into the outbox, once for each of its channels. An event that was enqueued before
 * is ignored.
 */
export async function enqueue(
  transaction: Queries,
  alert: AlertDocument,
  events: readonly AlertEvent[],
  now = currentTime(),
): Promise<void> {
  const webhookIds = channelsOf(alert).flatMap(({ webhookId }) => webhookId ?? [])
  const hasMentions = await mentions(alert.message)
  for (const event of await withSummaries(transaction, alert.id, events)) {
    for (const webhookId of webhookIds) await enqueueFor(transaction, alert, event, webhookId, now)
    if (hasMentions) await enqueueMentions(transaction, alert, event, now)
  }
}

/** Templates are parsed only where there may be a mention: most stacks need not load what parses them. */
async function mentions(message: AlertDocument['message']): Promise<boolean> {
  if (!message?.includes('@')) return false
  const { hasMentions } = await import('#domain/alerting/notification/templates.ts')
  return hasMentions(message)
}

/** @returns the id of the delivery; null if the event was enqueued before */
export async function enqueueFor(
  transaction: Queries,
  alert: AlertDocument,
  event: NotifiedEvent,
  webhookId: string,
  now: number,
): Promise<string | null> {
  const webhook: WebhookDocument | { id: string } = (await webhookRows.get(transaction, webhookId)) ?? { id: webhookId }
  const eventId = eventIdOf(webhookId, event)
  const delivery = newDelivery(event, webhook, now)
  const idempotencyKey = idempotencyKeyOf(eventId, event)
  if (!(await deliveryRows.insert(transaction, delivery, { event, idempotencyKey }))) return null
  const target = { deliveryId: delivery.id, webhookId }
  await insertEntry(transaction, { idempotencyKey, eventId, target, alert, event, createdAt: now })
  return delivery.id
}

async function enqueueMentions(
  transaction: Queries,
  alert: AlertDocument,
  event: NotifiedEvent,
  createdAt: number,
): Promise<void> {
  const eventId = eventIdOf('mentions', event)
  const idempotencyKey = idempotencyKeyOf(eventId, event)
  await insertEntry(transaction, { idempotencyKey, eventId, target: null, alert, event, createdAt })
}

/** Adds an entry without attempts that is due now. One with the same key stays as it is. */
export async function insertEntry(
  transaction: Queries,
  entry: Omit<OutboxEntry, 'attempts' | 'unfinished'>,
): Promise<void> {
  await transaction.run(
    `INSERT INTO alert_outbox (idempotency_key, delivery_id, event_id, webhook_id, alert, event, created_at, due_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (idempotency_key) DO NOTHING`,
    [
      entry.idempotencyKey,
      entry.target?.deliveryId ?? null,
      entry.eventId,
      entry.target?.webhookId ?? null,
      JSON.stringify(entry.alert),
      JSON.stringify(entry.event),
      entry.createdAt,
      entry.createdAt,
    ],
  )
}

/** The entries that may be taken. */
export interface ClaimLimits {
  now: number
  /** Until when no other stack takes the entries. */
  until: number
  count: number
  /** Entries of one webhook. */
  perWebhook: number
  /** The webhooks whose entries are taken, or not taken. */
  webhooks: { only: readonly string[] } | { except: readonly string[] }
  /** Takes only entries with unfinished attempts, or only those without. Default: both. */
  unfinished?: boolean
}

/**
 * Takes due entries and counts an attempt for each, before anything is done with them: if the process ends because of one,
 * the next process knows. Those with the same event id keep their order: that an alert is resolved is never sent before its
 * firing.
 */
export async function claim(transaction: Queries, limits: ClaimLimits): Promise<Claimed> {
  const { now, until, count, perWebhook, webhooks, unfinished } = limits
  const ids = 'only' in webhooks ? webhooks.only : webhooks.except
  if (count <= 0 || ('only' in webhooks && ids.length === 0)) return { entries: [], damaged: [] }
  // Entries for mentions have no webhook yet. A list must not be empty.
  const listed = `coalesce(o.webhook_id, '') IN ('-'${ids.map(() => ', ?').join('')})`
  const attempted = unfinished === undefined ? '1 = 1' : `o.unfinished ${unfinished ? '>' : '='} 0`
  const rows = await transaction.rows(
    `SELECT * FROM (
       SELECT o.*, row_number() OVER (PARTITION BY o.webhook_id ORDER BY o.seq) AS place FROM alert_outbox o
       WHERE o.due_at <= ? AND o.claimed_until <= ? AND ${'only' in webhooks ? listed : `NOT ${listed}`}
         AND ${attempted}
         AND NOT EXISTS (SELECT 1 FROM alert_outbox e WHERE e.event_id = o.event_id AND e.seq < o.seq)
     ) due WHERE place <= ? ORDER BY due_at, seq LIMIT ?`,
    [now, now, ...ids, perWebhook, count],
  )
  for (const row of rows) {
    await transaction.run('UPDATE alert_outbox SET claimed_until = ?, unfinished = unfinished + 1 WHERE seq = ?', [
      until,
      Number(row['seq']),
    ])
  }
  return claimedOf(rows)
}

function claimedOf(rows: readonly Row[]): Claimed {
  const claimed: Claimed = { entries: [], damaged: [] }
  for (const row of rows) {
    try {
      claimed.entries.push(readRow('alert_outbox', String(row['idempotency_key']), () => entryOf(row)))
    } catch (damage) {
      if (!(damage instanceof DamagedRow)) throw damage
      claimed.damaged.push(damagedEntryOf(row, damage))
    }
  }
  return claimed
}

/** The longest times that an entry may be ahead, in milliseconds. */
interface LongestWaits {
  due: number
  claim: number
}

/**
 * Corrects entries whose times are further ahead than they can be, because the clock was set back: they would be sent when
 * that time comes again. They are due now; what another stack sends stays claimed for as long as a claim may last.
 */
export async function setBackOutbox(queries: Pick<Queries, 'run'>, now: number, longest: LongestWaits): Promise<void> {
  const correct = (column: string, ahead: number, corrected: number) =>
    queries.run(`UPDATE alert_outbox SET ${column} = ? WHERE ${column} > ?`, [corrected, now + ahead + stepTolerance])
  await correct('created_at', 0, now)
  await correct('due_at', longest.due, now)
  await correct('claimed_until', longest.claim, now + longest.claim)
}

/** Closes an entry: it was sent, or it is given up. */
export async function closeEntry(
  transaction: Queries,
  { idempotencyKey }: Pick<OutboxEntry, 'idempotencyKey'>,
): Promise<void> {
  await transaction.run('DELETE FROM alert_outbox WHERE idempotency_key = ?', [idempotencyKey])
  damagedRows.forget('alert_outbox', idempotencyKey)
}

/** Puts an entry back, for an attempt at a later time. */
export async function postpone(
  transaction: Queries,
  { idempotencyKey }: OutboxEntry,
  { attempts, dueAt }: { attempts: number; dueAt: number },
): Promise<void> {
  await transaction.run(
    'UPDATE alert_outbox SET attempts = ?, due_at = ?, claimed_until = 0, unfinished = 0 WHERE idempotency_key = ?',
    [attempts, dueAt, idempotencyKey],
  )
}

/** Takes back the attempt of an entry that could not be tried, so that it can be claimed at once. */
export async function release(queries: Queries, { idempotencyKey, unfinished }: OutboxEntry): Promise<void> {
  await queries.run('UPDATE alert_outbox SET claimed_until = 0, unfinished = ? WHERE idempotency_key = ?', [
    unfinished,
    idempotencyKey,
  ])
}

/** Records that the notification of an entry could be rendered. What comes next endangers nothing. */
export async function recordRendered(queries: Queries, { idempotencyKey }: OutboxEntry): Promise<void> {
  await queries.run('UPDATE alert_outbox SET unfinished = 0 WHERE idempotency_key = ?', [idempotencyKey])
}

/** Releases what a process took that no longer runs. Only for a store that no other process uses. */
export async function releaseClaims(queries: Queries): Promise<void> {
  await queries.run('UPDATE alert_outbox SET claimed_until = 0 WHERE claimed_until > 0')
}

/** Entries that are not closed yet. */
export async function outboxLength(queries: Pick<Queries, 'rows'>): Promise<number> {
  const [row] = await queries.rows('SELECT count(*) AS length FROM alert_outbox')
  return Number(row?.['length'] ?? 0)
}

function entryOf(row: Row): OutboxEntry {
  const webhookId = row['webhook_id']
  return {
    idempotencyKey: String(row['idempotency_key']),
    eventId: String(row['event_id']),
    target: webhookId === null ? null : { deliveryId: String(row['delivery_id']), webhookId: String(webhookId) },
    alert: parsed<AlertDocument>(row['alert'], storedAlert), // `insertEntry` wrote both
    event: parsed<NotifiedEvent>(row['event'], storedEvent),
    attempts: Number(row['attempts']),
    unfinished: Number(row['unfinished']),
    createdAt: Number(row['created_at']),
  }
}

/** Fields that every alert and event has. */
const storedAlert = z.looseObject({ id: z.string(), source: z.string(), interval: z.string() })
const storedEvent = z.looseObject({ alertId: z.string(), state: z.string(), start: z.number(), end: z.number() })

/** @throws if the text has not what `schema` asks for */
function parsed<T>(text: unknown, schema: z.ZodType): T {
  const value: unknown = JSON.parse(String(text))
  schema.parse(value)
  return value as T // `insertEntry` wrote it from a T
}

function damagedEntryOf(row: Row, damage: DamagedRow): DamagedEntry {
  const alertIdIn = (text: unknown, read: (value: unknown) => string) => {
    try {
      return read(JSON.parse(String(text)))
    } catch {
      return null
    }
  }
  return {
    idempotencyKey: String(row['idempotency_key']),
    deliveryId: row['delivery_id'] === null ? null : String(row['delivery_id']),
    alertId:
      alertIdIn(row['event'], (value) => storedEvent.parse(value).alertId) ??
      alertIdIn(row['alert'], (value) => storedAlert.parse(value).id),
    damage,
  }
}
