/** How often the metrics of a connection are read: as often as is of use, and no oftener than its key can spare. */
import type { Slowed } from '#contract/pipeSamples.ts'

export interface Pace {
  /** Milliseconds between the first scrapes, so that a rate can be told soon. */
  first: number
  usual: number
  slowest: number
}

export const usualPace: Pace = { first: 5_000, usual: 15_000, slowest: 300_000 }

/** Scrapes at the first pace. */
const firstScrapes = 3

/** Of the requests that a key may send, sampling takes one in this many at most. */
export const budgetShare = 4

/** The share of its limit that a key should have left: below, others go first and sampling slows down. */
export const enoughLeft = 0.5

export interface Course {
  /** Scrapes that succeeded. */
  taken: number
  /** Scrapes that failed since the last one that succeeded, and whether there had been too many requests. */
  failures: number
  limited: boolean
  /** Milliseconds that the deployment asked to be left alone. */
  retryAfter: number
  /** Milliseconds between two requests of the key, were its limit spent evenly; 0 where nothing is counted. */
  spacing: number
  /** How often of late, less those when it had, the key had not enough left. */
  short: number
}

/** The wait until the next scrape, milliseconds, and why it is longer than usual. */
export function paceOf(rules: Pace, course: Course): { pace: number; slowed: Slowed | null } {
  const { taken, failures, limited, retryAfter, spacing, short } = course
  const wanted = taken < firstScrapes && failures === 0 ? rules.first : rules.usual
  const doubled = (times: number) => Math.min(rules.slowest, wanted * 2 ** Math.min(times, 20))
  const waits: readonly (readonly [number, Slowed])[] = [
    [spacing * budgetShare, 'limit'],
    [doubled(short), 'budget'],
    [Math.max(doubled(failures), retryAfter), limited ? 'rateLimited' : 'failing'],
  ]
  const pace = Math.max(...waits.map(([wait]) => wait))
  const reason = waits.find(([wait]) => wait === pace)
  return { pace, slowed: pace > rules.usual && reason ? reason[1] : null }
}

/** How short the key is after another look at it: slower each time that too little was left, faster each time that it was not. */
export function shortness(before: number, left: number): number {
  return left < enoughLeft ? Math.min(before + 1, mostShort) : Math.max(0, before - 1)
}

/** From here on the pace is the slowest, and further counting would only put off the recovery. */
const mostShort = 5
