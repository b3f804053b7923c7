/** The columns of each type of data point. */
import type Long from 'long'
import type {
  ExemplarFields,
  ExponentialHistogramRow,
  GaugeRow,
  HistogramRow,
  MetricRow,
  SummaryRow,
} from '../../telemetry/tableRows.ts'
import { has, type Message } from '../../collector/otlp/messages.ts'
import { instant } from './instants.ts'
import { attributeMap } from './attributeValues.ts'
import { type Batch, idText, Unstorable } from './modelBatch.ts'

/** A bit of a data point's flags. */
export const noRecordedValue = 1

/** The columns of a row that depend on its type; the temporality is a field of the metric. */
type Columns<Row> = Omit<Row, keyof MetricRow | 'AggregationTemporality'>

type Point = Pick<Message<'NumberPoint'>, 'attributes' | 'startTimeUnixNano' | 'timeUnixNano' | 'flags'>

/** The columns of all types. Times are whole seconds, with the rest in columns of their own. */
export function pointColumns(point: Point, batch: Batch) {
  const time = batch.time(point.timeUnixNano)
  const StartTimeUnix = seconds(point.startTimeUnixNano)
  return {
    Attributes: attributeMap(point.attributes),
    StartTimeUnix,
    StartTimeUnixFraction: StartTimeUnix === 0 ? 0 : instant(point.startTimeUnixNano).nanos,
    TimeUnix: time.seconds,
    TimeUnixFraction: time.nanos,
    Flags: point.flags,
  }
}

export function numberColumns(point: Message<'NumberPoint'>): Columns<GaugeRow> {
  return { ...exemplarColumns(point.exemplars), Value: finite(numberOf(point), 'value') }
}

export function histogramColumns(point: Message<'HistogramPoint'>): Columns<HistogramRow> {
  const { bucketCounts, explicitBounds } = point
  if (explicitBounds.some((bound, at) => !Number.isFinite(bound) || bound <= (explicitBounds[at - 1] ?? -Infinity))) {
    throw new Unstorable('histogram bounds must be finite and ascending')
  }
  // A histogram can have no buckets, only count and sum.
  if (bucketCounts.length > 0 && bucketCounts.length !== explicitBounds.length + 1) {
    throw new Unstorable(`histogram with ${bucketCounts.length} buckets for ${explicitBounds.length} bounds`)
  }
  return {
    ...exemplarColumns(point.exemplars),
    ...distributionColumns(point),
    BucketCounts: bucketCounts.map(String),
    ExplicitBounds: [...explicitBounds],
  }
}

export function exponentialColumns(point: Message<'ExponentialPoint'>): Columns<ExponentialHistogramRow> {
  return {
    ...exemplarColumns(point.exemplars),
    ...distributionColumns(point),
    Scale: point.scale,
    ZeroCount: point.zeroCount.toString(),
    PositiveOffset: point.positive?.offset ?? 0,
    PositiveBucketCounts: (point.positive?.bucketCounts ?? []).map(String),
    NegativeOffset: point.negative?.offset ?? 0,
    NegativeBucketCounts: (point.negative?.bucketCounts ?? []).map(String),
  }
}

export function summaryColumns(point: Message<'SummaryPoint'>): Columns<SummaryRow> {
  // A quantile without observations is NaN, which the columns cannot express.
  const quantiles = point.quantileValues.filter(({ quantile, value }) => Number.isFinite(quantile + value))
  return {
    Count: point.count.toString(),
    Sum: finite(point.sum, 'sum'),
    'ValueAtQuantiles.Quantile': quantiles.map(({ quantile }) => quantile),
    'ValueAtQuantiles.Value': quantiles.map(({ value }) => value),
  }
}

/** Sum, minimum and maximum may be absent: they are stored as 0, as in the tables of other collectors. */
function distributionColumns(point: Message<'HistogramPoint'> | Message<'ExponentialPoint'>) {
  return {
    Count: point.count.toString(),
    Sum: finite(point.sum, 'sum'),
    Min: finite(point.min, 'minimum'),
    Max: finite(point.max, 'maximum'),
  }
}

function exemplarColumns(all: readonly Message<'Exemplar'>[]): ExemplarFields {
  const exemplars = all.filter((exemplar) => Number.isFinite(numberOf(exemplar)))
  return {
    'Exemplars.FilteredAttributes': exemplars.map(({ filteredAttributes }) => attributeMap(filteredAttributes)),
    'Exemplars.TimeUnix': exemplars.map(({ timeUnixNano }) => seconds(timeUnixNano)),
    'Exemplars.Value': exemplars.map(numberOf),
    'Exemplars.SpanId': exemplars.map(({ spanId }) => idText(spanId, 8)),
    'Exemplars.TraceId': exemplars.map(({ traceId }) => idText(traceId, 16)),
  }
}

function numberOf(point: Message<'NumberPoint'> | Message<'Exemplar'>): number {
  return has(point, 'asInt') ? point.asInt.toNumber() : point.asDouble
}

function finite(value: number, what: string): number {
  if (!Number.isFinite(value)) throw new Unstorable(`${what} is not a finite number`)
  return value
}

/** The column ends in 2106; a later start counts as none. */
function seconds(time: Long): number {
  const { seconds } = instant(time)
  return seconds <= 0xffff_ffff ? seconds : 0
}
