/** The columns of the otel_metrics tables. */
import { bool, float64, int32, lists, maps, seconds, text, uint32, uint64 } from '../../telemetry/native/columns.ts'

/** The columns of all types of metrics. */
const common = () => ({
  ResourceAttributes: maps(),
  ResourceSchemaUrl: text(),
  ScopeName: text(),
  ScopeVersion: text(),
  ScopeAttributes: maps(),
  ScopeDroppedAttrCount: uint32(),
  ScopeSchemaUrl: text(),
  ServiceName: text(),
  MetricName: text(),
  MetricDescription: text(),
  MetricUnit: text(),
  Attributes: maps(),
  StartTimeUnix: seconds(),
  StartTimeUnixFraction: uint32(),
  TimeUnix: seconds(),
  TimeUnixFraction: uint32(),
  Flags: uint32(),
})
export type CommonColumns = ReturnType<typeof common>

const exemplars = () => ({
  'Exemplars.FilteredAttributes': lists(maps()),
  'Exemplars.TimeUnix': lists(seconds()),
  'Exemplars.Value': lists(float64()),
  'Exemplars.SpanId': lists(text()),
  'Exemplars.TraceId': lists(text()),
})
export type ExemplarColumns = ReturnType<typeof exemplars>

const distribution = () => ({ Count: uint64(), Sum: float64(), Min: float64(), Max: float64() })
export type DistributionColumns = ReturnType<typeof distribution>

export const gaugeColumns = () => ({ ...common(), ...exemplars(), Value: float64() })
export const sumColumns = () => ({ ...gaugeColumns(), AggregationTemporality: int32(), IsMonotonic: bool() })
export const histogramColumns = () => ({
  ...common(),
  ...exemplars(),
  ...distribution(),
  BucketCounts: lists(uint64()),
  ExplicitBounds: lists(float64()),
  AggregationTemporality: int32(),
})
export const exponentialColumns = () => ({
  ...common(),
  ...exemplars(),
  ...distribution(),
  Scale: int32(),
  ZeroCount: uint64(),
  PositiveOffset: int32(),
  PositiveBucketCounts: lists(uint64()),
  NegativeOffset: int32(),
  NegativeBucketCounts: lists(uint64()),
  AggregationTemporality: int32(),
})
export const summaryColumns = () => ({
  ...common(),
  Count: uint64(),
  Sum: float64(),
  'ValueAtQuantiles.Quantile': lists(float64()),
  'ValueAtQuantiles.Value': lists(float64()),
})

export type GaugeColumns = ReturnType<typeof gaugeColumns>
export type HistogramColumns = ReturnType<typeof histogramColumns>
export type ExponentialColumns = ReturnType<typeof exponentialColumns>
export type SummaryColumns = ReturnType<typeof summaryColumns>
export type SumColumns = ReturnType<typeof sumColumns>
