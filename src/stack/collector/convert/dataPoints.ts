/** The columns of each type of data point. A writer returns why a point cannot be stored, and then writes nothing. */
import type { Lists, Values } from '../../telemetry/native/columns.ts'
import { Fields } from '../otlp/fields.ts'
import { eachMessage } from '../otlp/parts.ts'
import { packed, tagsOf, type WireReader } from '../otlp/wireReader.ts'
import { nanosAfter, secondsOf } from '../otlp/instants.ts'
import { AttributeList } from './attributes.ts'
import type {
  CommonColumns,
  DistributionColumns,
  ExemplarColumns,
  ExponentialColumns,
  GaugeColumns,
  HistogramColumns,
  SummaryColumns,
} from './metricColumns.ts'

/** A bit of a data point's flags. */
export const noRecordedValue = 1

/** The readers of one request. */
export interface PointReaders {
  wire: WireReader
  /** The fields of the point, and those of a message in it. */
  point: Fields
  inner: Fields
  attributes: AttributeList
}

export function pointReaders(wire: WireReader): PointReaders {
  return { wire, point: new Fields(wire), inner: new Fields(wire), attributes: new AttributeList(wire) }
}

/** The tags of the fields that all types of data points have; some of them have other numbers in each. */
export interface PointTags {
  attributes: number
  startTimeUnixNano: number
  timeUnixNano: number
  flags: number
}

export const numberTags = tagsOf('NumberPoint')
export const histogramTags = tagsOf('HistogramPoint')
export const exponentialTags = tagsOf('ExponentialPoint')
export const summaryTags = tagsOf('SummaryPoint')
const exemplarTags = tagsOf('Exemplar')
const bucketTags = tagsOf('ExponentialBuckets')
const quantileTags = tagsOf('QuantileValue')

/** The columns of all types. Times are whole seconds, with the rest in columns of their own; `time` is that of the point. */
export function writePoint(
  columns: CommonColumns,
  readers: PointReaders,
  tags: PointTags,
  time: { seconds: number; nanos: number },
): void {
  const { point, attributes, wire } = readers
  attributes.writeRow(point, tags.attributes, columns.Attributes)
  const start = secondsIn(point, tags.startTimeUnixNano, wire)
  columns.StartTimeUnix.data.uint32(start)
  columns.StartTimeUnixFraction.data.uint32(start === 0 ? 0 : nanosAfter(wire.low, start))
  columns.TimeUnix.data.uint32(time.seconds)
  columns.TimeUnixFraction.data.uint32(time.nanos)
  columns.Flags.data.uint32(point.uint32(tags.flags))
}

export function writeNumber(columns: GaugeColumns, readers: PointReaders): string | undefined {
  const value = numberIn(readers.point, numberTags, readers.wire)
  if (!Number.isFinite(value)) return notFinite('value')
  columns.Value.data.float64(value)
  writeExemplars(columns, readers, numberTags.exemplars)
  return undefined
}

export function writeHistogram(columns: HistogramColumns, readers: PointReaders): string | undefined {
  const { point } = readers
  const bounds = doublesIn(readers, histogramTags.explicitBounds)
  if (bounds.some((bound, at) => !Number.isFinite(bound) || bound <= (bounds[at - 1] ?? -Infinity))) {
    return 'histogram bounds must be finite and ascending'
  }
  const counts = fixed64sIn(readers, histogramTags.bucketCounts)
  const buckets = counts.length / 2
  // A histogram can have no buckets, only count and sum.
  if (buckets > 0 && buckets !== bounds.length + 1) {
    return `histogram with ${buckets} buckets for ${bounds.length} bounds`
  }
  const reason = writeDistribution(columns, point, histogramTags)
  if (reason) return reason
  writeExemplars(columns, readers, histogramTags.exemplars)
  writeCounts(columns.BucketCounts, counts)
  for (const bound of bounds) columns.ExplicitBounds.items.data.float64(bound)
  columns.ExplicitBounds.endRow(bounds.length)
  return undefined
}

export function writeExponential(columns: ExponentialColumns, readers: PointReaders): string | undefined {
  const { point, inner, wire } = readers
  const reason = writeDistribution(columns, point, exponentialTags)
  if (reason) return reason
  writeExemplars(columns, readers, exponentialTags.exemplars)
  columns.Scale.data.uint32(point.sint32(exponentialTags.scale))
  point.writeFixed64(exponentialTags.zeroCount, columns.ZeroCount.data)
  for (const [tag, offset, counts] of [
    [exponentialTags.positive, columns.PositiveOffset, columns.PositiveBucketCounts],
    [exponentialTags.negative, columns.NegativeOffset, columns.NegativeBucketCounts],
  ] as const) {
    inner.read(point.startOf(tag), point.endOf(tag))
    offset.data.uint32(inner.sint32(bucketTags.offset))
    writeCounts(counts, varintsIn(wire, inner, bucketTags.bucketCounts))
  }
  return undefined
}

