/**
 * Sends what is in the outbox. An entry is closed in the transaction that records its delivery, so that a process that dies
 * in between sends it again, with the same idempotency key.
 */
import type { Logger } from 'pino'
import type { Notification } from '#domain/alerting/notification/renderNotification.ts'
import { DamagedRow, undefinedIfDamaged } from '#node/database/damagedRows.ts'
import { currentTime, stepTolerance, wallClock, type WallClock } from '#node/clock/wallClock.ts'
import { webhookRows, type WebhookDocument } from '../documents/webhookRows.ts'
import { alertRows } from '../documents/alertRows.ts'
import type { Queries, Store } from '../store/store.ts'
import { recordDeliveryError } from '../alerting/deliveryErrors.ts'
import { deliveryRows, withAttempt, type SendResult } from '../alerting/deliveryRows.ts'
import {
  claim,
  closeEntry,
  postpone,
  recordRendered,
  release,
  releaseClaims,
  setBackOutbox,
  type Claimed,
  type DamagedEntry,
  type OutboxEntry,
} from '../alerting/outbox.ts'
import { expandMentions, recordUndelivered } from './mentionedWebhooks.ts'
import { createReceiverLanes, mentionsLane } from './receiverLanes.ts'
import type { SendWebhook } from './webhookSender.ts'

export interface DispatcherOptions {
  store: Store
  /** Makes rendering fast: an attempt is counted until its notification is rendered. */
  prepare: () => Promise<void>
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
  clock?: Pick<WallClock, 'skippedSince' | 'deletionLag'>
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
/**
 * Unfinished attempts after which an entry is set aside. Others that were under way when a process ended have one or two:
 * from then on they are tried one at a time.
 */
const maxUnfinished = 3
const cleaningTime = 3_600_000
/** The longest time until the next attempt of an entry: what a receiver may ask for. */
const longestDelay = 15 * 60_000
const defaultShutdownTime = 2000

const defaultDelays = [1000, 2000, 10_000, 60_000, 300_000]

export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { store, prepare, render, send, logger, count, retryDelays = defaultDelays, now = currentTime } = options
  const { interval = 1000, shutdownTime = defaultShutdownTime, clock = wallClock } = options
  const lanes = createReceiverLanes(maxRequests)
  const running = new Set<Promise<void>>()
  /** Whether an entry with unfinished attempts is under way: it may end the process, so it is the only one. */
  let isSuspectRunning = false
  const stop = new AbortController()
  let round: Promise<void> | null = null
  let isWanted = false
  let cleanedAt = -Infinity
  let newestTime = Infinity
  if (options.exclusive) await releaseClaims(store)

  /** At the start, and whenever the clock was set back. */
  async function setBack(): Promise<void> {
    const time = now()
    if (time < newestTime - stepTolerance) {
      await setBackOutbox(store, time, { due: longestDelay, claim: claimTime })
      lanes.endPauses()
      newestTime = time
    }
    newestTime = Math.max(newestTime, time)
  }

