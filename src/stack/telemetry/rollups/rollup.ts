/** Tables with aggregates of the rows of another one, by steps of time: materialized views that a source names. */
import { z } from 'zod'
import { granularitySeconds } from '#contract/stack/charts.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import { materializedView } from '#contract/stack/sourceRules.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { TableName } from '../engine/tableName.ts'
import { SourceTableError, type ReadableDatabases } from '../readableTables.ts'

export const rollupFunctions = ['count', 'sum', 'min', 'max'] as const
export type RollupFunction = (typeof rollupFunctions)[number]

export interface RolledColumn {
  /** As the source names it. Those beside `rollupFunctions` are never read. */
  aggFn: string
  /** The column of the roll-up. */
  column: string
  /** The column of the rows; undefined for counts. */
  of: string | undefined
}

/** A roll-up as it is described. Whether the table is like that is read from the engine: see `rollupDefinition.ts`. */
export interface Rollup {
  table: TableName
  /** The column with the start of the step. */
  time: string
  /** Seconds. */
  step: number
  /** Columns of the rows that it has as they are. */
  dimensions: readonly string[]
  aggregates: readonly RolledColumn[]
  /**
   * The maps whose keys it counts, in rows with the name of the map and the key (`keyColumns`) instead of dimensions.
   * The rows with empty ones count all rows. Absent for any other roll-up.
   */
  keysOf?: readonly string[]
  /** Milliseconds since 1970: it has no complete steps from before. */
  from: number
}

/** The columns of a roll-up of keys, as the reference has them. */
export const keyColumns = { map: 'ColumnIdentifier', key: 'Key' } as const

const views = z.array(materializedView)

/** The roll-ups that a source names, without those in databases that it may not read. */
export function namedRollups(source: Source, databases: ReadableDatabases): Rollup[] {
  // Sources have further fields beside those of the schema.
  const named = views.safeParse(source['materializedViews'] ?? [])
  return (named.data ?? []).flatMap((view): Rollup[] => {
    const database = resolved(view.databaseName, databases)
    if (database === undefined) return []
    return [
      {
        table: { database, table: view.tableName },
        time: plainName(view.timestampColumn),
        step: granularitySeconds(view.minGranularity, 0, 0),
        dimensions: splitExpressions(view.dimensionColumns).map(plainName),
        aggregates: view.aggregatedColumns.map(({ aggFn, mvColumn, sourceColumn }) => ({
          aggFn,
          column: plainName(mvColumn),
          of: aggFn === 'count' || !sourceColumn ? undefined : plainName(sourceColumn),
        })),
        from: view.minDate ? Date.parse(view.minDate) : 0,
      },
    ]
  })
}

function resolved(database: string, databases: ReadableDatabases): string | undefined {
  try {
    return databases.resolve(database)
  } catch (error) {
    if (error instanceof SourceTableError) return undefined
    throw error
  }
}

const plainName = (name: string): string => /^`([^`\\]+)`$/.exec(name.trim())?.[1] ?? name.trim()

/** The column with an aggregate, if the roll-up has it. */
export function rolledColumn(rollup: Rollup, aggFn: RollupFunction, of?: string): string | undefined {
  return rollup.aggregates.find((aggregate) => aggregate.aggFn === aggFn && aggregate.of === of)?.column
}
