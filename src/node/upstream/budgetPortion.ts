/** How a limit is divided between the consoles that use its key. */
import type { Demand } from './requestBudget.ts'

/** The share of a limit that a console holds beyond what it has in use, so that not each request asks for more. */
const spare = 0.1

/**
 * The portion that a console would have of a limit.
 * @param wanting others that wait for more: then nobody holds more than it needs, or more than its part
 */
export function wantedPortion(
  { limit, ceiling, inUse, waiting }: Pick<Demand, 'limit' | 'ceiling' | 'inUse' | 'waiting'>,
  wanting: number,
): number {
  const needed = inUse + waiting
  if (needed === 0) return 0
  if (wanting === 0) return Math.min(limit, needed + Math.max(1, Math.floor(limit * spare)))
  return Math.min(needed, Math.max(1, Math.floor(ceiling / (wanting + 1))))
}

/**
 * The part that a console keeps of its portion while it asks again. One that waits because all portions together reach what its
 * requests may use gives back the rest: several that wait could otherwise hold what none of them may use.
 */
export function keptPortion({ portion, ceiling, inUse, waiting }: Demand, goal: number): number {
  const isStuck = waiting > 0 && inUse + portion.held >= ceiling
  return Math.min(portion.size, goal, isStuck ? inUse : goal)
}

interface Division {
  /** The limit of all consoles together. */
  ceiling: number
  /** See `keptPortion`. */
  kept: number
  goal: number
  /** The portions of the others. */
  held: number
}

/** The portion that a console gets. */
export function portionOf({ ceiling, kept, goal, held }: Division): number {
  return Math.max(kept, Math.min(goal, Math.max(0, ceiling - held)))
}