  async function takeAll(): Promise<void> {
    await setBack()
    if (running.size >= maxRequests || !(await hasDue(store, now()))) return
    await prepare()
    if (stop.signal.aborted) return
    const taken = await store.write(async (transaction) => {
      const times = { now: now(), until: now() + claimTime }
      const { trusted, others, one } = lanes.limits(times.now)
      const first = await claim(transaction, { ...times, ...trusted, unfinished: false })
      const second = await claim(transaction, { ...times, ...others(countOf(first)), unfinished: false })
      const count = countOf(first) + countOf(second)
      const suspects = isSuspectRunning ? none : await claim(transaction, { ...times, ...one(count), unfinished: true })
      return [first, second, suspects]
    })
    for (const entry of taken.flatMap(({ entries }) => entries)) {
      const leave = lanes.enter(entry.target?.webhookId ?? mentionsLane)
      if (entry.unfinished > 0) isSuspectRunning = true
      const task = handle(entry)
        .catch((error: unknown) =>
          logger.error({ err: error }, 'A notification could not be recorded. It will be sent again'),
        )
        .finally(() => {
          leave()
          running.delete(task)
          if (entry.unfinished > 0) isSuspectRunning = false
          wake()
        })
      running.add(task)
    }
    for (const entry of taken.flatMap(({ damaged }) => damaged)) await setAside(entry, entry.damage)
    if (performance.now() - cleanedAt < cleaningTime) return
    cleanedAt = performance.now()
    await deliveryRows.removeOld(store, now() - clock.deletionLag())
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

  async function handle(entry: OutboxEntry): Promise<void> {
    try {
      await (entry.target ? deliver(entry, entry.target) : mention(entry))
    } catch (error) {
      if (!(error instanceof DamagedRow)) throw error
      // A record that it needs, such as its webhook, is damaged.
      await setAside({ ...entry, deliveryId: entry.target?.deliveryId ?? null, alertId: entry.alert.id }, error)
    }
  }

  /** Ends an entry that cannot be sent because a stored record is damaged, and shows why on the page of its alert. */
  async function setAside(entry: Omit<DamagedEntry, 'damage'>, { message }: DamagedRow): Promise<void> {
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

  /** Why an entry is not rendered; null if it is. */
  async function refusalOf(entry: OutboxEntry): Promise<string | null> {
    if (!(await alertRows.has(store, entry.alert.id))) return 'The alert was deleted.'
    const age = now() - entry.createdAt - clock.skippedSince(entry.createdAt)
    if (age > maxAge) return 'Not delivered within 6 h.'
    if (entry.unfinished < maxUnfinished) return null
    logger.error({ alert: entry.alert.id, event: entry.eventId }, 'A notification was set aside')
    return `Set aside after ${entry.unfinished} attempts during which the stack ended. Check the templates of the alert and of the webhook.`
  }

  async function rendered(entry: OutboxEntry, webhook: Pick<WebhookDocument, 'service' | 'body'>) {
    const notification = await render(entry, webhook)
    if (entry.unfinished > 0) await recordRendered(store, entry)
    return notification
  }

  async function mention(entry: OutboxEntry): Promise<void> {
    const reason = await refusalOf(entry)
    const mentions = reason === null ? (await rendered(entry, { service: 'generic' })).mentions : []
    await store.write(async (transaction) => {
      if (reason === null) return expandMentions(transaction, entry, mentions, now())
      await closeEntry(transaction, entry)
      const isKnown = await alertRows.has(transaction, entry.alert.id)
      if (isKnown) await recordUndelivered(transaction, entry, 'mentions', reason, now())
    })
  }

  async function deliver(entry: OutboxEntry, target: NonNullable<OutboxEntry['target']>): Promise<void> {
    const webhook = await webhookRows.get(store, target.webhookId)
    const { result, title } = await attempt(entry, webhook)
    // A request that the shutdown ended says nothing about the receiver.
    if (stop.signal.aborted && result.status === undefined) return release(store, entry)
    const delay = result.outcome === 'retry' ? delayOf(entry, result) : null
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

  async function attempt(
    entry: OutboxEntry,
    webhook: WebhookDocument | undefined,
  ): Promise<{ result: SendResult; title?: string }> {
    if (!webhook) return { result: failed('The webhook does not exist.') }
    const refusal = await refusalOf(entry)
    if (refusal !== null) return { result: failed(refusal) }
    const { payload, title, problems } = await rendered(entry, webhook)
    if (payload === null) return { result: failed(problems.join(' ')), title }
    return { result: await send(webhook, payload, entry.idempotencyKey, stop.signal), title }
  }

  /** Milliseconds until the next attempt; null if there is none. */
  function delayOf({ attempts }: OutboxEntry, { retryAfter = 0 }: SendResult): number | null {
    const delay = retryDelays[attempts]
    // Whole milliseconds: a column of PostgreSQL takes no others.
    return delay === undefined ? null : Math.ceil(Math.max(retryAfter, delay * (1 + Math.random() / 4)))
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

const none: Claimed = { entries: [], damaged: [] }

const countOf = ({ entries, damaged }: Claimed) => entries.length + damaged.length

/** Undefined if it was removed or is damaged: then nothing can be recorded, but what was sent must not be sent again. */
const readableDelivery = (transaction: Queries, id: string) =>
  deliveryRows.get(transaction, id).catch(undefinedIfDamaged)

function failed(reason: string): SendResult {
  return { outcome: 'failed', reason, duration: 0 }
}

/** Read before a transaction is opened, which would wait for other writes. */
async function hasDue(store: Store, now: number): Promise<boolean> {
  // Nearly always, and the same statement each time.
  if ((await store.rows('SELECT 1 FROM alert_outbox LIMIT 1')).length === 0) return false
  const rows = await store.rows('SELECT 1 AS due FROM alert_outbox WHERE due_at <= ? AND claimed_until <= ? LIMIT 1', [
    now,
    now,
  ])
  return rows.length > 0
}
