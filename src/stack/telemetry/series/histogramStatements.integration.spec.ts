import { beforeAll, describe, expect, test } from 'vitest'
import type { ExponentialHistogramRow, HistogramRow } from '../tableRows.ts'
import { tables } from '../tables.ts'
import { metricsEngine, start, type Series } from '../../testing/metricSeries.ts'

const { insert, values, refusal } = metricsEngine()

describe('histograms', () => {
  const histogram = (MetricName: string, at: number, BucketCounts: number[], rest: Partial<HistogramRow> = {}) => ({
    MetricName,
    ServiceName: 'api',
    TimeUnix: start + at,
    Count: BucketCounts.reduce((sum, count) => sum + count, 0),
    Sum: 10 * BucketCounts.length,
    BucketCounts,
    ExplicitBounds: [10, 20, 40],
    AggregationTemporality: 1 as const,
    ...rest,
  })
  const cumulative = { AggregationTemporality: 2 as const }

  beforeAll(() =>
    insert(tables.histogram, [
      histogram('latency', 0, [2, 2, 0, 0]),
      histogram('latency', 60, [0, 2, 4, 0], { Attributes: { host: 'b' } }),
      histogram('latency', 300, [0, 0, 0, 5]),
      histogram('total', -100, [5, 5, 5, 0], { ...cumulative, Sum: 100 }),
      histogram('total', 0, [7, 7, 5, 0], { ...cumulative, Sum: 130 }),
      histogram('total', 100, [7, 9, 9, 0], { ...cumulative, Sum: 250 }),
      histogram('unbucketed', 0, [3], { ExplicitBounds: [] }),
    ] satisfies HistogramRow[]),
  )
  const series: Series = { metricName: 'latency', metricDataType: 'histogram' }
  const quantile = (level: number, rest: Series = {}) => values({ ...series, aggFn: 'quantile', level, ...rest })

  test('a quantile is interpolated within its bucket', async () => {
    // Ten observations: two up to 10, four up to 20, four up to 40. Then five above the last bound.
    expect(await quantile(0.5)).toEqual([
      [0, 17.5],
      [1, 40],
    ])
    expect(await quantile(0.8)).toEqual([
      [0, 30],
      [1, 40],
    ])
    expect(await quantile(0.1)).toEqual([
      [0, 5],
      [1, 40],
    ])
    expect(await quantile(1)).toEqual([
      [0, 40],
      [1, 40],
    ])
    expect(await quantile(0)).toEqual([
      [0, 0],
      [1, 40],
    ])
  })

  test('in groups', async () => {
    const byHost = await quantile(0.5, { groupBy: ['Attributes.host'] })
    expect(byHost.toSorted()).toEqual([
      [0, '', 10],
      [0, 'b', 25],
      [1, '', 40],
    ])
  })

  test('cumulative points count by their differences', async () => {
    // From [5, 5, 5] to [7, 9, 9]: two, four, four.
    expect(await quantile(0.5, { metricName: 'total' })).toEqual([[0, 17.5]])
    expect(await values({ ...series, metricName: 'total', aggFn: 'count' })).toEqual([[0, '10']])
    expect(await values({ ...series, metricName: 'total', aggFn: 'sum' })).toEqual([[0, 150]])
    expect(await values({ ...series, metricName: 'total', aggFn: 'avg' })).toEqual([[0, 15]])
  })

  test('count, sum and average', async () => {
    expect(await values({ ...series, aggFn: 'count' })).toEqual([
      [0, '10'],
      [1, '5'],
    ])
    expect(await values({ ...series, aggFn: 'sum' })).toEqual([
      [0, 80],
      [1, 40],
    ])
    expect(await values({ ...series, aggFn: 'avg' })).toEqual([
      [0, 8],
      [1, 8],
    ])
  })

  test('without buckets have no quantile', async () => {
    expect(await quantile(0.5, { metricName: 'unbucketed' })).toEqual([])
    expect(await values({ ...series, metricName: 'unbucketed', aggFn: 'count' })).toEqual([[0, '3']])
  })

  test('reject undefined aggregations', async () => {
    expect(await refusal({ ...series, aggFn: 'max' })).toMatchObject({ status: 400, path: 'series.0.aggFn' })
    expect(await refusal({ ...series, aggFn: 'none' })).toMatchObject({ status: 400, path: 'series.0.aggFn' })
  })
})

describe('exponential histograms', () => {
  const point = (
    MetricName: string,
    at: number,
    Scale: number,
    PositiveOffset: number,
    PositiveBucketCounts: number[],
    rest: Partial<ExponentialHistogramRow> = {},
  ): ExponentialHistogramRow => ({
    MetricName,
    ServiceName: 'api',
    TimeUnix: start + at,
    Count: PositiveBucketCounts.reduce((sum, count) => sum + count, 0),
    Sum: 100,
    Scale,
    PositiveOffset,
    PositiveBucketCounts,
    AggregationTemporality: 1,
    ...rest,
  })
  const series: Series = { metricDataType: 'exponential histogram', aggFn: 'quantile' }

  beforeAll(() =>
    insert(tables.exponentialHistogram, [
      // Scale 0: (1, 2], (2, 4], (4, 8].
      point('size', 0, 0, 0, [2, 2, 4]),
      point('signed', 0, 0, 0, [4], { ZeroCount: 2, NegativeOffset: 1, NegativeBucketCounts: [4], Count: 10 }),
      // Scale 1 has two buckets where scale 0 has one: cumulative points are compared at the coarser scale.
      point('rescaled', -60, 1, 0, [1, 1, 2, 2], { AggregationTemporality: 2 }),
      point('rescaled', 0, 0, 0, [4, 8, 4], { AggregationTemporality: 2 }),
    ]),
  )

  test.each([
    ['size', 0.5, 4],
    ['size', 0.25, 2],
    ['size', 0.75, 6],
    ['size', 0.125, 1.5],
    ['signed', 0.2, -3],
    ['signed', 0.5, 0],
    ['signed', 0.8, 1.5],
    // Remaining: two in (1, 2], four in (2, 4], four in (4, 8].
    ['rescaled', 0.2, 2],
    ['rescaled', 0.4, 3],
    ['rescaled', 1, 8],
  ])('%s: the %d quantile is %d', async (metricName, level, expected) => {
    expect(await values({ ...series, metricName, level })).toEqual([[0, expected]])
  })

  test('count', async () => {
    expect(await values({ ...series, metricName: 'size', aggFn: 'count' })).toEqual([[0, '8']])
  })
})
