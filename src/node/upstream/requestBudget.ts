/**
 * The rate limit of a key on our side: how many requests may be sent, and which go first.
 *
 * A request holds its slot from when it is sent until one window after its response. The deployment counts it somewhere
 * in between, so with a fixed or a sliding window it never counts more than the limit. A request that hangs releases its
 * slot earlier, because the deployment counted it when it arrived. So do requests that the deployment no longer counts,
 * according to the headers of a later response.
 *
 * Where several processes use a key, each may use a portion of the limit, which somebody else divides: see `Divider`.
 */
import type { BudgetState } from '#contract/console/connections.ts'
import type { Variant } from '#contract/wire/kernel.ts'
import { failure } from './apiFailure.ts'
import type { RateLimitInfo } from './rateHeaders.ts'
import { WaitingRequests, type Claim, type Priority, type Slot, type Waiting } from './waitingRequests.ts'

export interface BudgetRule {
  /** Infinity for no limit. */
  limit: number
  /** Milliseconds. */
  window: number
}

export type BudgetRules = Record<Variant, BudgetRule>

/** The documented limits: 100 requests per minute (open source), 10 in 10 s (managed). */
export const defaultRules: BudgetRules = {
  openSource: { limit: 100, window: 60_000 },
  managed: { limit: 10, window: 10_000 },
}

/** The fraction of the limit that each priority may use. The rest is reserved, so that a click does not wait for polls. */
const usableFraction: Record<Priority, number> = { user: 1, readBack: 0.9, visible: 0.8, background: 0.5 }

/** Requests of one key in flight, not counting those that hang. */
const maxInFlight = 16
/** Further requests in flight for clicks. */
const extraForUsers = 8
/** Milliseconds without a response after which a request hangs. Others do not wait for it. */
const hangsAfter = 2_000
/** Milliseconds for a request to reach the deployment, which counts it then. */
const arrivesWithin = 2_000
/** Requests of one key that may hang, plus `extraForUsers`. */
const maxHanging = 64

/** The part of a limit that this process may use, where others use the same key. */
export interface Portion {
  /** Requests that this process may have sent, as long as they count. */
  size: number
  /** The sizes of the others' portions together. */
  othersSize: number
  /** The requests of the others that count now. */
  othersUsed: number
}

/** The demand of a process on a limit. */
export interface Demand {
  limit: number
  /** Milliseconds. */
  window: number
  /** Whether the deployment told the limit since it was last asked for. */
  isLearned: boolean
  portion: Portion
  /** Requests that count now. */
  inUse: number
  /** Requests that wait. */
  waiting: number
  /** The number of requests of all processes that may count when the first waiting request is sent, by its priority. */
  ceiling: number
  /** Milliseconds until requests may be sent again after a 429. */
  pause: number
}

/** Divides a limit between the processes that use a key. It must not throw. */
export interface Divider {
  /** Called whenever requests wait for a larger portion. */
  need(): void
  /** Called after a 429, which concerns all processes. */
  paused(): void
  /** Whether this process may use its portion: not if others may have taken it for ended. */
  isValid(): boolean
  /** Returns once the portions of the others are those of now. */
  refresh(): Promise<void>
}

export class Budget {
  #limit: number
  #window: number
  #inFlight = 0
  /** How many of the requests in flight hang. */
  #hanging = 0
  /** How many of the requests in flight were sent a whole window ago: the deployment no longer counts them. */
  #expired = 0
  /** When the slot of each finished request becomes free, ascending. */
  #recentRequests: number[] = []
  /** Requests that other programs sent with the same key, according to the deployment's count. */
  #externalUsage = { count: 0, until: 0 }
  #blockedUntil = 0
  readonly #queue = new WaitingRequests()
  #timer: NodeJS.Timeout | undefined
  #portion: Portion = { size: Number.POSITIVE_INFINITY, othersSize: 0, othersUsed: 0 }
  #isLearned = false
  #divider: Divider | undefined

  constructor(rule: BudgetRule) {
    this.#limit = rule.limit
    this.#window = rule.window
  }

  /** From now on, requests are only sent within a portion of the limit. Before the first one, none are. */
  divide(divider: Divider): void {
    this.#divider = divider
    this.#portion = { size: 0, othersSize: 0, othersUsed: 0 }
  }

