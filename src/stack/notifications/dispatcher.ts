/**
 * Sends what is in the outbox. An entry is closed in the transaction that records its delivery, so that a process that dies
 * in between sends it again, with the same idempotency key.
 */
import type { Logger } from 'pino'
import type { Notification } from '#domain/alerting/notification/renderNotification.ts'
import type { Mention } from '#domain/alerting/notification/mentions.ts'
import { webhookRows, type WebhookDocument } from '../documents/webhookRows.ts'
import type { Queries, Store } from '../store/store.ts'
import { recordDeliveryError } from '../alerting/deliveryErrors.ts'
import { deliveryRows, withAttempt, type SendResult } from '../alerting/deliveryRows.ts'
import { claim, closeEntry, enqueueFor, postpone, releaseClaims, type OutboxEntry } from '../alerting/outbox.ts'
import { createReceiverLanes, mentionsLane } from './receiverLanes.ts'
import type { SendWebhook } from './webhookSender.ts'

export interface DispatcherOptions {
  store: Store
  /** Renders the notification of an entry for a webhook. */
  render: (entry: OutboxEntry, webhook: Pick<WebhookDocument, 'service' | 'body'>) => Promise<Notification>
  send: SendWebhook
  logger: Logger
  /** Called for each delivery that ended. */
  count?: (service: string, status: 'delivered' | 'failed') => void
  /** No other process uses the store. What an earlier process took can be sent at once. */
  exclusive: boolean
  /** Milliseconds before the second and each further attempt. */
  retryDelays?: readonly number[]
  /** Milliseconds between two looks at the outbox. */
  interval?: number
  /** Milliseconds that running requests have at a shutdown. */
  shutdownTime?: number
  now?: () => number
}

export interface Dispatcher {
  /** Looks at the outbox now. */
  wake(): void
  /** Waits shortly for running requests. What is not sent stays in the outbox. */
  close(): Promise<void>
}

/** Requests at the same time. */
const maxRequests = 64
/** Milliseconds after which another stack may send what this one took. Longer than a request takes. */
const claimTime = 60_000
/** Milliseconds after which an entry is given up: its receiver was not reachable for hours. */
const maxAge = 6 * 3_600_000
/** Webhooks that one message may mention. */
const maxMentions = 20
const cleaningTime = 3_600_000
const defaultShutdownTime = 2000

const defaultDelays = [1000, 2000, 10_000, 60_000, 300_000]

