/** The fields of a source of each kind: docs/DEPLOYMENTS.md#sources. One list for form, detail and comparison. */
import type { MetricType } from '#contract/stack/sources.ts'

type Kind = 'log' | 'trace' | 'metric' | 'session' | 'promql'

interface Field {
  title: string
  /** Its name in the OpenTelemetry tables. */
  usual?: string
  help?: string
  /** Kinds that have it, and those that need it. */
  kinds: readonly Kind[]
  needs?: readonly Kind[]
}

const records: readonly Kind[] = ['log', 'trace']

/** Expressions over the columns of the table, under their wire names. */
const expressions = {
  timestampValueExpression: {
    title: 'Timestamp',
    usual: 'Timestamp',
    help: 'Time of a row, used for time ranges.',
    kinds: ['log', 'trace', 'metric', 'session', 'promql'],
    needs: ['log', 'trace', 'metric', 'session', 'promql'],
  },
  displayedTimestampValueExpression: { title: 'Displayed timestamp', kinds: records },
  defaultTableSelectExpression: {
    title: 'Default columns',
    help: 'Columns shown for each search result.',
    kinds: records,
    needs: records,
  },
  serviceNameExpression: { title: 'Service name', usual: 'ServiceName', kinds: ['log', 'trace', 'metric'] },
  serviceVersionExpression: { title: 'Service version', kinds: records },
  severityTextExpression: { title: 'Severity', kinds: records },
  bodyExpression: { title: 'Body', kinds: records },
  implicitColumnExpression: {
    title: 'Implicit column',
    help: 'Column searched when a query names no field.',
    kinds: records,
  },
  eventAttributesExpression: { title: 'Event attributes', kinds: records },
  resourceAttributesExpression: {
    title: 'Resource attributes',
    usual: 'ResourceAttributes',
    kinds: ['log', 'trace', 'metric', 'session'],
    needs: ['metric'],
  },
  durationExpression: { title: 'Duration', usual: 'Duration', kinds: ['trace'], needs: ['trace'] },
  traceIdExpression: { title: 'Trace ID', usual: 'TraceId', kinds: records, needs: ['trace'] },
  spanIdExpression: { title: 'Span ID', usual: 'SpanId', kinds: records, needs: ['trace'] },
  parentSpanIdExpression: { title: 'Parent span ID', usual: 'ParentSpanId', kinds: ['trace'], needs: ['trace'] },
  spanNameExpression: { title: 'Span name', usual: 'SpanName', kinds: ['trace'], needs: ['trace'] },
  spanKindExpression: { title: 'Span kind', usual: 'SpanKind', kinds: ['trace'], needs: ['trace'] },
  statusCodeExpression: { title: 'Status code', usual: 'StatusCode', kinds: ['trace'] },
  statusMessageExpression: { title: 'Status message', usual: 'StatusMessage', kinds: ['trace'] },
  sampleRateExpression: { title: 'Sample rate', kinds: ['trace'] },
  spanEventsValueExpression: { title: 'Span events', kinds: ['trace'] },
  spanLinksValueExpression: { title: 'Span links', kinds: ['trace'] },
  knownColumnsListExpression: { title: 'Known columns', kinds: records },
  orderByExpression: { title: 'Order by', kinds: records },
  tableFilterExpression: { title: 'Table filter', help: 'Deprecated.', kinds: records },
} as const satisfies Record<string, Field>

/** Other sources with data of the same requests. */
const correlated = {
  logSourceId: { title: 'Logs', kinds: ['trace', 'metric'] },
  traceSourceId: { title: 'Traces', kinds: ['log', 'trace', 'session'], needs: ['session'] },
  metricSourceId: { title: 'Metrics', kinds: records },
  sessionSourceId: { title: 'Sessions', kinds: ['trace'] },
} as const satisfies Record<string, Field>

export type ExpressionName = keyof typeof expressions
export type CorrelatedName = keyof typeof correlated

// Object.keys forgets that these are the keys of the records above.
export const expressionNames = Object.keys(expressions) as ExpressionName[]
export const correlatedNames = Object.keys(correlated) as CorrelatedName[]

/** The tables of a metrics source, under the names of the form. */
export const metricTableFields = {
  gaugeTable: 'gauge',
  sumTable: 'sum',
  histogramTable: 'histogram',
  exponentialTable: 'exponential histogram',
  summaryTable: 'summary',
} as const satisfies Record<string, MetricType>
export type MetricTableName = keyof typeof metricTableFields
export const metricTableNames = Object.keys(metricTableFields) as MetricTableName[]

const fieldOf = (name: ExpressionName | CorrelatedName): Field =>
  name in expressions ? expressions[name as ExpressionName] : correlated[name as CorrelatedName] // `in` does not narrow a name

/** Whether a source of this kind has the field. A kind that this console does not know may have all. */
export function hasField(kind: string, name: ExpressionName | CorrelatedName): boolean {
  const { kinds } = fieldOf(name)
  return !isKnown(kind) || kinds.some((other) => other === kind)
}

export function needsField(kind: string, name: ExpressionName | CorrelatedName): boolean {
  return fieldOf(name).needs?.some((other) => other === kind) ?? false
}

export const fieldInfo = (name: ExpressionName | CorrelatedName): Pick<Field, 'title' | 'usual' | 'help'> =>
  fieldOf(name)

const kinds: readonly string[] = ['log', 'trace', 'metric', 'session', 'promql'] satisfies Kind[]
export const isKnown = (kind: string) => kinds.includes(kind)

/** The usual names of OpenTelemetry tables and columns. */
export const usualNames: Record<string, Partial<Record<ExpressionName | MetricTableName | 'tableName', string>>> = {
  log: {
    tableName: 'otel_logs',
    defaultTableSelectExpression: 'Timestamp,ServiceName,SeverityText,Body',
    severityTextExpression: 'SeverityText',
    bodyExpression: 'Body',
    implicitColumnExpression: 'Body',
    eventAttributesExpression: 'LogAttributes',
  },
  trace: {
    tableName: 'otel_traces',
    defaultTableSelectExpression: 'Timestamp,ServiceName,StatusCode,round(Duration/1e6),SpanName',
    implicitColumnExpression: 'SpanName',
    eventAttributesExpression: 'SpanAttributes',
  },
  metric: {
    timestampValueExpression: 'TimeUnix',
    gaugeTable: 'otel_metrics_gauge',
    sumTable: 'otel_metrics_sum',
    histogramTable: 'otel_metrics_histogram',
    exponentialTable: 'otel_metrics_exponential_histogram',
    summaryTable: 'otel_metrics_summary',
  },
  session: { timestampValueExpression: 'TimestampTime' },
}
