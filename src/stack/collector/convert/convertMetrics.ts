/** Converts data points to rows of the otel_metrics tables, one table for each type of metric. */
import { tables, type TelemetryTable } from '../../telemetry/tables.ts'
import { Fields } from '../otlp/fields.ts'
import { eachMessage, eachScope, recordsTag, type Shared } from '../otlp/parts.ts'
import { nanosAfter, secondsOf } from '../otlp/instants.ts'
import { tagsOf, type WireReader } from '../otlp/wireReader.ts'
import type { Batch } from './batch.ts'
import {
  exponentialTags,
  histogramTags,
  noRecordedValue,
  numberTags,
  type PointReaders,
  pointReaders,
  type PointTags,
  summaryTags,
  writeExponential,
  writeHistogram,
  writeNumber,
  writePoint,
  writeSummary,
} from './dataPoints.ts'
import {
  type CommonColumns,
  type ExponentialColumns,
  exponentialColumns,
  gaugeColumns,
  type HistogramColumns,
  histogramColumns,
  type SumColumns,
  sumColumns,
  summaryColumns,
} from './metricColumns.ts'
import { repeat, writeShared } from './sharedColumns.ts'

const metricTags = tagsOf('Metric')
const sumTags = tagsOf('Sum')
const histogramMetricTags = tagsOf('Histogram')
/** The data points of all types of metrics have the same tag. */
const pointsTag = tagsOf('Gauge').dataPoints

/** One type of metric: its field in the metric, its table, and what its data points are. */
interface MetricType<C extends CommonColumns> {
  tag: number
  table: TelemetryTable
  columns: () => C
  points: PointTags
  /** The columns of this type. @returns why the point cannot be stored, and then nothing was written */
  write: (columns: C, readers: PointReaders) => string | undefined
  /** The columns that all points of a metric share, from the fields of its type. */
  writeMetric?: (columns: C, metric: Fields, rows: number) => void
}

export function convertMetrics(wire: WireReader, batch: Batch): void {
  const readers = pointReaders(wire)
  const metric = new Fields(wire)
  eachScope(wire, (scope, shared) => {
    eachMessage(wire, scope, recordsTag, (start, end) => {
      metric.read(start, end)
      for (const add of types) add(metric, shared, readers, batch)
    })
  })
}

type AddPoints = (metric: Fields, shared: Shared, readers: PointReaders, batch: Batch) => void

/** Adds the points of a metric if it has this type. */
function metricType<C extends CommonColumns>(type: MetricType<C>): AddPoints {
  return (metric, shared, readers, batch) => {
    if (!metric.has(type.tag)) return
    const { wire, inner, attributes } = readers
    const rows = batch.rowsOf(type.table, type.columns)
    const { columns, count: before } = rows
    const part = { start: metric.startOf(type.tag), end: metric.endOf(type.tag) }
    eachMessage(wire, part, pointsTag, (start, end) => {
      if (addPoint(type, columns, start, end, readers, batch)) rows.count += 1
    })
    const added = rows.count - before
    writeShared(columns, wire, shared, attributes, added)
    repeat(columns.MetricName, added, (data) => metric.writeText(metricTags.name, data))
    repeat(columns.MetricDescription, added, (data) => metric.writeText(metricTags.description, data))
    repeat(columns.MetricUnit, added, (data) => metric.writeText(metricTags.unit, data))
    inner.read(part.start, part.end)
    type.writeMetric?.(columns, inner, added)
  }
}

function addPoint<C extends CommonColumns>(
  type: MetricType<C>,
  columns: C,
  start: number,
  end: number,
  readers: PointReaders,
  batch: Batch,
): boolean {
  const { wire, point } = readers
  point.read(start, end)
  // A marker without a value for the end of a time series: a row would read as zero.
  if ((point.uint32(type.points.flags) & noRecordedValue) !== 0) return false
  if (!batch.readTime(wire, point, type.points.timeUnixNano)) return false
  const seconds = secondsOf(wire.low, wire.high)
  const time = { seconds, nanos: nanosAfter(wire.low, seconds) }
  const reason = type.write(columns, readers)
  if (reason) batch.reject(reason)
  else writePoint(columns, readers, type.points, time)
  return reason === undefined
}

const types: readonly AddPoints[] = [
  metricType({
    tag: metricTags.gauge,
    table: tables.gauge,
    columns: gaugeColumns,
    points: numberTags,
    write: writeNumber,
  }),
  metricType<SumColumns>({
    tag: metricTags.sum,
    table: tables.sum,
    columns: sumColumns,
    points: numberTags,
    write: writeNumber,
    writeMetric: (columns, sum, rows) => {
      writeTemporality(columns, sum, sumTags.aggregationTemporality, rows)
      repeat(columns.IsMonotonic, rows, (data) => data.uint8(sum.bool(sumTags.isMonotonic) ? 1 : 0))
    },
  }),
  metricType<HistogramColumns>({
    tag: metricTags.histogram,
    table: tables.histogram,
    columns: histogramColumns,
    points: histogramTags,
    write: writeHistogram,
    writeMetric: (columns, metric, rows) =>
      writeTemporality(columns, metric, histogramMetricTags.aggregationTemporality, rows),
  }),
  metricType<ExponentialColumns>({
    tag: metricTags.exponentialHistogram,
    table: tables.exponentialHistogram,
    columns: exponentialColumns,
    points: exponentialTags,
    write: writeExponential,
    writeMetric: (columns, metric, rows) =>
      writeTemporality(columns, metric, histogramMetricTags.aggregationTemporality, rows),
  }),
  metricType({
    tag: metricTags.summary,
    table: tables.summary,
    columns: summaryColumns,
    points: summaryTags,
    write: writeSummary,
  }),
]

function writeTemporality(
  { AggregationTemporality }: Pick<SumColumns, 'AggregationTemporality'>,
  metric: Fields,
  tag: number,
  rows: number,
): void {
  repeat(AggregationTemporality, rows, (data) => data.uint32(metric.int32(tag)))
}
