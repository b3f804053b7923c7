/**
 * Sends what is in the outbox, several entries at a time. Receivers that answer are kept apart from those that do not, and
 * an entry that may end the process is tried alone.
 */
import { currentTime, stepTolerance, wallClock, type WallClock } from '#node/clock/wallClock.ts'
import { deliveryRows } from '../alerting/deliveryRows.ts'
import { claim, releaseClaims, setBackOutbox, type Claimed, type OutboxEntry } from '../alerting/outbox.ts'
import type { Store } from '../store/store.ts'
import { EntrySender, type EntrySenderDependencies } from './entrySender.ts'
import { createReceiverLanes, mentionsLane } from './receiverLanes.ts'

export interface DispatcherOptions extends Pick<
  EntrySenderDependencies,
  'store' | 'render' | 'send' | 'logger' | 'count'
> {
  /** Makes rendering fast: an attempt is counted until its notification is rendered. */
  prepare: () => Promise<void>
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

/** Requests at the same time. */
const maxRequests = 64
/** Milliseconds after which another stack may send what this one took. Longer than a request takes. */
const claimTime = 60_000
const cleaningTime = 3_600_000
/** The longest time until the next attempt of an entry: what a receiver may ask for. */
const longestDelay = 15 * 60_000
const defaultInterval = 1000
const defaultShutdownTime = 2000
const defaultDelays = [1000, 2000, 10_000, 60_000, 300_000]

/** Starts to send what is in the outbox. */
export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  if (options.exclusive) await releaseClaims(options.store)
  return new Dispatcher(options)
}

export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #now: () => number
  readonly #clock: Pick<WallClock, 'skippedSince' | 'deletionLag'>
  readonly #lanes = createReceiverLanes(maxRequests)
  readonly #sender: EntrySender
  readonly #stop = new AbortController()
  readonly #timer: NodeJS.Timeout
  /** The entries that are under way. */
  readonly #running = new Set<Promise<void>>()
  /** Whether an entry with unfinished attempts is under way: it may end the process, so it is the only one. */
  #isSuspectRunning = false
  #round: Promise<void> | null = null
  /** Whether another round is to follow the one that runs. */
  #isWanted = false
  #cleanedAt = -Infinity
  #newestTime = Infinity

  constructor(options: DispatcherOptions) {
    const { store, render, send, logger, count, retryDelays = defaultDelays } = options
    const { interval = defaultInterval, now = currentTime, clock = wallClock } = options
    this.#options = options
    this.#now = now
    this.#clock = clock
    const { signal } = this.#stop
    this.#sender = new EntrySender({
      store,
      render,
      send,
      logger,
      count,
      retryDelays,
      now,
      clock,
      lanes: this.#lanes,
      signal,
    })
    this.#timer = setInterval(() => this.wake(), interval)
    this.#timer.unref()
    this.wake()
  }

  /** Looks at the outbox now. */
  wake(): void {
    if (this.#stop.signal.aborted) return
    if (this.#round) {
      this.#isWanted = true
      return
    }
    this.#isWanted = false
    this.#round = this.#sendDue()
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error }, 'The outbox of notifications could not be read'),
      )
      .finally(() => {
        this.#round = null
        if (this.#isWanted) this.wake()
      })
  }

  /** Waits shortly for running requests. What is not sent stays in the outbox. */
  async close(): Promise<void> {
    const { shutdownTime = defaultShutdownTime } = this.#options
    clearInterval(this.#timer)
    this.#isWanted = false
    const timeout = new Promise((done) => setTimeout(done, shutdownTime).unref())
    await Promise.race([this.#settled(), timeout])
    this.#stop.abort()
    await this.#settled()
  }

  async #settled(): Promise<void> {
    await this.#round
    await Promise.all(this.#running)
  }

  /** Begins to send what is due, as far as there is room for more requests. */
  async #sendDue(): Promise<void> {
    const { store, prepare } = this.#options
    await this.#setBack()
    if (this.#running.size >= maxRequests || !(await hasDue(store, this.#now()))) return
    await prepare()
    if (this.#stop.signal.aborted) return
    const taken = await this.#claimDue()
    for (const entry of taken.flatMap(({ entries }) => entries)) this.#begin(entry)
    for (const entry of taken.flatMap(({ damaged }) => damaged)) await this.#sender.setAside(entry, entry.damage)
    if (performance.now() - this.#cleanedAt < cleaningTime) return
    this.#cleanedAt = performance.now()
    await deliveryRows.removeOld(store, this.#now() - this.#clock.deletionLag())
  }

  /** At the start, and whenever the clock was set back. */
  async #setBack(): Promise<void> {
    const time = this.#now()
    if (time < this.#newestTime - stepTolerance) {
      await setBackOutbox(this.#options.store, time, { due: longestDelay, claim: claimTime })
      this.#lanes.endPauses()
      this.#newestTime = time
    }
    this.#newestTime = Math.max(this.#newestTime, time)
  }

  #claimDue(): Promise<Claimed[]> {
    return this.#options.store.write(async (transaction) => {
      const times = { now: this.#now(), until: this.#now() + claimTime }
      const { trusted, others, one } = this.#lanes.limits(times.now)
      const first = await claim(transaction, { ...times, ...trusted, unfinished: false })
      const second = await claim(transaction, { ...times, ...others(countOf(first)), unfinished: false })
      if (this.#isSuspectRunning) return [first, second]
      const count = countOf(first) + countOf(second)
      return [first, second, await claim(transaction, { ...times, ...one(count), unfinished: true })]
    })
  }

  #begin(entry: OutboxEntry): void {
    const leave = this.#lanes.enter(entry.target?.webhookId ?? mentionsLane)
    if (entry.unfinished > 0) this.#isSuspectRunning = true
    const task = this.#sender
      .handle(entry)
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error }, 'A notification could not be recorded. It will be sent again'),
      )
      .finally(() => {
        leave()
        this.#running.delete(task)
        if (entry.unfinished > 0) this.#isSuspectRunning = false
        this.wake()
      })
    this.#running.add(task)
  }
}

function countOf({ entries, damaged }: Claimed): number {
  return entries.length + damaged.length
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
