/**
 * Reads the time series of a metric by one chart query, which every deployment has: the attributes of each, and its value in
 * every bucket. Metrics have no rows to search for.
 */
import type { ChartSeries } from '#contract/stack/charts.ts'
import type { ComparedRow, Sides } from '#domain/explanation/attributeCounts.ts'
import { attributeOf } from '#domain/query/sqlValues.ts'
import { ranksGroups } from '../chartRequest.ts'
import { fieldsOf } from '../fields.ts'
import { numberOf } from '../series/groupValues.ts'
import { queryCharts } from '../queryCharts.ts'
import type { Question, ReadOptions } from './question.ts'
import { mapOf, textOf, type ComparedRows } from './readComparedRows.ts'

/** Time series that are read where a deployment ranks them: the largest. */
const maxTimeSeries = 500

/**
 * A bucket of a time series is a row, whose weight is its value: a value of twice the mean counts as two rows. A negative value
 * counts as none. Throws ApiFailure.
 */
export async function readMetricRows(
  connectionId: string,
  { inside, range, subject: { source, series } }: Question,
  { signal, onProgress }: ReadOptions,
): Promise<ComparedRows> {
  const maps = fieldsOf(source).flatMap(({ name, kind }) =>
    kind === 'map' && name !== 'ScopeAttributes' ? [name] : [],
  )
  const groupBy = maps.map((name) => `toJSONString(${name})`)
  const query = {
    ...range,
    series: [{ ...series, sourceId: source.id, aggFn: weightOf(series), groupBy }],
    ...(ranksGroups(source) && { topGroups: maxTimeSeries }),
  }
  const points = await queryCharts(connectionId, query, [source], { signal })
  onProgress(1, 1)
  const rows: Sides<ComparedRow[]> = { inside: [], outside: [] }
  for (const point of points) {
    const value = numberOf(point['series_0.data'])
    if (value === null || point.otherGroups !== undefined) continue
    const at = point.ts_bucket
    const side = at >= inside.from && at < inside.to ? 'inside' : 'outside'
    // A clock would be none of the attributes of a time series.
    rows[side].push({ at: NaN, values: attributesOf(maps, point.group ?? []), weight: Math.max(0, value) })
  }
  return {
    rows: { inside: withMeanWeightOne(rows.inside), outside: withMeanWeightOne(rows.outside) },
    total: { inside: rows.inside.length, outside: rows.outside.length },
    requests: 1,
  }
}

/** An aggregate that adds up over time series: means and quantiles do not. */
function weightOf({ aggFn }: Pick<ChartSeries, 'aggFn'>): ChartSeries['aggFn'] {
  return aggFn === 'count' || aggFn === 'increase' ? aggFn : 'sum'
}

function attributesOf(maps: readonly string[], group: readonly unknown[]): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [at, column] of maps.entries()) {
    for (const [key, value] of Object.entries(mapOf(textOf(group[at])) ?? {})) {
      attributes.set(attributeOf(column, key), textOf(value))
    }
  }
  return attributes
}

/** Weights with a mean of 1, so that there are as many rows as points. */
function withMeanWeightOne(rows: readonly ComparedRow[]): ComparedRow[] {
  const weightSum = rows.reduce((sum, { weight = 0 }) => sum + weight, 0)
  return rows.map((row) => ({ ...row, weight: weightSum > 0 ? ((row.weight ?? 0) * rows.length) / weightSum : 0 }))
}
