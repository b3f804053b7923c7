/** Tables with aggregates of the rows of another one, by steps of time: materialized views that a source names. */
import { z } from 'zod'
import { granularitySeconds } from '#contract/stack/charts.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import { materializedView, metadataMaterializedViews } from '#contract/stack/sourceRules.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { TableName } from '../engine/tableName.ts'
import type { Attribute } from '../fieldExpressions.ts'
import { SourceTableError, type ReadableDatabases } from '../readableTables.ts'
import type { Columns } from '../tableLayout.ts'

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
  /** The maps whose keys it counts, in rows with the name of the map and the key (`keyColumns`) instead of dimensions. */
  keysOf?: readonly string[]
  /** The maps and columns whose values it counts, in rows of `keyColumns` and `valueColumn` instead of dimensions. */
  valuesOf?: RolledValues
  /** The name and key in those of its rows that count all rows. Only with `keysOf` and `valuesOf`. */
  total?: RowLabel
  /** Milliseconds since 1970: it has no complete steps from before. */
  from: number
}

export interface RolledValues {
  /** The first one is that of a row itself; many rows share the others. */
  maps: readonly string[]
  /** Columns that have one text for each row. */
  columns: readonly string[]
  /** Whether it may have the values of a key with brackets, such as `items[0].id`, under another one. */
  changesBrackets?: boolean
}

/** Texts in `keyColumns`. */
export interface RowLabel {
  map: string
  key: string
}

/** The columns of a roll-up of keys or values, as the reference has them. */
export const keyColumns = { map: 'ColumnIdentifier', key: 'Key' } as const
export const valueColumn = 'Value'
/** Stored in place of the name of a map for values of a column. */
const ofColumn = 'NativeColumn'

/** Where a roll-up has the values of an attribute, or of a column. */
export function labelOf({ column, key }: Attribute): RowLabel {
  return key === undefined ? { map: ofColumn, key: column } : { map: column, key }
}

/** Whether a roll-up has the values of an attribute or a column. */
export function hasValues({ maps, columns, changesBrackets }: RolledValues, { column, key }: Attribute): boolean {
  if (key === undefined) return columns.includes(column)
  return maps.includes(column) && !(changesBrackets && key.includes('['))
}

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

/** The table of values that a source names, as if it had those of all columns. */
export function namedValues(source: Source, databases: ReadableDatabases, columns: Columns): Rollup[] {
  const named = metadataMaterializedViews.safeParse(source['metadataMaterializedViews'])
  const database = resolved(source.from?.databaseName ?? '', databases)
  if (!named.success || database === undefined) return []
  const ofKind = (kind: 'map' | 'text') => [...columns].flatMap(([name, type]) => (type.kind === kind ? [name] : []))
  return [
    {
      table: { database, table: named.data.kvRollupTable },
      time: 'Timestamp',
      step: granularitySeconds(named.data.granularity, 0, 0),
      dimensions: [],
      aggregates: [{ aggFn: 'count', column: 'count', of: undefined }],
      valuesOf: { maps: ofKind('map'), columns: ofKind('text') },
      // Each row has a service, if only an empty one.
      total: labelOf({ column: source.serviceNameExpression ?? 'ServiceName' }),
      from: 0,
    },
  ]
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