export function writeSummary(columns: SummaryColumns, readers: PointReaders): string | undefined {
  const { point, inner, wire } = readers
  const sum = point.double(summaryTags.sum)
  if (!Number.isFinite(sum)) return notFinite('sum')
  columns.Sum.data.float64(sum)
  point.writeFixed64(summaryTags.count, columns.Count.data)
  const { 'ValueAtQuantiles.Quantile': quantiles, 'ValueAtQuantiles.Value': values } = columns
  let count = 0
  eachMessage(wire, point, summaryTags.quantileValues, (start, end) => {
    inner.read(start, end)
    const quantile = inner.double(quantileTags.quantile)
    const value = inner.double(quantileTags.value)
    // A quantile without observations is NaN, which the columns cannot express.
    if (!Number.isFinite(quantile + value)) return
    quantiles.items.data.float64(quantile)
    values.items.data.float64(value)
    count += 1
  })
  quantiles.endRow(count)
  values.endRow(count)
  return undefined
}

/** Sum, minimum and maximum may be absent: they are stored as 0, as in the tables of other collectors. */
function writeDistribution(
  columns: DistributionColumns,
  point: Fields,
  tags: { count: number; sum: number; min: number; max: number },
): string | undefined {
  const sum = point.double(tags.sum)
  const min = point.double(tags.min)
  const max = point.double(tags.max)
  if (!Number.isFinite(sum)) return notFinite('sum')
  if (!Number.isFinite(min)) return notFinite('minimum')
  if (!Number.isFinite(max)) return notFinite('maximum')
  point.writeFixed64(tags.count, columns.Count.data)
  columns.Sum.data.float64(sum)
  columns.Min.data.float64(min)
  columns.Max.data.float64(max)
  return undefined
}

function writeExemplars(columns: ExemplarColumns, { wire, point, inner, attributes }: PointReaders, tag: number): void {
  const { 'Exemplars.FilteredAttributes': maps, 'Exemplars.TimeUnix': times, 'Exemplars.Value': values } = columns
  const { 'Exemplars.SpanId': spanIds, 'Exemplars.TraceId': traceIds } = columns
  let count = 0
  if (point.has(tag)) {
    eachMessage(wire, point, tag, (start, end) => {
      inner.read(start, end)
      const value = numberIn(inner, exemplarTags, wire)
      if (!Number.isFinite(value)) return
      values.items.data.float64(value)
      times.items.data.uint32(secondsIn(inner, exemplarTags.timeUnixNano, wire))
      inner.writeId(exemplarTags.spanId, 8, spanIds.items.data)
      inner.writeId(exemplarTags.traceId, 16, traceIds.items.data)
      attributes.writeRow(inner, exemplarTags.filteredAttributes, maps.items)
      count += 1
    })
  }
  for (const column of [maps, times, values, spanIds, traceIds]) column.endRow(count)
}

/** An integer or a double. */
function numberIn(message: Fields, tags: { asInt: number; asDouble: number }, wire: WireReader): number {
  if (!message.has(tags.asInt)) return message.double(tags.asDouble)
  message.fixed64(tags.asInt)
  return (wire.high | 0) * 0x1_0000_0000 + wire.low
}

/** The column ends in 2106; a later time counts as none. */
function secondsIn(message: Fields, tag: number, wire: WireReader): number {
  message.fixed64(tag)
  const seconds = secondsOf(wire.low, wire.high)
  return seconds <= 0xffff_ffff ? seconds : 0
}

function notFinite(what: string): string {
  return `${what} is not a finite number`
}

/** The doubles of a list, packed or not. */
function doublesIn({ wire, point }: PointReaders, tag: number): number[] {
  const found: number[] = []
  eachItem(wire, point, tag, () => found.push(wire.double()))
  return found
}

/** The lower and upper halves of the numbers of a list, packed or not. */
function fixed64sIn({ wire, point }: PointReaders, tag: number): number[] {
  const found: number[] = []
  eachItem(wire, point, tag, () => {
    wire.fixed64()
    found.push(wire.low, wire.high)
  })
  return found
}

function varintsIn(wire: WireReader, message: Fields, tag: number): number[] {
  const found: number[] = []
  eachItem(wire, message, tag, () => {
    wire.varint64()
    found.push(wire.low, wire.high)
  })
  return found
}

function writeCounts(column: Lists<Values>, halves: readonly number[]): void {
  for (let at = 0; at < halves.length; at += 2) column.items.data.uint64(halves[at]!, halves[at + 1]!)
  column.endRow(halves.length / 2)
}

/** Calls `read` at each item of a list of numbers. */
function eachItem(wire: WireReader, message: Fields, tag: number, read: () => void): void {
  if (!message.has(tag) && !message.has(packed(tag))) return
  wire.at = message.start
  while (wire.at < message.end) {
    const found = wire.tag()
    if (found === tag) read()
    else if (found === packed(tag)) {
      const end = wire.enter()
      while (wire.at < end) read()
      wire.endAt(end)
    } else wire.skip()
  }
}
