/**
 * The counts of a rate limit, for `@fastify/rate-limit`. Windows end by the monotonic clock: the store that comes with it
 * reads the clock of the machine, and after that was set back, a window would last until the old time has come again.
 */
import type { FastifyRateLimitStore } from '@fastify/rate-limit'

interface Window {
  count: number
  /** By `performance.now()`. */
  since: number
}

/** Keys that are counted at a time. Those whose windows began first are forgotten first. */
const maxKeys = 5000

export class RateWindows implements FastifyRateLimitStore {
  /** In the order in which the windows began. */
  readonly #windows = new Map<string, Window>()

  /** Counts a request. @param timeWindow milliseconds @param done called with the count, and the milliseconds that are left of the window */
  incr(key: string, done: Parameters<FastifyRateLimitStore['incr']>[1], timeWindow: number): void {
    const now = performance.now()
    const known = this.#windows.get(key)
    const isOver = known === undefined || now - known.since >= timeWindow
    const window = isOver ? this.#begin(key, now) : known
    window.count += 1
    done(null, { current: window.count, ttl: window.since + timeWindow - now })
  }

  /** The counts of a route with a limit of its own. */
  child(): RateWindows {
    return new RateWindows()
  }

  #begin(key: string, now: number): Window {
    const window = { count: 0, since: now }
    this.#windows.delete(key)
    this.#windows.set(key, window)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > maxKeys && oldest !== undefined) this.#windows.delete(oldest)
    return window
  }
}
