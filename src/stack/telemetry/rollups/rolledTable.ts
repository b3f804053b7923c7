/** Finds the roll-up that a chart over a table is read from, and the part of the range that it has. */
import type { Engine } from '../engine/engine.ts'
import { EngineAborted, EngineError } from '../engine/engineError.ts'
import { engineMemory, type EngineIdentity } from '../engine/engineMemory.ts'
import type { TableName } from '../engine/tableName.ts'
import { chooseRollup, type RollupQuestion } from './chooseRollup.ts'
import { differentDays, splitRange, type SplitRange } from './completeDays.ts'
import type { Rollup } from './rollup.ts'
import { definedRollup, type RolledTable } from './rollupDefinition.ts'

export interface RolledRange extends SplitRange {
  rollup: Rollup
}

/** A statement over more intervals costs more than it saves. */
const maxIntervals = 8

/** Fewer rows are read in less time than it takes to find out whether a roll-up has all of them. */
const worthwhileRows = 1_000_000

interface Searched {
  rollups: readonly Rollup[]
  base: RolledTable
  signal: AbortSignal
  /** The rows of a table from which on its roll-ups are read. */
  leastRows?: number | undefined
}

/**
 * Null where the rows themselves are to be read, also where the engine does not tell enough.
 * @throws EngineAborted
 */
export async function findRolledRange(
  engine: Pick<Engine, 'query' | 'dialect' | 'database' | 'identity'>,
  question: RollupQuestion,
  { rollups, base, signal, leastRows = worthwhileRows }: Searched,
): Promise<RolledRange | null> {
  // Most are out of the question without a look at their tables.
  const possible = rollups.filter((rollup) => 'rollup' in chooseRollup(question, [rollup]))
  if (possible.length === 0) return null
  const table = { database: base.table.database || engine.database, table: base.table.table }
  try {
    if ((await storedRows(engine, table)) < leastRows) return null
    const defined = await Promise.all(possible.map((candidate) => definedRollup(engine, candidate, base)))
    const choice = chooseRollup(
      question,
      defined.filter((rollup) => typeof rollup !== 'string'),
    )
    if (!('rollup' in choice)) return null
    const { rollup, steps } = choice
    const different = await differentDays(engine, rollup, table, {
      ...steps,
      valuesOf: rollup.valuesOf && question.valuesOf,
      signal,
    })
    const range = splitRange(question, steps, (day) => !different.has(day))
    const isWorth = range.rolled.length > 0 && range.rest.length <= maxIntervals
    return isWorth ? { ...range, rollup } : null
  } catch (error) {
    if (error instanceof EngineError && !(error instanceof EngineAborted)) return null
    throw error
  }
}

const rowCounts = engineMemory<number>({ keepMs: 60_000 })

/** How many rows a table has, asked at most once a minute; 0 for one that does not count them, such as a view. */
function storedRows(engine: Pick<Engine, 'query'> & EngineIdentity, { database, table }: TableName): Promise<number> {
  return rowCounts(engine, JSON.stringify([database, table]), async () => {
    const [row] = await engine.query<{ rows: string | number | null }>(
      'SELECT total_rows AS rows FROM system.tables WHERE database = {database:String} AND name = {table:String}',
      { params: { database, table } },
    )
    return Number(row?.rows ?? 0)
  })
}
