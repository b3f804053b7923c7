/** How a limit is divided between the consoles that use its key. */
import type { Demand } from './requestBudget.ts'

/** The fraction of a limit that a console reserves beyond its use, so that it need not ask for more with each request. */
const spare = 0.1

/**
 * The portion of a limit that a console asks for.
 * @param wanting number of other consoles that wait for more: then none takes more than it needs or more than an equal part
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
 * The part of its portion that a console keeps while it asks again. A console that waits because all portions together have
 * reached the ceiling of its requests gives back what it does not use. Otherwise several waiting consoles could reserve
 * portions that none of them may use.
 */
export function keptPortion({ portion, ceiling, inUse, waiting }: Demand, goal: number): number {
  const isStuck = waiting > 0 && inUse + portion.othersSize >= ceiling
  return Math.min(portion.size, goal, isStuck ? inUse : goal)
}

interface Division {
  /** The limit of all consoles together. */
  ceiling: number
  /** See `keptPortion`. */
  kept: number
  goal: number
  /** The sizes of the others' portions together. */
  othersSize: number
}

/** The portion that a console gets. */
export function portionOf({ ceiling, kept, goal, othersSize }: Division): number {
  return Math.max(kept, Math.min(goal, Math.max(0, ceiling - othersSize)))
}
