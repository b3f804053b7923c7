/** The columns of the telemetry tables, as DDL. The type of their rows is in `tableRows.ts`. */

const map = 'Map(LowCardinality(String), String)'
const word = 'LowCardinality(String) CODEC(ZSTD(1))'
const text = 'String CODEC(ZSTD(1))'
const attributes = `${map} CODEC(ZSTD(1))`
const nanoseconds = 'DateTime64(9) CODEC(Delta(8), ZSTD(1))'
const seconds = 'DateTime CODEC(Delta(4), ZSTD(1))'

/** Resource attributes with a separate column, because they are often used for grouping. */
export const promotedAttributes = [
  'k8s.cluster.name',
  'k8s.container.name',
  'k8s.deployment.name',
  'k8s.namespace.name',
  'k8s.node.name',
  'k8s.pod.name',
  'k8s.pod.uid',
  'deployment.environment.name',
]

const promoted = promotedAttributes
  .map(
    (key) =>
      `\`__hdx_materialized_${key}\` LowCardinality(String) MATERIALIZED ResourceAttributes['${key}'] CODEC(ZSTD(1))`,
  )
  .join(',\n')

/** `key=value` texts of a map, computed when read. */
const items = (name: string, column: string) =>
  `${name} Array(String) ALIAS arrayMap((key, value) -> concat(key, '=', value), mapKeys(${column}), mapValues(${column}))`

export const logColumns = `
Timestamp ${nanoseconds},
TraceId ${text},
SpanId ${text},
TraceFlags UInt8,
SeverityText ${word},
SeverityNumber UInt8,
ServiceName ${word},
Body ${text},
ResourceSchemaUrl ${word},
ResourceAttributes ${attributes},
ScopeSchemaUrl ${word},
ScopeName ${text},
ScopeVersion ${word},
ScopeAttributes ${attributes},
LogAttributes ${attributes},
EventName ${text},
${promoted},
${items('ResourceAttributeItems', 'ResourceAttributes')},
${items('ScopeAttributeItems', 'ScopeAttributes')},
${items('LogAttributeItems', 'LogAttributes')},
INDEX by_trace TraceId TYPE bloom_filter(0.001) GRANULARITY 1
`

export const spanColumns = `
Timestamp ${nanoseconds},
TraceId ${text},
SpanId ${text},
ParentSpanId ${text},
TraceState ${text},
SpanName ${word},
SpanKind ${word},
ServiceName ${word},
ResourceAttributes ${attributes},
ScopeName ${text},
ScopeVersion ${text},
SpanAttributes ${attributes},
Duration UInt64 CODEC(ZSTD(1)),
StatusCode ${word},
StatusMessage ${text},
\`Events.Timestamp\` Array(DateTime64(9)) CODEC(ZSTD(1)),
\`Events.Name\` Array(LowCardinality(String)) CODEC(ZSTD(1)),
\`Events.Attributes\` Array(${map}) CODEC(ZSTD(1)),
\`Links.TraceId\` Array(String) CODEC(ZSTD(1)),
\`Links.SpanId\` Array(String) CODEC(ZSTD(1)),
\`Links.TraceState\` Array(String) CODEC(ZSTD(1)),
\`Links.Attributes\` Array(${map}) CODEC(ZSTD(1)),
\`__hdx_materialized_rum.sessionId\` String MATERIALIZED ResourceAttributes['rum.sessionId'] CODEC(ZSTD(1)),
SampleRate UInt64 MATERIALIZED greatest(toUInt64OrZero(SpanAttributes['SampleRate']), 1) CODEC(T64, ZSTD(1)),
${items('ResourceAttributeItems', 'ResourceAttributes')},
${items('SpanAttributeItems', 'SpanAttributes')},
INDEX by_trace TraceId TYPE bloom_filter(0.001) GRANULARITY 1
`

/** Nanoseconds after the whole seconds of a point's times: other collectors' tables do not have them. */
export const pointFractions = {
  StartTimeUnixFraction: 'UInt32 CODEC(ZSTD(1))',
  TimeUnixFraction: 'UInt32 CODEC(ZSTD(1))',
}

const metricCommon = `
ResourceAttributes ${attributes},
ResourceSchemaUrl ${text},
ScopeName ${text},
ScopeVersion ${text},
ScopeAttributes ${attributes},
ScopeDroppedAttrCount UInt32,
ScopeSchemaUrl ${text},
ServiceName ${word},
MetricName ${word},
MetricDescription ${text},
MetricUnit ${text},
Attributes ${attributes},
StartTimeUnix ${seconds},
TimeUnix ${seconds},
Flags UInt32,
${Object.entries(pointFractions)
  .map((column) => column.join(' '))
  .join(',\n')}`

const exemplars = `
\`Exemplars.FilteredAttributes\` Array(${map}) CODEC(ZSTD(1)),
\`Exemplars.TimeUnix\` Array(DateTime) CODEC(ZSTD(1)),
\`Exemplars.Value\` Array(Float64) CODEC(ZSTD(1)),
\`Exemplars.SpanId\` Array(String) CODEC(ZSTD(1)),
\`Exemplars.TraceId\` Array(String) CODEC(ZSTD(1))`

const totals = 'Count UInt64 CODEC(Delta(8), ZSTD(1)),\nSum Float64 CODEC(ZSTD(1))'
const extremes = 'Min Float64 CODEC(ZSTD(1)),\nMax Float64 CODEC(ZSTD(1))'
const temporality = 'AggregationTemporality Int32 CODEC(ZSTD(1))'
const counts = 'Array(UInt64) CODEC(ZSTD(1))'

export const metricColumns = {
  gauge: `${metricCommon},
Value Float64 CODEC(ZSTD(1)),${exemplars}`,
  sum: `${metricCommon},
Value Float64 CODEC(ZSTD(1)),
${temporality},
IsMonotonic Bool CODEC(ZSTD(1)),${exemplars}`,
  histogram: `${metricCommon},
${totals},
BucketCounts ${counts},
ExplicitBounds Array(Float64) CODEC(ZSTD(1)),
${extremes},
${temporality},${exemplars}`,
  exponentialHistogram: `${metricCommon},
${totals},
Scale Int32 CODEC(ZSTD(1)),
ZeroCount UInt64 CODEC(ZSTD(1)),
PositiveOffset Int32 CODEC(ZSTD(1)),
PositiveBucketCounts ${counts},
NegativeOffset Int32 CODEC(ZSTD(1)),
NegativeBucketCounts ${counts},
${extremes},
${temporality},${exemplars}`,
  summary: `${metricCommon},
${totals},
\`ValueAtQuantiles.Quantile\` Array(Float64) CODEC(ZSTD(1)),
\`ValueAtQuantiles.Value\` Array(Float64) CODEC(ZSTD(1))`,
} as const
