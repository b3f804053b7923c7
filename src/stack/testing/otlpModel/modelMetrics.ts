/** Converts data points to rows of the otel_metrics tables, one table for each type of metric. */
import { tables, type TelemetryTable } from '../../telemetry/tables.ts'
import type { Message } from '../../collector/otlp/messages.ts'
import { type Batch, resourceColumns, scopeColumns } from './modelBatch.ts'
import {
  exponentialColumns,
  histogramColumns,
  noRecordedValue,
  numberColumns,
  pointColumns,
  summaryColumns,
} from './modelPoints.ts'

export function modelMetrics(request: Message<'ExportMetricsRequest'>, batch: Batch): void {
  for (const { resource, scopeMetrics, schemaUrl } of request.resourceMetrics) {
    const resourceShared = resourceColumns(resource, schemaUrl)
    for (const { scope, metrics, schemaUrl } of scopeMetrics) {
      const scopeShared = { ...resourceShared, ...scopeColumns(scope, schemaUrl) }
      for (const metric of metrics) {
        const names = { MetricName: metric.name, MetricDescription: metric.description, MetricUnit: metric.unit }
        convertMetric(metric, { ...scopeShared, ...names }, batch)
      }
    }
  }
}

/** `shared`: the columns of resource, scope and metric. */
function convertMetric(metric: Message<'Metric'>, shared: object, batch: Batch): void {
  const { gauge, sum, histogram, exponentialHistogram, summary } = metric
  if (gauge) addPoints(tables.gauge, gauge.dataPoints, shared, batch, numberColumns)
  if (sum) {
    const AggregationTemporality = sum.aggregationTemporality
    const constant = { ...shared, AggregationTemporality, IsMonotonic: sum.isMonotonic }
    addPoints(tables.sum, sum.dataPoints, constant, batch, numberColumns)
  }
  if (histogram) {
    const constant = { ...shared, AggregationTemporality: histogram.aggregationTemporality }
    addPoints(tables.histogram, histogram.dataPoints, constant, batch, histogramColumns)
  }
  if (exponentialHistogram) {
    const { dataPoints, aggregationTemporality: AggregationTemporality } = exponentialHistogram
    const table = tables.exponentialHistogram
    addPoints(table, dataPoints, { ...shared, AggregationTemporality }, batch, exponentialColumns)
  }
  if (summary) addPoints(tables.summary, summary.dataPoints, shared, batch, summaryColumns)
}

/** The common fields of all types of data points. */
type Point = Pick<Message<'NumberPoint'>, 'attributes' | 'startTimeUnixNano' | 'timeUnixNano' | 'flags'>

function addPoints<P extends Point>(
  table: TelemetryTable,
  points: readonly P[],
  shared: object,
  batch: Batch,
  columns: (point: P) => object,
): void {
  const rows = batch.rowsOf(table)
  for (const point of points) {
    // A marker without a value for the end of a time series: a row would read as zero.
    if ((point.flags & noRecordedValue) !== 0) continue
    batch.add(rows, () => ({ ...shared, ...pointColumns(point, batch), ...columns(point) }))
  }
}
