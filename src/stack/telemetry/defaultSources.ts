/** The sources of a new stack: its own tables, as in docs/DEPLOYMENTS.md#sources. */
import type { Source } from '#contract/stack/sources.ts'
import { tables } from './tables.ts'

/** Without ids and connection, which the store sets. */
type NewSource = Omit<Source, 'id' | 'connection'> & Pick<Source, 'name' | 'kind'>

/** @param databaseName where the telemetry tables are */
export const defaultSources = (databaseName = 'default'): readonly NewSource[] => [
  {
    name: 'Logs',
    kind: 'log',
    from: { databaseName, tableName: tables.logs },
    timestampValueExpression: 'Timestamp',
    displayedTimestampValueExpression: 'Timestamp',
    defaultTableSelectExpression: 'Timestamp,ServiceName,SeverityText,Body',
    serviceNameExpression: 'ServiceName',
    severityTextExpression: 'SeverityText',
    bodyExpression: 'Body',
    implicitColumnExpression: 'Body',
    eventAttributesExpression: 'LogAttributes',
    resourceAttributesExpression: 'ResourceAttributes',
    traceIdExpression: 'TraceId',
    spanIdExpression: 'SpanId',
  },
  {
    name: 'Traces',
    kind: 'trace',
    from: { databaseName, tableName: tables.traces },
    timestampValueExpression: 'Timestamp',
    defaultTableSelectExpression: 'Timestamp,ServiceName,StatusCode,round(Duration/1e6),SpanName',
    serviceNameExpression: 'ServiceName',
    eventAttributesExpression: 'SpanAttributes',
    resourceAttributesExpression: 'ResourceAttributes',
    durationExpression: 'Duration',
    durationPrecision: 9,
    traceIdExpression: 'TraceId',
    spanIdExpression: 'SpanId',
    parentSpanIdExpression: 'ParentSpanId',
    spanNameExpression: 'SpanName',
    spanKindExpression: 'SpanKind',
    statusCodeExpression: 'StatusCode',
    statusMessageExpression: 'StatusMessage',
    implicitColumnExpression: 'SpanName',
  },
  {
    name: 'Metrics',
    kind: 'metric',
    from: { databaseName, tableName: '' },
    timestampValueExpression: 'TimeUnix',
    serviceNameExpression: 'ServiceName',
    resourceAttributesExpression: 'ResourceAttributes',
    metricTables: {
      gauge: tables.gauge,
      sum: tables.sum,
      histogram: tables.histogram,
      'exponential histogram': tables.exponentialHistogram,
      summary: tables.summary,
    },
  },
]
