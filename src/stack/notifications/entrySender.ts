/**
 * Sends an entry of the outbox to its webhook, or finds the webhooks that its alert mentions. The entry is closed in the
 * transaction that records its delivery, so that a process that dies in between sends it again, with the same idempotency key.
 */
import type { Logger } from 'pino'
import type { Notification } from '#domain/alerting/notification/renderNotification.ts'
import type { WallClock } from '#node/clock/wallClock.ts'
import { DamagedRow, undefinedIfDamaged } from '#node/database/damagedRows.ts'
import { recordDeliveryError } from '../alerting/deliveryErrors.ts'
import { deliveryRows, withAttempt, type SendResult } from '../alerting/deliveryRows.ts'
import {
  closeEntry,
  postpone,
  recordRendered,
  release,
  type DamagedEntry,
  type OutboxEntry,
} from '../alerting/outbox.ts'
import { alertRows } from '../documents/alertRows.ts'
import { webhookRows, type WebhookDocument } from '../documents/webhookRows.ts'
import type { Queries, Store } from '../store/store.ts'
import { expandMentions, recordUndelivered } from './mentionedWebhooks.ts'
import type { ReceiverLanes } from './receiverLanes.ts'
import type { SendWebhook } from './webhookSender.ts'

export interface EntrySenderDependencies {
  store: Store
  /** Renders the notification of an entry for a webhook. */
  render: (entry: OutboxEntry, webhook: Pick<WebhookDocument, 'service' | 'body'>) => Promise<Notification>
  send: SendWebhook
  logger: Logger
  /** Called for each delivery that ended. */
  count?: ((service: string, status: 'delivered' | 'failed') => void) | undefined
  /** Milliseconds before the second and each further attempt. */
  retryDelays: readonly number[]
  now: () => number
  clock: Pick<WallClock, 'skippedSince'>
  /** Learns how receivers answer. */
  lanes: Pick<ReceiverLanes, 'record'>
  /** Ends the requests that are running. */
  signal: AbortSignal
}

/** Milliseconds after which an entry is given up: its receiver was not reachable for hours. */
const maxAge = 6 * 3_600_000
/**
 * Unfinished attempts after which an entry is set aside. Others that were under way when a process ended have one or two:
 * from then on they are tried one at a time.
 */
const maxUnfinished = 3

export class EntrySender {
  readonly #dependencies: EntrySenderDependencies

  constructor(dependencies: EntrySenderDependencies) {
    this.#dependencies = dependencies
  }

