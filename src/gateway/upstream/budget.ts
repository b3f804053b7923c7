/**
 * How many requests a key may send, and who goes first when that is short.
 *
 * A request holds its slot from when it is sent until one window after its answer. The deployment counted it somewhere
 * between the two, so whichever way it counts (fixed or sliding window), it never counts more than the limit. One that
 * hangs gives its slot back before: the deployment counted it when it arrived. So do those that the deployment counts no
 * more, by what it says with a later answer.
 */
import { priorities, type BudgetState } from '#contract/connections.ts'
import type { Variant } from '#contract/kernel.ts'
import { failure } from '../http/errors.ts'
import type { RateLimitInfo } from './rateHeaders.ts'
import { budgetKey, type Target } from './upstreamTarget.ts'

export type Priority = (typeof priorities)[number]

export interface BudgetRule {
  /** Infinity where nothing is counted. */
  limit: number
  /** Milliseconds. */
  window: number
}

export type BudgetRules = Record<Variant, BudgetRule>

/** What deployments allow unless they say otherwise: 100 a minute (open source), 10 in 10 s (managed). */
const defaultRules: BudgetRules = {
  openSource: { limit: 100, window: 60_000 },
  managed: { limit: 10, window: 10_000 },
}

/** The share of the limit that each may use up to: what is left over keeps a click from waiting for polls. */
const share: Record<Priority, number> = { user: 1, readBack: 0.9, visible: 0.8, background: 0.5 }

/** Requests of one key on their way at the same time, those that hang left out. */
const maxInFlight = 16
/** What a click may have beyond that. */
const moreForUsers = 8
/** A request without an answer for so many milliseconds hangs: others do not wait for it. */
const hangsAfter = 2_000
/** Milliseconds within which a request is with the deployment, which counts it then, however long it takes to answer. */
const arrivesWithin = 2_000
/** Requests of one key that may hang; a click goes beyond that, too. */
const maxHanging = 64
const maxQueued = 500

/** Who asks. The priority may be raised while waiting, when somebody more important wants the same. */
export interface Claim {
  priority: Priority
  signal?: AbortSignal | undefined
}

export interface Slot {
  /** When the request was sent, by `performance.now()`. */
  sentAt: number
  /** To be called once the answer is there, or known not to come. */
  release(): void
}

interface Waiting {
  claim: Claim
  /** How long it waits, by `performance.now()`. */
  until: number
  grant(slot: Slot): void
  refuse(reason: unknown): void
}

export class Budget {
  private limit: number
  private window: number
  private inFlight = 0
  /** Of those in flight, the ones without an answer for long. */
  private hanging = 0
  /** Of those in flight, the ones that were sent a whole window ago: the deployment has counted and forgotten them. */
  private forgotten = 0
  /** When each slot of an answered request is free again, ascending. */
  private recentRequests: number[] = []
  /** Requests of the same key that others sent, as far as the deployment's count tells. */
  private externalUsage = { count: 0, until: 0 }
  private blockedUntil = 0
  private queue: Waiting[] = []
  private timer: NodeJS.Timeout | undefined

  constructor(rule: BudgetRule) {
    this.limit = rule.limit
    this.window = rule.window
  }

