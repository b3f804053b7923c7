/** Sources in words. */
import type { SourceUsers } from '#console/api/usage.ts'
import type { Source } from '#contract/sources.ts'

const kinds: Record<string, string> = {
  log: 'Logs',
  trace: 'Traces',
  metric: 'Metrics',
  session: 'Sessions',
  promql: 'PromQL',
}

/** A kind that this console does not know is called as it is spelled. */
export const kindWords = (kind: string) => kinds[kind] ?? kind

/** `default.otel_logs`; a metrics source has a table for each type of metric. */
export function tableOf({ from, metricTables }: Source): string {
  const tables = from?.tableName ? [from.tableName] : Object.values(metricTables ?? {}).filter(Boolean)
  return tables.map((table) => (from?.databaseName ? `${from.databaseName}.${table}` : table)).join(', ')
}

/** "1 source", "3 sources". */
export const countedSources = ({ length }: readonly unknown[]) => `${length} source${length === 1 ? '' : 's'}`

/** "2 dashboards, 1 alert"; "nothing". */
export function usersWords({ uses, alerts, sources }: SourceUsers): string {
  const dashboards = new Set(uses.map((use) => use.dashboard.id)).size
  const parts = [counted(dashboards, 'dashboard'), counted(alerts.length, 'alert'), counted(sources.length, 'source')]
  return parts.filter(Boolean).join(', ') || 'nothing'
}

const counted = (count: number, thing: string) => (count === 0 ? '' : `${count} ${thing}${count === 1 ? '' : 's'}`)

export const isUsed = ({ uses, alerts, sources }: SourceUsers) => uses.length + alerts.length + sources.length > 0
