/**
 * How often the metrics of a connection are read. The interval grows if reading would take more than a quarter of the key's
 * rate limit, if other clients use more than half of it, after a 429 (not before `Retry-After`), and while the deployment
 * fails. The page shows the interval and its reason.
 */
import type { Slowed } from '#contract/console/sampling/pipeSamples.ts'

/** Milliseconds between scrapes. */
export interface SamplingIntervals {
  /** For the first scrapes, so that rates are shown soon. */
  first: number
  usual: number
  longest: number
}

export const defaultIntervals: SamplingIntervals = { first: 5_000, usual: 15_000, longest: 300_000 }

/** The number of scrapes at the first interval. */
const firstScrapes = 6

/** Sampling takes at most one in this many of the requests that a key may send. */
export const budgetShare = 4

/** Below this share of the rate limit, sampling slows down for other requests. */
const enoughLeft = 0.5

export interface SamplingState {
  /** Scrapes that succeeded. */
  taken: number
  /** Failures since the last successful scrape. */
  failures: number
  /** Whether the last failure was a 429. */
  limited: boolean
  /** Milliseconds from the deployment's Retry-After. */
  retryAfter: number
  /** Milliseconds between two requests if the rate limit were spent evenly; 0 without a limit. */
  spacing: number
  /** How often the key had recently too few requests left, see `nextShortage`. */
  shortage: number
}

/** The milliseconds until the next scrape, and why they are more than usual. */
export function intervalOf(
  intervals: SamplingIntervals,
  state: SamplingState,
): { pace: number; slowed: Slowed | null } {
  const { taken, failures, limited, retryAfter, spacing, shortage } = state
  const normal = taken < firstScrapes && failures === 0 ? intervals.first : intervals.usual
  const doubled = (times: number) => Math.min(intervals.longest, normal * 2 ** Math.min(times, 20))
  const waits: readonly (readonly [number, Slowed])[] = [
    [spacing * budgetShare, 'limit'],
    [doubled(shortage), 'budget'],
    [Math.max(doubled(failures), retryAfter), limited ? 'rateLimited' : 'failing'],
  ]
  const pace = Math.max(...waits.map(([wait]) => wait))
  const reason = waits.find(([wait]) => wait === pace)
  return { pace, slowed: pace > intervals.usual && reason ? reason[1] : null }
}

/** The shortage after another check: one more if too few requests are left, else one less. */
export function nextShortage(before: number, left: number): number {
  return left < enoughLeft ? Math.min(before + 1, maxShortage) : Math.max(0, before - 1)
}

/** The interval is the longest here. Counting further would only delay the recovery. */
const maxShortage = 5
