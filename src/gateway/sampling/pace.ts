/** How often the metrics of a connection are read: as often as is of use, and no oftener than its key can spare. */

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

export interface Course {
  /** Scrapes that succeeded. */
  taken: number
  /** Scrapes that failed since the last one that succeeded. */
  failures: number
  /** Milliseconds that the deployment asked to be left alone. */
  retryAfter: number
  /** Milliseconds between two requests of the key, were its limit spent evenly; 0 where nothing is counted. */
  spacing: number
}

/** The wait until the next scrape, milliseconds, and why it is longer than usual. */
export function paceOf(rules: Pace, { taken, failures, retryAfter, spacing }: Course) {
  const wanted = taken < firstScrapes && failures === 0 ? rules.first : rules.usual
  const afterFailures = Math.min(rules.slowest, wanted * 2 ** Math.min(failures, 20))
  const affordable = spacing * budgetShare
  const pace = Math.max(afterFailures, retryAfter, affordable)
  const slowed = pace <= rules.usual ? null : affordable >= Math.max(afterFailures, retryAfter) ? 'budget' : 'failing'
  return { pace, slowed } as const
}
