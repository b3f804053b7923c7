/** The roll-ups that the stack itself makes of its tables, by steps of 15 minutes. */
import type { RollupName } from '../../config.ts'
import type { Engine } from '../engine/engine.ts'
import { quoted, tableSql, type TableName } from '../engine/tableName.ts'
import { tables, type TelemetryTable } from '../tables.ts'
import { keyColumns, type RolledColumn, type Rollup } from './rollup.ts'

export interface OwnRollup {
  name: RollupName
  /** The table whose rows are rolled up. */
  of: TelemetryTable
  table: string
  dimensions: readonly string[]
  /** The maps whose keys are counted, instead of dimensions. */
  keysOf?: readonly string[]
  /** The column whose sum, smallest and largest value are kept. */
  measured?: string
}

export const ownRollups: readonly OwnRollup[] = [
  {
    name: 'logs.counts',
    of: tables.logs,
    table: 'otel_logs_rollup_15m',
    dimensions: ['ServiceName', 'SeverityText'],
  },
  {
    name: 'logs.keys',
    of: tables.logs,
    table: 'otel_logs_key_rollup_15m',
    dimensions: [],
    keysOf: ['LogAttributes', 'ResourceAttributes'],
  },
  {
    name: 'traces.counts',
    of: tables.traces,
    table: 'otel_traces_rollup_15m',
    dimensions: ['ServiceName', 'SpanName', 'SpanKind', 'StatusCode'],
    measured: 'Duration',
  },
  {
    name: 'traces.keys',
    of: tables.traces,
    table: 'otel_traces_key_rollup_15m',
    dimensions: [],
    keysOf: ['SpanAttributes', 'ResourceAttributes'],
  },
]

const time = 'Timestamp'
/** Seconds. */
const step = 900

/** The roll-ups that the stack may have made of a table. Whether they are there is read from the engine. */
export function ownRollupsOf({ database }: Pick<Engine, 'database'>, base: TableName): Rollup[] {
  if (base.database !== '' && base.database !== database) return []
  return ownRollups.filter(({ of }) => of === base.table).map(rollupOf)
}

export function rollupOf({ table, dimensions, keysOf, measured }: OwnRollup): Rollup {
  return {
    table: { database: '', table },
    time,
    step,
    dimensions,
    aggregates: [{ aggFn: 'count', column: 'count', of: undefined }, ...measuresOf(measured)],
    ...(keysOf && { keysOf }),
    from: 0,
  }
}

function measuresOf(measured: string | undefined): RolledColumn[] {
  const of = measured
  if (of === undefined) return []
  return ['sum', 'min', 'max'].map((aggFn) => ({ aggFn, column: `${aggFn}${of}`, of }))
}

/** The columns of the table, as DDL, and its sorting key. */
export function layoutOfRollup({ dimensions, keysOf, measured }: OwnRollup): { columns: string; order: string } {
  const word = 'LowCardinality(String) CODEC(ZSTD(1))'
  const sorted = keysOf ? Object.values(keyColumns) : dimensions
  return {
    columns: [
      `${time} DateTime CODEC(Delta(4), ZSTD(1))`,
      ...sorted.map((column) => `${column} ${word}`),
      'count SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1))',
      // A sum of nanoseconds may not fit into 64 bits.
      ...(measured === undefined
        ? []
        : [
            `sum${measured} SimpleAggregateFunction(sum, Int128) CODEC(ZSTD(1))`,
            `min${measured} SimpleAggregateFunction(min, UInt64) CODEC(ZSTD(1))`,
            `max${measured} SimpleAggregateFunction(max, UInt64) CODEC(ZSTD(1))`,
          ]),
    ].join(',\n'),
    order: [...sorted, time].join(', '),
  }
}

/** The rows of the roll-up, from those of its table. @param condition on the rows */
export function selectOfRollup(rollup: OwnRollup, base: TableName, condition?: string): string {
  const { dimensions, keysOf, measured } = rollup
  const where = condition === undefined ? '' : ` WHERE ${condition}`
  const start = `toStartOfFifteenMinutes(${time}) AS ${time}`
  if (keysOf) {
    // Rows with the same keys are put together first: they are many.
    const keys = keysOf.map((map, at) => `mapKeys(${quoted(map)}) AS keys${at}`)
    const pairs = keysOf.map((map, at) => `arrayMap(key -> ('${map}', key), keys${at})`)
    const { map, key } = keyColumns
    return `SELECT ${time}, pair.1 AS ${map}, pair.2 AS ${key}, sum(rows) AS count
      FROM (SELECT ${[start, ...keys, 'count() AS rows'].join(', ')} FROM ${tableSql(base)}${where}
        GROUP BY ${[time, ...keysOf.map((_, at) => `keys${at}`)].join(', ')})
      ARRAY JOIN arrayConcat([('', '')], ${pairs.join(', ')}) AS pair GROUP BY ${[time, map, key].join(', ')}`
  }
  const measures = measured
    ? [
        `sum(toInt128(${measured})) AS sum${measured}`,
        ...['min', 'max'].map((name) => `${name}(${measured}) AS ${name}${measured}`),
      ]
    : []
  return `SELECT ${[start, ...dimensions, 'count() AS count', ...measures].join(', ')} FROM ${tableSql(base)}${where}
    GROUP BY ${[time, ...dimensions].join(', ')}`
}
