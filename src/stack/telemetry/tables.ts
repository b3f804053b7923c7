/** The telemetry tables: docs/DEPLOYMENTS.md#tables, column by column. */
import { group } from 'd3-array'
import type { Dialect } from './engine/dialect.ts'
import { EngineError } from './engine/engineError.ts'
import { parseTableEngine } from './engine/tableEngine.ts'
import {
  alterColumns,
  alterStorage,
  createTable,
  localTable,
  type NewTable,
  type TableChanger,
} from './engine/tableChanges.ts'
import type { Engine } from './engine/engine.ts'
import { ensureExporterNames, type ColumnNames } from './exporterNames.ts'
import { logColumns, metricColumns, pointFractions, spanColumns } from './tableColumns.ts'

export const tables = {
  logs: 'otel_logs',
  traces: 'otel_traces',
  gauge: 'otel_metrics_gauge',
  sum: 'otel_metrics_sum',
  histogram: 'otel_metrics_histogram',
  exponentialHistogram: 'otel_metrics_exponential_histogram',
  summary: 'otel_metrics_summary',
} as const

export type TelemetryTable = (typeof tables)[keyof typeof tables]

interface TableDefinition {
  name: TelemetryTable
  columns: string
  /** Expression of type DateTime that ages a row. */
  age: string
  partition: string
  order: string
  /** Columns that tables of earlier versions do not have, with their types. */
  added?: Readonly<Record<string, string>>
}

const metricLayout = {
  age: 'TimeUnix',
  partition: 'toDate(TimeUnix)',
  order: 'ServiceName, MetricName, toStartOfHour(TimeUnix), cityHash64(Attributes), TimeUnix',
  added: pointFractions,
}

const definitions: TableDefinition[] = [
  {
    name: tables.logs,
    columns: logColumns,
    age: 'toDateTime(Timestamp)',
    partition: 'toDate(Timestamp)',
    order: 'toStartOfFiveMinutes(Timestamp), ServiceName, Timestamp',
  },
  {
    name: tables.traces,
    columns: spanColumns,
    age: 'toDateTime(Timestamp)',
    partition: 'toDate(Timestamp)',
    order: 'ServiceName, SpanName, toDateTime(Timestamp)',
  },
  { name: tables.gauge, columns: metricColumns.gauge, ...metricLayout },
  { name: tables.sum, columns: metricColumns.sum, ...metricLayout },
  { name: tables.histogram, columns: metricColumns.histogram, ...metricLayout },
  { name: tables.exponentialHistogram, columns: metricColumns.exponentialHistogram, ...metricLayout },
  { name: tables.summary, columns: metricColumns.summary, ...metricLayout },
]

type TableMaker = TableChanger & Pick<Engine, 'kind'>

/** The table that a batch of telemetry is inserted into: on a cluster, one of the server that takes it, so that it is stored as a whole. */
export function insertedTable(dialect: Dialect, table: string): string {
  return localTable(dialect, { database: '', table }).table
}

/**
 * Creates missing tables, keeps existing ones with the columns that they lack, and adds the names of `exporterNames.ts`. On a
 * server, rows older than `retentionDays` are dropped by itself, a day's partition at a time, until `keepTtl` says otherwise. The
 * embedded engine drops nothing by itself: see `retention.ts`.
 */
export async function ensureTables(engine: TableMaker, retentionDays = 30): Promise<void> {
  if (!Number.isInteger(retentionDays) || retentionDays < 1) {
    throw new RangeError(`retention must be a whole number of days, at least 1, not ${retentionDays}`)
  }
  if (engine.dialect.kind === 'cluster') await refuseOtherTables(engine)
  const isEmbedded = engine.kind === 'embedded'
  // Nobody else makes tables of the embedded engine. Each statement that changes nothing takes it 5 to 20 ms.
  const existing = isEmbedded ? await storedEngines(engine) : new Map<TelemetryTable, string>()
  for (const table of definitions.filter(({ name }) => !existing.has(name))) {
    await createTable(engine, newTable(table, isEmbedded ? null : retentionDays))
  }
  const known = await columnNames(engine)
  await addColumns(engine, known)
  for (const [name, current] of existing) {
    await applySettings(engine, name, current)
    // Tables of earlier versions have one.
    if (current.includes(' TTL ')) await alterStorage(engine, { database: '', table: name }, 'REMOVE TTL')
  }
  await ensureExporterNames(engine, tables, isEmbedded ? known : undefined)
}