  /** Makes one attempt. The entry is closed, or postponed to its next attempt. */
  async handle(entry: OutboxEntry): Promise<void> {
    try {
      await (entry.target ? this.#deliver(entry, entry.target) : this.#mention(entry))
    } catch (error) {
      if (!(error instanceof DamagedRow)) throw error
      // A record that it needs, such as its webhook, is damaged.
      await this.setAside({ ...entry, deliveryId: entry.target?.deliveryId ?? null, alertId: entry.alert.id }, error)
    }
  }

  /** Ends an entry that cannot be sent because a stored record is damaged, and shows why on the page of its alert. */
  async setAside(entry: Omit<DamagedEntry, 'damage'>, { message }: DamagedRow): Promise<void> {
    const { store, logger, count, now } = this.#dependencies
    logger.error({ alert: entry.alertId, delivery: entry.deliveryId, reason: message }, 'A notification was set aside')
    const result = failed(`Not sent: ${message}`)
    await store.write(async (transaction) => {
      await closeEntry(transaction, entry)
      const stored = entry.deliveryId === null ? undefined : await readableDelivery(transaction, entry.deliveryId)
      if (stored) {
        const used = { id: stored.delivery.webhookId ?? '' }
        const delivery = withAttempt(stored.delivery, used, result, { now: now(), nextAttempt: null })
        await deliveryRows.update(transaction, delivery)
        return recordDeliveryError(transaction, delivery, now())
      }
      if (entry.alertId === null) return
      const attempts = [{ ...result, at: new Date(now()).toISOString() }]
      const unknown = { alertId: entry.alertId, webhookId: '@mentions', status: 'failed' as const, attempts }
      await recordDeliveryError(transaction, unknown, now())
    })
    count?.('unknown', 'failed')
  }

  async #mention(entry: OutboxEntry): Promise<void> {
    const { store, now } = this.#dependencies
    const reason = await this.#refusalOf(entry)
    const mentions = reason === null ? (await this.#render(entry, { service: 'generic' })).mentions : []
    await store.write(async (transaction) => {
      if (reason === null) return expandMentions(transaction, entry, mentions, now())
      await closeEntry(transaction, entry)
      const isKnown = await alertRows.has(transaction, entry.alert.id)
      if (isKnown) await recordUndelivered(transaction, entry, 'mentions', reason, now())
    })
  }

  async #deliver(entry: OutboxEntry, target: NonNullable<OutboxEntry['target']>): Promise<void> {
    const { store, lanes, count, now, signal } = this.#dependencies
    const webhook = await webhookRows.get(store, target.webhookId)
    const { result, title } = await this.#attempt(entry, webhook)
    // A request that the shutdown ended says nothing about the receiver.
    if (signal.aborted && result.status === undefined) return release(store, entry)
    const delay = result.outcome === 'retry' ? this.#delayOf(entry, result) : null
    const nextAttempt = delay === null ? null : now() + delay
    lanes.record(target.webhookId, result.outcome, now() + (delay ?? 0))
    await store.write(async (transaction) => {
      if (nextAttempt === null) await closeEntry(transaction, entry)
      else await postpone(transaction, entry, { attempts: entry.attempts + 1, dueAt: nextAttempt })
      const stored = await readableDelivery(transaction, target.deliveryId)
      if (!stored) return
      const used = webhook ?? { id: target.webhookId }
      const delivery = withAttempt(stored.delivery, used, result, { title, now: now(), nextAttempt })
      await deliveryRows.update(transaction, delivery)
      await recordDeliveryError(transaction, delivery, now())
    })
    if (nextAttempt === null)
      count?.(webhook?.service ?? 'unknown', result.outcome === 'delivered' ? 'delivered' : 'failed')
  }

  async #attempt(
    entry: OutboxEntry,
    webhook: WebhookDocument | undefined,
  ): Promise<{ result: SendResult; title?: string }> {
    if (!webhook) return { result: failed('The webhook does not exist.') }
    const refusal = await this.#refusalOf(entry)
    if (refusal !== null) return { result: failed(refusal) }
    const { payload, title, problems } = await this.#render(entry, webhook)
    if (payload === null) return { result: failed(problems.join(' ')), title }
    const { send, signal } = this.#dependencies
    return { result: await send(webhook, payload, entry.idempotencyKey, signal), title }
  }

  /** Why an entry is not rendered; null if it is. */
  async #refusalOf(entry: OutboxEntry): Promise<string | null> {
    const { store, logger, now, clock } = this.#dependencies
    if (!(await alertRows.has(store, entry.alert.id))) return 'The alert was deleted.'
    const age = now() - entry.createdAt - clock.skippedSince(entry.createdAt)
    if (age > maxAge) return 'Not delivered within 6 h.'
    if (entry.unfinished < maxUnfinished) return null
    logger.error({ alert: entry.alert.id, event: entry.eventId }, 'A notification was set aside')
    return `Set aside after ${entry.unfinished} attempts during which the stack ended. Check the templates of the alert and of the webhook.`
  }

  async #render(entry: OutboxEntry, webhook: Pick<WebhookDocument, 'service' | 'body'>): Promise<Notification> {
    const { store, render } = this.#dependencies
    const notification = await render(entry, webhook)
    if (entry.unfinished > 0) await recordRendered(store, entry)
    return notification
  }

  /** Milliseconds until the next attempt; null if there is none. */
  #delayOf({ attempts }: OutboxEntry, { retryAfter = 0 }: SendResult): number | null {
    const delay = this.#dependencies.retryDelays[attempts]
    // Whole milliseconds: a column of PostgreSQL takes no others.
    return delay === undefined ? null : Math.ceil(Math.max(retryAfter, delay * (1 + Math.random() / 4)))
  }
}

/** Undefined if it was removed or is damaged: then nothing can be recorded, but what was sent must not be sent again. */
function readableDelivery(transaction: Queries, id: string) {
  return deliveryRows.get(transaction, id).catch(undefinedIfDamaged)
}

function failed(reason: string): SendResult {
  return { outcome: 'failed', reason, duration: 0 }
}
