/**
 * Names in the tables of the collector's ClickHouse exporter that queries for them use, such as those of Grafana. They are
 * computed when they are read: nothing is stored twice, inserts cost the same, and rows of earlier versions have them too.
 */
import { onCluster } from './engine/dialect.ts'
import type { Engine } from './engine/engine.ts'
import { EngineError } from './engine/engineError.ts'
import { alterColumns, type TableChanger } from './engine/tableChanges.ts'
import { tableSql, type TableName } from './engine/tableName.ts'
import { promotedAttributes } from './tableColumns.ts'

/** When each trace began and ended, in whole seconds. */
export const traceTimesView = 'otel_traces_trace_id_ts'

interface Tables {
  logs: string
  traces: string
}

/** The exporter's names of separate resource attributes, which our tables have under the names of the reference. */
const promotedColumns = promotedAttributes.map(
  (key) =>
    `ADD COLUMN IF NOT EXISTS \`__otel_materialized_${key}\` LowCardinality(String) ALIAS ResourceAttributes['${key}']`,
)

function additions(engine: TableChanger, { logs, traces }: Tables): (() => Promise<void>)[] {
  const own = (table: string): TableName => ({ database: '', table })
  return [
    () =>
      alterColumns(engine, own(logs), 'ADD COLUMN IF NOT EXISTS TimestampTime DateTime ALIAS toDateTime(Timestamp)'),
    () => alterColumns(engine, own(logs), promotedColumns.join(', ')),
    () =>
      engine.command(`CREATE VIEW IF NOT EXISTS ${tableSql(own(traceTimesView))}${onCluster(engine.dialect)} AS
SELECT TraceId, toDateTime(min(Timestamp)) AS Start, toDateTime(max(Timestamp)) AS End
FROM ${traces} WHERE TraceId != '' GROUP BY TraceId`),
  ]
}

const accessDenied = 497

/** Adds what is missing, and keeps what an exporter has created. On a server, what the user may not create is left out. */
export async function ensureExporterNames(engine: TableChanger & Pick<Engine, 'kind'>, tables: Tables): Promise<void> {
  for (const add of additions(engine, tables)) {
    try {
      await add()
    } catch (error) {
      if (engine.kind === 'embedded' || !(error instanceof EngineError && error.code === accessDenied)) throw error
    }
  }
}