  /** For the divider. */
  demand(): Demand {
    const now = performance.now()
    const isLearned = this.#isLearned
    this.#isLearned = false
    return {
      limit: this.#limit,
      window: this.#window,
      isLearned,
      portion: this.#portion,
      inUse: this.#own(now),
      waiting: this.#queue.size,
      ceiling: this.#allowed(this.#queue.first()?.claim.priority ?? 'user') - this.#external(now),
      pause: Math.max(0, this.#blockedUntil - now),
    }
  }

  /** Applies a portion of the divider. @param pause milliseconds from now in which nothing is sent */
  follow({ portion, rule, pause = 0 }: { portion: Portion; rule?: BudgetRule | undefined; pause?: number }): void {
    this.#portion = portion
    if (rule && !this.#isLearned) {
      this.#limit = rule.limit
      this.#window = rule.window
    }
    if (pause > 0) this.#blockedUntil = Math.max(this.#blockedUntil, performance.now() + pause)
    this.pump()
  }

  /** Like `state`, with what other processes have used by now. */
  async current(): Promise<BudgetState> {
    await this.#divider?.refresh()
    return this.state()
  }

  /**
   * Waits for a slot, at most `timeout` milliseconds. Throws rateLimited after the timeout or if the queue is full, and
   * the signal's reason if it is aborted.
   */
  async take(claim: Claim, timeout: number): Promise<Slot> {
    claim.signal?.throwIfAborted()
    const until = performance.now() + timeout
    if (!this.#queue.hasPlace(claim) || until < this.#blockedUntil) throw this.#exhausted()
    return new Promise<Slot>((grant, fail) => {
      const waiting: Waiting = {
        claim,
        until,
        grant: (slot) => {
          end()
          grant(slot)
        },
        refuse: (reason) => {
          end()
          fail(reason)
        },
      }
      const leave = (reason: unknown) => {
        this.#queue.remove(waiting)
        waiting.refuse(reason)
      }
      const onAbort = () => leave(claim.signal?.reason)
      const timer = setTimeout(() => leave(this.#exhausted()), timeout)
      const end = () => {
        clearTimeout(timer)
        claim.signal?.removeEventListener('abort', onAbort)
      }
      claim.signal?.addEventListener('abort', onAbort)
      this.#queue.add(waiting)
      this.pump()
    })
  }

  /** Applies the rate limit headers of the response to a request that was sent at `sentAt`. */
  learn(info: RateLimitInfo, tooMany: boolean, sentAt: number): void {
    const now = performance.now()
    if (info.remaining !== undefined) this.#forget((info.limit ?? this.#limit) - info.remaining, sentAt)
    const limit = this.#limit
    const window = this.#window
    if (info.limit) this.#limit = info.limit
    if (info.window) this.#window = info.window
    this.#isLearned ||= limit !== this.#limit || window !== this.#window
    const wait = info.retryAfter ?? info.reset ?? this.#window
    if (tooMany) this.#blockedUntil = Math.max(this.#blockedUntil, now + wait)
    if (info.remaining !== undefined) {
      this.#externalUsage = {
        count: Math.max(0, this.#limit - info.remaining - this.#own(now) - this.#portion.othersUsed),
        until: now + (info.reset ?? this.#window),
      }
    }
    if (tooMany) this.#divider?.paused()
    this.pump()
  }

  /**
   * Frees the oldest slots that the deployment no longer counts. `counted` includes the request sent at `sentAt` and all
   * earlier ones that are still counted. It says nothing about later ones.
   */
  #forget(counted: number, sentAt: number): void {
    const answeredBefore = this.#recentRequests.filter((until) => until <= sentAt + this.#window).length
    this.#recentRequests = this.#recentRequests.slice(Math.max(0, answeredBefore - Math.max(0, counted - 1)))
  }

  /**
   * For the headers of a response: the limit, the requests left now, seconds until all of them are available again, and
   * seconds until the next request may be sent, which is the first of those that wait.
   */
  state(): BudgetState {
    const now = performance.now()
    const recentRequests = this.#unexpiredRequests(now)
    const blocked = this.#blockedUntil > now
    const last = Math.max(recentRequests.at(-1) ?? 0, this.#externalUntil(now), blocked ? this.#blockedUntil : 0)
    return {
      limit: this.#limit,
      remaining: blocked ? 0 : Math.max(0, this.#limit - this.#used(now) - this.#portion.othersUsed),
      reset: Math.max(0, Math.ceil((last - now) / 1000)),
      next: Math.max(0, Math.ceil((this.#nextAt(now) - now) / 1000)),
      waiting: this.#queue.size,
    }
  }

  #nextAt(now: number): number {
    const missing =
      this.#used(now) + this.#portion.othersUsed + 1 - this.#allowed(this.#queue.first()?.claim.priority ?? 'user')
    if (missing <= 0) return this.#blockedUntil
    const externalUntil = this.#externalUntil(now)
    const free = this.#unexpiredRequests(now)
    if (externalUntil) {
      const before = free.filter((until) => until < externalUntil).length
      // The external requests expire together.
      if (missing > before) return Math.max(this.#blockedUntil, externalUntil)
    }
    // Requests in flight hold their slot for a whole window after their response.
    return Math.max(this.#blockedUntil, free[missing - 1] ?? now + this.#window)
  }

  /** Milliseconds between two requests if the limit were spent evenly; 0 without a limit. */
  get spacing(): number {
    return this.#window / this.#limit
  }

  /** Whether nothing counts, waits or is paused, and no portion is kept: the budget can be dropped, and created again later. */
  isUnused(): boolean {
    const now = performance.now()
    const blocked = this.#blockedUntil > now
    const holdsNone = this.#divider === undefined || this.#portion.size === 0
    return this.#queue.size === 0 && this.#used(now) === 0 && !blocked && holdsNone
  }

  /** Grants the slots that are free. Call this after raising the priority of a waiting claim. */
  pump(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const now = performance.now()
    this.#recentRequests = this.#unexpiredRequests(now)
    // Requests that cannot be sent in time fail immediately.
    for (const late of this.#queue.takeEndingBefore(this.#blockedUntil)) late.refuse(this.#exhausted())
    for (let next = this.#queue.first(); next && this.#mayGo(next.claim.priority, now); next = this.#queue.first()) {
      this.#queue.take(next, now - this.#window)
      this.#inFlight++
      next.grant(this.#slot())
    }
    if (this.#queue.size === 0) return
    this.#sleep(now)
    if (now >= this.#blockedUntil && !this.#isWithinPortion(this.#queue.first()?.claim.priority ?? 'user', now)) {
      this.#divider?.need()
    }
  }

  #slot(): Slot {
    let held = true
    let hangs = false
    let isExpired = false
    const after = (delay: number, mark: () => void) =>
      setTimeout(() => {
        mark()
        this.pump()
      }, delay).unref()
    const timers = [
      after(hangsAfter, () => {
        hangs = true
        this.#hanging++
      }),
      after(this.#window + arrivesWithin, () => {
        isExpired = true
        this.#expired++
      }),
    ]
    return {
      sentAt: performance.now(),
      release: () => {
        if (!held) return
        held = false
        for (const timer of timers) clearTimeout(timer)
        if (hangs) this.#hanging--
        if (isExpired) this.#expired--
        this.#inFlight--
        this.#recentRequests.push(performance.now() + this.#window)
        this.pump()
      },
    }
  }

  #mayGo(priority: Priority, now: number): boolean {
    const more = priority === 'user' ? extraForUsers : 0
    const hasCapacity = this.#inFlight - this.#hanging < maxInFlight + more && this.#hanging < maxHanging + more
    const hasBudget = this.#used(now) < this.#allowed(priority) && this.#isWithinPortion(priority, now)
    return now >= this.#blockedUntil && hasCapacity && hasBudget
  }

  /** The priorities have fractions of the whole limit, so the portions of others count as used. */
  #isWithinPortion(priority: Priority, now: number): boolean {
    if (!this.#divider || !Number.isFinite(this.#limit)) return true
    const { size, othersSize } = this.#portion
    return this.#divider.isValid() && this.#own(now) < size && this.#used(now) + othersSize < this.#allowed(priority)
  }

  #allowed(priority: Priority): number {
    return Math.max(1, Math.floor(this.#limit * usableFraction[priority]))
  }

  #used(now: number): number {
    return this.#own(now) + this.#external(now)
  }

  /** Requests of this process that count. */
  #own(now: number): number {
    return this.#inFlight - this.#expired + this.#unexpiredRequests(now).length
  }

  #external(now: number): number {
    return this.#externalUntil(now) ? this.#externalUsage.count : 0
  }

  #unexpiredRequests(now: number): number[] {
    const first = this.#recentRequests.findIndex((until) => until > now)
    return first === 0 ? this.#recentRequests : first < 0 ? [] : this.#recentRequests.slice(first)
  }

  #externalUntil(now: number): number {
    return this.#externalUsage.count > 0 && this.#externalUsage.until > now ? this.#externalUsage.until : 0
  }

  /** Sleeps until a limit expires. Responses wake the queue by themselves. */
  #sleep(now: number): void {
    const moments = [this.#blockedUntil, this.#externalUntil(now), this.#recentRequests[0] ?? 0].filter(
      (moment) => moment > now,
    )
    if (moments.length === 0) return
    this.#timer = setTimeout(() => this.pump(), Math.max(1, Math.ceil(Math.min(...moments) - now)))
    this.#timer.unref()
  }

  #exhausted() {
    const { next } = this.state()
    return failure(
      'rateLimited',
      'The rate limit of this key is reached, and this request would have to wait too long.',
      {
        retryAfter: Math.max(1, next),
      },
    )
  }
}
