/** Labels of sources. */
import type { SourceUsers } from '#console/usages/usage.ts'
import type { Source } from '#contract/stack/sources.ts'
import { counted } from '#domain/text/words.ts'

const kinds: Record<string, string> = {
  log: 'Logs',
  trace: 'Traces',
  metric: 'Metrics',
  session: 'Sessions',
  promql: 'PromQL',
}

/** An unknown kind is shown unchanged. */
export const formatSourceKind = (kind: string) => kinds[kind] ?? kind

/** `default.otel_logs`; a metrics source has a table for each type of metric. */
export function tableOf({ from, metricTables }: Source): string {
  const tables = from?.tableName ? [from.tableName] : Object.values(metricTables ?? {}).filter(Boolean)
  return tables.map((table) => (from?.databaseName ? `${from.databaseName}.${table}` : table)).join(', ')
}

/** "2 dashboards, 1 alert"; empty if nothing uses it. */
export function formatSourceUsers({ uses, alerts, sources }: SourceUsers): string {
  const dashboards = new Set(uses.map((use) => use.dashboard.id)).size
  const parts = [
    dashboards > 0 && counted(dashboards, 'dashboard'),
    alerts.length > 0 && counted(alerts.length, 'alert'),
    sources.length > 0 && counted(sources.length, 'source'),
  ]
  return parts.filter(Boolean).join(', ')
}
