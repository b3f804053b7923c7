/** Finds the roll-up that a chart over a table is read from, and the part of the range that it has. */
import type { Engine } from '../engine/engine.ts'
import { EngineAborted, EngineError } from '../engine/engineError.ts'
import { chooseRollup, type RollupQuestion } from './chooseRollup.ts'
import { differentDays, splitRange, type SplitRange } from './completeDays.ts'
import type { Rollup } from './rollup.ts'
import { definedRollup, type RolledTable } from './rollupDefinition.ts'

export interface RolledRange extends SplitRange {
  rollup: Rollup
}

/** Beyond so many intervals, a statement over them costs more than it saves. */
const mostIntervals = 8

/**
 * Null where the rows themselves are to be read, also where the engine does not tell enough.
 * @throws EngineAborted
 */
export async function findRolledRange(
  engine: Pick<Engine, 'query' | 'dialect' | 'database' | 'progressOf'>,
  question: RollupQuestion,
  { rollups, base, signal }: { rollups: readonly Rollup[]; base: RolledTable; signal: AbortSignal },
): Promise<RolledRange | null> {
  // Most are out of the question without a look at their tables.
  const possible = rollups.filter((one) => 'rollup' in chooseRollup(question, [one]))
  if (possible.length === 0) return null
  try {
    const defined = await Promise.all(possible.map((one) => definedRollup(engine, one, base)))
    const choice = chooseRollup(
      question,
      defined.filter((one) => typeof one !== 'string'),
    )
    if (!('rollup' in choice)) return null
    const { rollup, steps } = choice
    const table = { database: base.table.database || engine.database, table: base.table.table }
    const different = await differentDays(engine, rollup, table, { ...steps, signal })
    const range = splitRange(question, steps, (day) => !different.has(day))
    const isWorth = range.rolled.length > 0 && range.rest.length <= mostIntervals
    return isWorth ? { ...range, rollup } : null
  } catch (error) {
    if (error instanceof EngineError && !(error instanceof EngineAborted)) return null
    throw error
  }
}
