/** Changes of services and pipes that take effect later. Their time is stored, and the state is derived from it. */
import { stepTolerance } from '#node/clock/wallClock.ts'

/** Milliseconds that a change takes at most: `CONVERGENCE_SECONDS`. */
const longestChange = 3_600_000

/**
 * When a change takes effect, epoch milliseconds. One that is further ahead than a change takes was requested before the
 * clock was set back, and is in effect.
 */
export function effectiveAt({ at }: { at: string }, now: number): number {
  const time = Date.parse(at)
  return time > now + longestChange + stepTolerance ? now : time
}

/** Whether a change has taken effect. */
export function isDue(change: { at: string }, now: number): boolean {
  return effectiveAt(change, now) <= now
}