export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { store, render, send, logger, count, retryDelays = defaultDelays, now = Date.now } = options
  const { interval = 1000, shutdownTime = defaultShutdownTime } = options
  const lanes = createReceiverLanes(maxRequests)
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  let round: Promise<void> | null = null
  let isWanted = false
  let cleanedAt = 0
  if (options.exclusive) await releaseClaims(store)

  async function takeAll(): Promise<void> {
    if (running.size >= maxRequests || !(await hasDue(store, now()))) return
    const taken = await store.write(async (transaction) => {
      const times = { now: now(), until: now() + claimTime }
      const { trusted, others } = lanes.limits(times.now)
      const first = await claim(transaction, { ...times, ...trusted })
      return [...first, ...(await claim(transaction, { ...times, ...others(first.length) }))]
    })
    for (const entry of taken) {
      const leave = lanes.enter(entry.target?.webhookId ?? mentionsLane)
      const task = handle(entry)
        .catch((error: unknown) =>
          logger.error({ err: error }, 'A notification could not be recorded. It will be sent again'),
        )
        .finally(() => {
          leave()
          running.delete(task)
          wake()
        })
      running.add(task)
    }
    if (now() - cleanedAt < cleaningTime) return
    cleanedAt = now()
    await deliveryRows.removeOld(store, now())
  }

  function wake(): void {
    if (stop.signal.aborted) return
    if (round) {
      isWanted = true
      return
    }
    isWanted = false
    round = takeAll()
      .catch((error: unknown) => logger.error({ err: error }, 'The outbox of notifications could not be read'))
      .finally(() => {
        round = null
        if (isWanted) wake()
      })
  }

  function handle(entry: OutboxEntry): Promise<void> {
    return entry.target ? deliver(entry, entry.target) : expandMentions(entry)
  }

  async function deliver(entry: OutboxEntry, target: NonNullable<OutboxEntry['target']>): Promise<void> {
    const webhook = await webhookRows.get(store, target.webhookId)
    const { result, title } = await attempt(entry, webhook)
    // A request that the shutdown ended says nothing about the receiver.
    if (stop.signal.aborted && result.status === undefined) return
    const delay = result.outcome === 'retry' ? delayOf(entry, result) : null
    const nextAttempt = delay === null ? null : now() + delay
    lanes.record(target.webhookId, result.outcome, now() + (delay ?? 0))
    await store.write(async (transaction) => {
      if (nextAttempt === null) await closeEntry(transaction, entry)
      else await postpone(transaction, entry, { attempts: entry.attempts + 1, dueAt: nextAttempt })
      const stored = await deliveryRows.get(transaction, target.deliveryId)
      if (!stored) return
      const used = webhook ?? { id: target.webhookId }
      const delivery = withAttempt(stored.delivery, used, result, { title, now: now(), nextAttempt })
      await deliveryRows.update(transaction, delivery)
      await recordDeliveryError(transaction, delivery, now())
    })
    if (nextAttempt === null)
      count?.(webhook?.service ?? 'unknown', result.outcome === 'delivered' ? 'delivered' : 'failed')
  }

  async function attempt(
    entry: OutboxEntry,
    webhook: WebhookDocument | undefined,
  ): Promise<{ result: SendResult; title?: string }> {
    if (!webhook) return { result: failed('The webhook does not exist.') }
    if (now() - entry.createdAt > maxAge) return { result: failed('Not delivered within 6 h.') }
    const { payload, title, problems } = await render(entry, webhook)
    if (payload === null) return { result: failed(problems.join(' ')), title }
    return { result: await send(webhook, payload, entry.idempotencyKey, stop.signal), title }
  }

  /** Milliseconds until the next attempt; null if there is none. */
  function delayOf({ attempts }: OutboxEntry, { retryAfter = 0 }: SendResult): number | null {
    const delay = retryDelays[attempts]
    // Whole milliseconds: a column of PostgreSQL takes no others.
    return delay === undefined ? null : Math.ceil(Math.max(retryAfter, delay * (1 + Math.random() / 4)))
  }

  /** Replaces an entry by one for each webhook that its message mentions. */
  async function expandMentions(entry: OutboxEntry): Promise<void> {
    const { mentions } = await render(entry, { service: 'generic' })
    await store.write(async (transaction) => {
      await closeEntry(transaction, entry)
      const all = await webhookRows.all(transaction)
      for (const mention of mentions.slice(0, maxMentions)) {
        const webhook = mentioned(mention, all)
        if (webhook) await enqueueFor(transaction, entry.alert, entry.event, webhook.id, now())
        else {
          const reason = `which is no webhook. Use @webhook- and the beginning of a webhook's name.`
          await recordUndelivered(transaction, entry, mention, reason)
        }
      }
      const [left] = mentions.slice(maxMentions)
      if (left) {
        const reason = `which is not sent: a message notifies at most ${maxMentions} mentions, and this one has ${mentions.length}.`
        await recordUndelivered(transaction, entry, left, reason)
      }
    })
  }

  /** A mention to which nothing is sent is a failed delivery, so that somebody sees it. */
  async function recordUndelivered(
    transaction: Queries,
    entry: OutboxEntry,
    { type, target }: Mention,
    reason: string,
  ): Promise<void> {
    const name = target === '' ? type : `${type}-${target}`
    const text = `The message mentions @${name}, ${reason}`
    const id = await enqueueFor(transaction, entry.alert, entry.event, `@${name}`, now())
    const stored = id === null ? undefined : await deliveryRows.get(transaction, id)
    if (!stored) return
    await closeEntry(transaction, { ...entry, idempotencyKey: stored.idempotencyKey })
    const delivery = withAttempt(stored.delivery, { id: `@${name}` }, failed(text), { now: now(), nextAttempt: null })
    await deliveryRows.update(transaction, delivery)
    await recordDeliveryError(transaction, delivery, now())
  }

  const timer = setInterval(wake, interval)
  timer.unref()
  wake()
  return {
    wake,
    async close() {
      clearInterval(timer)
      isWanted = false
      const timeout = new Promise((done) => setTimeout(done, shutdownTime).unref())
      await Promise.race([settled(), timeout])
      stop.abort()
      await settled()
    },
  }

  async function settled(): Promise<void> {
    await round
    await Promise.all(running)
  }
}

function failed(reason: string): SendResult {
  return { outcome: 'failed', reason, duration: 0 }
}

/** Read before a transaction is opened, which would wait for other writes. */
async function hasDue(store: Store, now: number): Promise<boolean> {
  const rows = await store.rows('SELECT 1 AS due FROM alert_outbox WHERE due_at <= ? AND claimed_until <= ? LIMIT 1', [
    now,
    now,
  ])
  return rows.length > 0
}

/** The webhook with this id, or the first one whose name begins like this. */
function mentioned({ type, target }: Mention, all: readonly WebhookDocument[]): WebhookDocument | undefined {
  if (type !== 'webhook' || target === '') return undefined
  return all.find(({ id }) => id === target) ?? all.find(({ name }) => name.startsWith(target))
}
