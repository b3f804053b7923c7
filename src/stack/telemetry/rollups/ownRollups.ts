/** The roll-ups that the stack itself makes of its tables, by steps of 15 minutes. */
import type { RollupName } from '../../config.ts'
import type { Engine } from '../engine/engine.ts'
import { quoted, tableSql, type TableName } from '../engine/tableName.ts'
import { tables, type TelemetryTable } from '../tables.ts'
import { allRows, selectOfValues } from './rolledValues.ts'
import { keyColumns, valueColumn, type RolledColumn, type RolledValues, type Rollup } from './rollup.ts'

export interface OwnRollup {
  name: RollupName
  /** The table whose rows are rolled up. */
  of: TelemetryTable
  table: string
  dimensions: readonly string[]
  /** The maps whose keys are counted, instead of dimensions. */
  keysOf?: readonly string[]
  /** The maps and columns whose values are counted, instead of dimensions. */
  valuesOf?: RolledValues
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
    name: 'logs.values',
    of: tables.logs,
    table: 'otel_logs_kv_rollup_15m',
    dimensions: [],
    valuesOf: {
      maps: ['LogAttributes', 'ResourceAttributes', 'ScopeAttributes'],
      columns: ['SeverityText', 'ServiceName', 'ScopeName', 'ScopeVersion', 'EventName'],
    },
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
  {
    name: 'traces.values',
    of: tables.traces,
    table: 'otel_traces_kv_rollup_15m',
    dimensions: [],
    valuesOf: {
      maps: ['SpanAttributes', 'ResourceAttributes'],
      columns: ['SpanName', 'SpanKind', 'ServiceName', 'StatusCode', 'ScopeName', 'ScopeVersion'],
    },
  },
]

const time = 'Timestamp'
/** Seconds. */
export const ownStep = 900
const start = `toStartOfFifteenMinutes(${time}) AS ${time}`

/** The roll-ups that the stack may have made of a table. Whether they are there is read from the engine. */
export function ownRollupsOf({ database }: Pick<Engine, 'database'>, base: TableName): Rollup[] {
  if (base.database !== '' && base.database !== database) return []
  return ownRollups.filter(({ of }) => of === base.table).map(rollupOf)
}

export function rollupOf({ table, dimensions, keysOf, valuesOf, measured }: OwnRollup): Rollup {
  return {
    table: { database: '', table },
    time,
    step: ownStep,
    dimensions,
    aggregates: [{ aggFn: 'count', column: 'count', of: undefined }, ...measuresOf(measured)],
    ...(keysOf && { keysOf, total: allRows }),
    ...(valuesOf && { valuesOf, total: allRows }),
    from: 0,
  }
}

function measuresOf(measured: string | undefined): RolledColumn[] {
  const of = measured
  if (of === undefined) return []
  return ['sum', 'min', 'max'].map((aggFn) => ({ aggFn, column: `${aggFn}${of}`, of }))
}

/** The columns of the table, as DDL, and its sorting key. */
export function layoutOfRollup(rollup: OwnRollup): { columns: string; order: string } {
  const { measured } = rollup
  const sorted = sortedColumns(rollup)
  const typeOf = (column: string) => (column === valueColumn ? 'String' : 'LowCardinality(String)')
  return {
    columns: [
      `${time} DateTime CODEC(Delta(4), ZSTD(1))`,
      ...sorted.map((column) => `${column} ${typeOf(column)} CODEC(ZSTD(1))`),
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

/** The columns that tell its rows apart, without the time. */
export function sortedColumns({ dimensions, keysOf, valuesOf }: Pick<Rollup, 'dimensions' | 'keysOf' | 'valuesOf'>) {
  const ofKeys = Object.values(keyColumns)
  if (valuesOf) return [...ofKeys, valueColumn]
  return keysOf ? ofKeys : dimensions
}

/** The rows of the roll-up, from those of its table. @param condition on the rows */
export function selectOfRollup(rollup: OwnRollup, base: TableName, condition?: string): string {
  const { dimensions, keysOf, valuesOf, measured } = rollup
  const where = condition === undefined ? '' : ` WHERE ${condition}`
  if (valuesOf) return selectOfValues(valuesOf, { base, time, start, where })
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