  /**
   * Waits for a slot, at most `timeout` milliseconds. Throws rateLimited when timeout or queue end, and the signal's
   * reason when it is aborted.
   */
  async take(claim: Claim, timeout: number): Promise<Slot> {
    claim.signal?.throwIfAborted()
    const until = performance.now() + timeout
    if (this.queue.length >= maxQueued || until < this.blockedUntil) throw this.exhausted()
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
        this.queue = this.queue.filter((other) => other !== waiting)
        waiting.refuse(reason)
      }
      const onAbort = () => leave(claim.signal?.reason)
      const timer = setTimeout(() => leave(this.exhausted()), timeout)
      const end = () => {
        clearTimeout(timer)
        claim.signal?.removeEventListener('abort', onAbort)
      }
      claim.signal?.addEventListener('abort', onAbort)
      this.queue.push(waiting)
      this.pump()
    })
  }

  /** Takes what the deployment said with the answer to a request that was sent at `sentAt`. */
  learn(news: RateLimitInfo, tooMany: boolean, sentAt: number): void {
    const now = performance.now()
    if (news.remaining !== undefined) this.forget((news.limit ?? this.limit) - news.remaining, sentAt)
    if (news.limit) this.limit = news.limit
    if (news.window) this.window = news.window
    const told = news.retryAfter ?? news.reset
    if (tooMany) this.blockedUntil = Math.max(this.blockedUntil, now + (told ?? this.window))
    if (news.remaining !== undefined) {
      const ours = this.inFlight - this.forgotten + this.freshRecentRequests(now).length
      this.externalUsage = {
        count: Math.max(0, this.limit - news.remaining - ours),
        until: now + (news.reset ?? this.window),
      }
    }
    this.pump()
  }

  /**
   * Frees the oldest slots that the deployment counts no more. `counted` includes the request sent at `sentAt` and, where
   * they are still counted, all that were answered before it was sent: of later ones the answer says nothing.
   */
  private forget(counted: number, sentAt: number): void {
    const answeredBefore = this.recentRequests.filter((until) => until <= sentAt + this.window).length
    this.recentRequests = this.recentRequests.slice(Math.max(0, answeredBefore - Math.max(0, counted - 1)))
  }

  /**
   * For the headers of an answer: requests allowed, left now, seconds until all are there again, and until the next one
   * may go. With requests that wait, the next one is the first of them.
   */
  state(): BudgetState {
    const now = performance.now()
    const recentRequests = this.freshRecentRequests(now)
    const blocked = this.blockedUntil > now
    const last = Math.max(recentRequests.at(-1) ?? 0, this.foreignUntil(now), blocked ? this.blockedUntil : 0)
    return {
      limit: this.limit,
      remaining: blocked ? 0 : Math.max(0, this.limit - this.used(now)),
      reset: Math.max(0, Math.ceil((last - now) / 1000)),
      next: Math.max(0, Math.ceil((this.nextAt(now) - now) / 1000)),
      waiting: this.queue.length,
    }
  }

  private nextAt(now: number): number {
    const missing = this.used(now) + 1 - this.allowed(this.first()?.claim.priority ?? 'user')
    if (missing <= 0) return this.blockedUntil
    const foreignUntil = this.foreignUntil(now)
    const free = this.freshRecentRequests(now)
    if (foreignUntil) {
      const before = free.filter((until) => until < foreignUntil).length
      // All of the others' requests are forgotten at once.
      if (missing > before) return Math.max(this.blockedUntil, foreignUntil)
    }
    // Requests on their way cool for a whole window after their answer.
    return Math.max(this.blockedUntil, free[missing - 1] ?? now + this.window)
  }

  /** Milliseconds between two requests, were the limit spent evenly; 0 where nothing is counted. */
  get spacing(): number {
    return this.window / this.limit
  }

  /** Whether a new budget in its place would allow the same. */
  isFresh(): boolean {
    const now = performance.now()
    const blocked = this.blockedUntil > now
    return this.queue.length === 0 && this.used(now) === 0 && !blocked
  }

  /** To be called when a waiting claim's priority was raised. */
  pump(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    const now = performance.now()
    this.recentRequests = this.freshRecentRequests(now)
    // What cannot go in time is told so at once.
    for (const hopeless of this.queue.filter(({ until }) => until < this.blockedUntil)) {
      this.queue = this.queue.filter((other) => other !== hopeless)
      hopeless.refuse(this.exhausted())
    }
    for (let next = this.first(); next && this.mayGo(next.claim.priority, now); next = this.first()) {
      this.queue = this.queue.filter((other) => other !== next)
      this.inFlight++
      next.grant(this.slot())
    }
    if (this.queue.length > 0) this.sleep(now)
  }

  private slot(): Slot {
    let held = true
    const marks = { hanging: false, forgotten: false }
    const mark = (what: keyof typeof marks, after: number) =>
      setTimeout(() => {
        marks[what] = true
        this[what]++
        this.pump()
      }, after).unref()
    const timers = [mark('hanging', hangsAfter), mark('forgotten', this.window + arrivesWithin)]
    return {
      sentAt: performance.now(),
      release: () => {
        if (!held) return
        held = false
        for (const timer of timers) clearTimeout(timer)
        if (marks.hanging) this.hanging--
        if (marks.forgotten) this.forgotten--
        this.inFlight--
        this.recentRequests.push(performance.now() + this.window)
        this.pump()
      },
    }
  }

  /** The most important of those waiting; among equals, the one that came first. */
  private first(): Waiting | undefined {
    const rank = ({ claim }: Waiting) => priorities.indexOf(claim.priority)
    return this.queue.reduce<Waiting | undefined>(
      (best, waiting) => (best === undefined || rank(waiting) < rank(best) ? waiting : best),
      undefined,
    )
  }

  private mayGo(priority: Priority, now: number): boolean {
    const more = priority === 'user' ? moreForUsers : 0
    const hasRoom = this.inFlight - this.hanging < maxInFlight + more && this.hanging < maxHanging + more
    return now >= this.blockedUntil && hasRoom && this.used(now) < this.allowed(priority)
  }

  private allowed(priority: Priority): number {
    return Math.max(1, Math.floor(this.limit * share[priority]))
  }

  private used(now: number): number {
    return (
      this.inFlight -
      this.forgotten +
      this.freshRecentRequests(now).length +
      (this.foreignUntil(now) ? this.externalUsage.count : 0)
    )
  }

  private freshRecentRequests(now: number): number[] {
    const fresh = this.recentRequests.findIndex((until) => until > now)
    return fresh === 0 ? this.recentRequests : fresh < 0 ? [] : this.recentRequests.slice(fresh)
  }

  private foreignUntil(now: number): number {
    return this.externalUsage.count > 0 && this.externalUsage.until > now ? this.externalUsage.until : 0
  }

  /** Wakes when something changes by itself; answers wake the queue on their own. */
  private sleep(now: number): void {
    const moments = [this.blockedUntil, this.foreignUntil(now), this.recentRequests[0] ?? 0].filter(
      (moment) => moment > now,
    )
    if (moments.length === 0) return
    this.timer = setTimeout(() => this.pump(), Math.max(1, Math.ceil(Math.min(...moments) - now)))
    this.timer.unref()
  }

  private exhausted() {
    const { next } = this.state()
    return failure(
      'rateLimited',
      'The request budget of this key is used up; this request would have waited too long.',
      {
        retryAfter: Math.max(1, next),
      },
    )
  }
}

/** More than anybody has keys: each one that is tried in a form gets a budget, too. */
const manyBudgets = 100

/** One budget a key. */
export class Budgets {
  private readonly budgets = new Map<string, Budget>()

  /** `known` holds the rules of deployments, by origin, that are known to be others than the default. */
  constructor(private readonly known: Record<string, BudgetRules> = {}) {}

  of(target: Target): Budget {
    const key = budgetKey(target)
    const rules = this.known[new URL(target.baseUrl).origin] ?? defaultRules
    const budget = this.budgets.get(key) ?? new Budget(rules[target.variant])
    if (this.budgets.size >= manyBudgets) this.forgetFresh()
    this.budgets.set(key, budget)
    return budget
  }

  private forgetFresh(): void {
    for (const [key, budget] of this.budgets) if (budget.isFresh()) this.budgets.delete(key)
  }
}
