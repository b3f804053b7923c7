/**
 * The types of inserted rows of each telemetry table, without columns that the engine computes.
 * A field that is left out becomes the column's empty value.
 */

/** Unix time: at least ten digits of seconds, a point, nine decimals (`1647014400.123456789`), independent of time zones. */
type Nanoseconds = string

/** Unix time in whole seconds. */
type Seconds = number

/** 64-bit numbers may be text, so that nothing beyond 2^53 is rounded on the way. */
type Integer = number | string

type Attributes = Record<string, string>

export interface LogRow {
  Timestamp: Nanoseconds
  TraceId?: string
  SpanId?: string
  TraceFlags?: number
  SeverityText?: string
  SeverityNumber?: number
  ServiceName?: string
  Body?: string
  ResourceSchemaUrl?: string
  ResourceAttributes?: Attributes
  ScopeSchemaUrl?: string
  ScopeName?: string
  ScopeVersion?: string
  ScopeAttributes?: Attributes
  LogAttributes?: Attributes
  EventName?: string
}

/** Arrays of one stem (`Events.*`, `Links.*`) have the same length. */
export interface SpanRow {
  Timestamp: Nanoseconds
  TraceId?: string
  SpanId?: string
  ParentSpanId?: string
  TraceState?: string
  SpanName?: string
  SpanKind?: string
  ServiceName?: string
  ResourceAttributes?: Attributes
  ScopeName?: string
  ScopeVersion?: string
  SpanAttributes?: Attributes
  /** Nanoseconds. */
  Duration?: Integer
  StatusCode?: string
  StatusMessage?: string
  'Events.Timestamp'?: Nanoseconds[]
  'Events.Name'?: string[]
  'Events.Attributes'?: Attributes[]
  'Links.TraceId'?: string[]
  'Links.SpanId'?: string[]
  'Links.TraceState'?: string[]
  'Links.Attributes'?: Attributes[]
}

export interface MetricRow {
  ResourceAttributes?: Attributes
  ResourceSchemaUrl?: string
  ScopeName?: string
  ScopeVersion?: string
  ScopeAttributes?: Attributes
  ScopeDroppedAttrCount?: number
  ScopeSchemaUrl?: string
  ServiceName?: string
  MetricName: string
  MetricDescription?: string
  MetricUnit?: string
  Attributes?: Attributes
  StartTimeUnix?: Seconds
  /** Nanoseconds after the whole second, below 1,000,000,000. */
  StartTimeUnixFraction?: number
  TimeUnix: Seconds
  TimeUnixFraction?: number
  Flags?: number
}

/** Arrays of the same length. */
export interface ExemplarFields {
  'Exemplars.FilteredAttributes'?: Attributes[]
  'Exemplars.TimeUnix'?: Seconds[]
  'Exemplars.Value'?: number[]
  'Exemplars.SpanId'?: string[]
  'Exemplars.TraceId'?: string[]
}

/** 1 delta, 2 cumulative, 0 unspecified, as in the protocol. */
type Temporality = 0 | 1 | 2

export interface GaugeRow extends MetricRow, ExemplarFields {
  Value: number
}

export interface SumRow extends MetricRow, ExemplarFields {
  Value: number
  AggregationTemporality: Temporality
  IsMonotonic: boolean
}

export interface HistogramRow extends MetricRow, ExemplarFields {
  Count: Integer
  Sum?: number
  /** One longer than `ExplicitBounds`. */
  BucketCounts?: Integer[]
  ExplicitBounds?: number[]
  Min?: number
  Max?: number
  AggregationTemporality: Temporality
}

export interface ExponentialHistogramRow extends MetricRow, ExemplarFields {
  Count: Integer
  Sum?: number
  Scale: number
  ZeroCount?: Integer
  PositiveOffset?: number
  PositiveBucketCounts?: Integer[]
  NegativeOffset?: number
  NegativeBucketCounts?: Integer[]
  Min?: number
  Max?: number
  AggregationTemporality: Temporality
}

export interface SummaryRow extends MetricRow {
  Count: Integer
  Sum?: number
  'ValueAtQuantiles.Quantile'?: number[]
  'ValueAtQuantiles.Value'?: number[]
}
