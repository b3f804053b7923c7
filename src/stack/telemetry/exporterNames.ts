/**
 * Names in the tables of the collector's ClickHouse exporter that queries for them use, such as those of Grafana. They are
 * computed when they are read: nothing is stored twice, inserts cost the same, and rows of earlier versions have them too.
 */
import type { Engine } from './engine/engine.ts'
import { EngineError } from './engine/engineError.ts'
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

const statements = ({ logs, traces }: Tables) => [
  `ALTER TABLE ${logs} ADD COLUMN IF NOT EXISTS TimestampTime DateTime ALIAS toDateTime(Timestamp)`,
  `ALTER TABLE ${logs} ${promotedColumns.join(', ')}`,
  `CREATE VIEW IF NOT EXISTS ${traceTimesView} AS
SELECT TraceId, toDateTime(min(Timestamp)) AS Start, toDateTime(max(Timestamp)) AS End
FROM ${traces} WHERE TraceId != '' GROUP BY TraceId`,
]

const accessDenied = 497

/** Adds what is missing, and keeps what an exporter has created. On a server, what the user may not create is left out. */
export async function ensureExporterNames(
  { kind, command }: Pick<Engine, 'kind' | 'command'>,
  tables: Tables,
): Promise<void> {
  for (const statement of statements(tables)) {
    try {
      await command(statement)
    } catch (error) {
      if (kind === 'embedded' || !(error instanceof EngineError && error.code === accessDenied)) throw error
    }
  }
}