/** Makes the tables of a server keep rows for as many days, where they keep them for others. */
export async function keepTtl(engine: TableChanger, daysOf: (table: TelemetryTable) => number): Promise<void> {
  const existing = await storedEngines(engine)
  for (const table of definitions) {
    const kept = daysOf(table.name)
    if (existing.get(table.name)?.includes(`toIntervalDay(${kept})`) === false)
      await alterStorage(engine, { database: '', table: table.name }, `MODIFY TTL ${ttl(table, kept)}`)
  }
}

/** `engine_full` of what stores the rows of each table that exists. */
async function storedEngines(engine: Pick<Engine, 'query' | 'dialect'>): Promise<Map<TelemetryTable, string>> {
  const stored = await enginesOf(
    engine,
    definitions.map(({ name }) => insertedTable(engine.dialect, name)),
  )
  return new Map(
    definitions.flatMap(({ name }): [TelemetryTable, string][] => {
      const full = stored.get(insertedTable(engine.dialect, name))
      return full === undefined ? [] : [[name, full]]
    }),
  )
}

/** `engine_full` of those tables that exist, by name. */
async function enginesOf(engine: Pick<Engine, 'query'>, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await engine.query<{ name: string; engine_full: string }>(
    `SELECT name, engine_full FROM system.tables WHERE database = currentDatabase() AND name IN {names:Array(String)}`,
    { params: { names } },
  )
  return new Map(rows.map(({ name, engine_full }) => [name, engine_full]))
}

/** Rows of a table that is not Distributed would be read where none are stored. @throws EngineError */
async function refuseOtherTables(engine: Pick<Engine, 'query' | 'database'>): Promise<void> {
  const existing = await enginesOf(
    engine,
    definitions.map(({ name }) => name),
  )
  for (const [name, full] of existing) {
    const { name: kind } = parseTableEngine(full)
    if (kind === 'Distributed') continue
    throw new EngineError(
      0,
      'NOT_DISTRIBUTED',
      `CLICKHOUSE_CLUSTER: ${engine.database}.${name} is a ${kind} table of one server. Rename it, or name another database in CLICKHOUSE_URL.`,
    )
  }
}

/** The names of the columns of each table and view. */
async function columnNames(engine: Pick<Engine, 'query'>): Promise<ColumnNames> {
  const rows = await engine.query<{ table: string; name: string }>(
    'SELECT table, name FROM system.columns WHERE database = currentDatabase()',
  )
  return new Map(
    [...group(rows, ({ table }) => table)].map(([table, of]) => [table, new Set(of.map(({ name }) => name))]),
  )
}

async function addColumns(engine: TableMaker, known: ColumnNames): Promise<void> {
  for (const { name, added = {} } of definitions) {
    const missing = Object.entries(added).filter(([column]) => !known.get(name)?.has(column))
    const columns = missing.map(([column, type]) => `ADD COLUMN IF NOT EXISTS ${column} ${type}`)
    if (columns.length > 0) await alterColumns(engine, { database: '', table: name }, columns.join(', '))
  }
}

async function applySettings(engine: Pick<Engine, 'command'>, table: TelemetryTable, current: string): Promise<void> {
  const missing = embeddedSettings.filter((setting) => !current.includes(setting))
  if (missing.length > 0) await engine.command(`ALTER TABLE ${table} MODIFY SETTING ${missing.join(', ')}`)
}

/** Parts are merged once there are ten of a size, which rewrites each row less often than the default of five. */
export const fewMerges = 'merge_selector_base = 10'

/**
 * Settings of the embedded engine; a server may not know them. Inserts leave 64 MiB of the disk to records. Merges of the size of
 * some inserts copy one column after the other, as larger ones do: 2.6 µs a row instead of 4.9, where rows arrive in the order of time.
 */
const embeddedSettings = [
  fewMerges,
  'min_free_disk_bytes_to_perform_insert = 67108864',
  'vertical_merge_algorithm_min_rows_to_activate = 16384',
]

/** Settings of a table whose inserts are answered once their part is on disk. */
export const syncedInserts = ['fsync_after_insert = 1', 'fsync_part_directory = 1']

const settings = ['ttl_only_drop_parts = 1', 'materialize_ttl_recalculate_only = 1', ...syncedInserts]

/** @param retentionDays null for a table of the embedded engine */
function newTable(table: TableDefinition, retentionDays: number | null): NewTable {
  return {
    name: { database: '', table: table.name },
    columns: table.columns,
    engine: 'MergeTree',
    clauses: `PARTITION BY ${table.partition}
ORDER BY (${table.order})
${retentionDays === null ? '' : `TTL ${ttl(table, retentionDays)}`}
SETTINGS ${[...settings, ...(retentionDays === null ? embeddedSettings : [])].join(', ')}`,
  }
}

function ttl(table: TableDefinition, retentionDays: number): string {
  return `${table.age} + toIntervalDay(${retentionDays})`
}
