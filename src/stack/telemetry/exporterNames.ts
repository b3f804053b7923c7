/**
 * Names in the tables of the collector's ClickHouse exporter that queries for them use, such as those of Grafana. They are
 * computed when they are read: nothing is stored twice, inserts cost the same, and rows of earlier versions have them too.
 */
import { onCluster } from './engine/dialect.ts'
import type { Engine } from './engine/engine.ts'
import { EngineError } from './engine/engineError.ts'
import { alterColumns, type TableChanger } from './engine/tableChanges.ts'
import { quoted, tableSql, type TableName } from './engine/tableName.ts'
import { promotedAttributes } from './tableColumns.ts'

/** When each trace began and ended, in whole seconds. */
export const traceTimesView = 'otel_traces_trace_id_ts'

interface Tables {
  logs: string
  traces: string
}

/** The names of columns by table or view. */
export type ColumnNames = ReadonlyMap<string, ReadonlySet<string>>

/** The columns of logs with the exporter's names: the time, and separate resource attributes, which our tables have under the names of the reference. */
const logColumns: Readonly<Record<string, string>> = {
  TimestampTime: 'DateTime ALIAS toDateTime(Timestamp)',
  ...Object.fromEntries(
    promotedAttributes.map((key) => [
      `__otel_materialized_${key}`,
      `LowCardinality(String) ALIAS ResourceAttributes['${key}']`,
    ]),
  ),
}

/** The names that are missing. */
function additions(engine: TableChanger, { logs, traces }: Tables, known: ColumnNames): (() => Promise<void>)[] {
  const own = (table: string): TableName => ({ database: '', table })
  const columns = Object.entries(logColumns)
    .filter(([name]) => !known.get(logs)?.has(name))
    .map(([name, type]) => `ADD COLUMN IF NOT EXISTS ${quoted(name)} ${type}`)
  const addColumns = () => alterColumns(engine, own(logs), columns.join(', '))
  const addView = () =>
    engine.command(`CREATE VIEW IF NOT EXISTS ${tableSql(own(traceTimesView))}${onCluster(engine.dialect)} AS
SELECT TraceId, toDateTime(min(Timestamp)) AS Start, toDateTime(max(Timestamp)) AS End
FROM ${traces} WHERE TraceId != '' GROUP BY TraceId`)
  return [...(columns.length > 0 ? [addColumns] : []), ...(known.has(traceTimesView) ? [] : [addView])]
}

const accessDenied = 497

/**
 * Adds what is missing, and keeps what an exporter has created. On a server, what the user may not create is left out.
 * @param known what is certainly there
 */
export async function ensureExporterNames(
  engine: TableChanger & Pick<Engine, 'kind'>,
  tables: Tables,
  known: ColumnNames = new Map(),
): Promise<void> {
  for (const add of additions(engine, tables, known)) {
    try {
      await add()
    } catch (error) {
      if (engine.kind === 'embedded' || !(error instanceof EngineError && error.code === accessDenied)) throw error
    }
  }
}
