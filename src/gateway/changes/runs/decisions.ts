/** The decisions of people for a plan. */
import type { z } from 'zod'
import type { undoInput } from '#contract/console/runs.ts'

/**
 * Whether the plan is one that was shown before, with other decisions: it is made from the same records, because reading them
 * again takes a request for each kind.
 */
export function isDecided({ sides, entered }: Pick<z.output<typeof undoInput>, 'sides' | 'entered'>): boolean {
  return Object.keys(sides).length > 0 || Object.keys(entered).length > 0
}
