import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chartQuery, type ChartQuery } from '#contract/charts.ts'
import type { Source } from '#contract/sources.ts'
import { defaultSources } from '../defaultSources.ts'
import type { Engine } from '../engine.ts'
import type { ExponentialHistogramRow, GaugeRow, HistogramRow, SumRow, SummaryRow } from '../rows.ts'
import { querySeries } from '../series.ts'
import { tables } from '../tables.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'

const sources: Source[] = defaultSources().map((source) => ({ ...source, id: source.kind }))
/** Seconds: ten o'clock yesterday. */
const start = (Math.floor(Date.now() / 86_400_000) - 1) * 86_400 + 36_000
const never = new AbortController().signal

let engine: Engine

beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())

type Series = Partial<ChartQuery['series'][number]>

/** Ten minutes in buckets of five: the value of each bucket, by group. */
async function values(series: Series, rest: Partial<ChartQuery> = {}) {
  const points = await querySeries(
    engine,
    chartQuery.parse({
      startTime: start * 1000,
      endTime: (start + 599) * 1000,
      granularity: '5m',
      series: [{ sourceId: 'metric', aggFn: 'sum', ...series }],
      ...rest,
    }),
    sources,
    never,
  )
  return points.map((point) => [
    (Number(point['ts_bucket']) / 1000 - start) / 300,
    ...(point['group'] as unknown[]), // our own answer
    point['series_0.data'],
  ])
}

const refusal = (series: Series) =>
  values(series).then(
    () => expect.unreachable('should have been refused'),
    (error: unknown) => error,
  )

describe('gauges', () => {
  const gauge = (at: number, host: string, Value: number): GaugeRow => ({
    MetricName: 'memory',
    ServiceName: 'api',
    Attributes: { host },
    TimeUnix: start + at,
    Value,
  })
  const series: Series = { metricName: 'memory', metricDataType: 'gauge' }

  beforeAll(() =>
    engine.insert(tables.gauge, [
      gauge(200, 'a', 30),
      gauge(0, 'a', 10),
      gauge(100, 'a', 20),
      gauge(10, 'b', 5),
      gauge(310, 'b', 7),
      { ...gauge(20, 'a', 999), MetricName: 'memory.limit' },
    ]),
  )

  test.each([
    [
      'sum',
      [
        [0, 35],
        [1, 7],
      ],
    ],
    [
      'avg',
      [
        [0, 17.5],
        [1, 7],
      ],
    ],
    [
      'min',
      [
        [0, 5],
        [1, 7],
      ],
    ],
    [
      'max',
      [
        [0, 30],
        [1, 7],
      ],
    ],
    [
      'count',
      [
        [0, '2'],
        [1, '1'],
      ],
    ],
    [
      'count_distinct',
      [
        [0, '2'],
        [1, '1'],
      ],
    ],
    [
      'last_value',
      [
        [0, 30],
        [1, 7],
      ],
    ],
    [
      'quantile',
      [
        [0, 17.5],
        [1, 7],
      ],
    ],
  ] as const)('%s takes the last value of each time series', async (aggFn, expected) => {
    expect(await values({ ...series, aggFn })).toEqual(expected)
  })

  test('the field is the name where no name is given', async () => {
    expect(await values({ field: 'memory', metricDataType: 'gauge' })).toEqual([
      [0, 35],
      [1, 7],
    ])
  })

  test('the field is what is aggregated where a name is given', async () => {
    expect(await values({ ...series, field: 'Value * 2' })).toEqual([
      [0, 70],
      [1, 14],
    ])
  })

  test('grouped and filtered by an attribute', async () => {
    const byHost = await values({ ...series, groupBy: ['Attributes.host'] })
    expect(byHost.toSorted()).toEqual([
      [0, 'a', 30],
      [0, 'b', 5],
      [1, 'b', 7],
    ])
    expect(await values({ ...series, where: 'Attributes.host:"b"' })).toEqual([
      [0, 5],
      [1, 7],
    ])
  })
})

describe('sums', () => {
  const sum = (MetricName: string, at: number, Value: number, rest: Partial<SumRow> = {}): SumRow => ({
    MetricName,
    ServiceName: 'api',
    TimeUnix: start + at,
    Value,
    AggregationTemporality: 2,
    IsMonotonic: true,
    ...rest,
  })

  beforeAll(() =>
    engine.insert(tables.sum, [
      sum('requests', 60, 120),
      sum('requests', 0, 100),
      sum('requests', 240, 150),
      sum('requests', 310, 160),
      // 95 before the range: the first point within it counts from there.
      sum('jobs', -60, 95),
      sum('jobs', 0, 100),
      sum('jobs', 599, 130),
      // A restart: the counter falls, and grows on.
      sum('restarted', 0, 50),
      sum('restarted', 60, 60),
      sum('restarted', 120, 5),
      sum('restarted', 180, 8),
      ...[0, 60, 120, 300].map((at) => sum('sent', at, 10, { AggregationTemporality: 1 })),
      sum('queue', 0, 7, { IsMonotonic: false }),
      sum('queue', 60, 3, { IsMonotonic: false }),
      ...['a', 'b'].flatMap((host) => [
        sum('pages', 0, 1, { Attributes: { host } }),
        sum('pages', 60, host === 'a' ? 11 : 21, { Attributes: { host } }),
      ]),
    ]),
  )

  test.each([
    [
      'requests',
      'cumulative points by their differences, over the edge of a bucket too',
      [
        [0, 50],
        [1, 10],
      ],
    ],
    [
      'jobs',
      'from the point before the range',
      [
        [0, 5],
        [1, 30],
      ],
    ],
    ['restarted', 'a fall adds nothing', [[0, 13]]],
    [
      'sent',
      'delta points as they are',
      [
        [0, 30],
        [1, 10],
      ],
    ],
    ['queue', 'what may fall by nature has its last value', [[0, 3]]],
    ['pages', 'time series each for themselves', [[0, 30]]],
  ])('%s: %s', async (metricName, _, expected) => {
    expect(await values({ metricName, metricDataType: 'sum' })).toEqual(expected)
  })

  test('other aggregates are over time series', async () => {
    const series: Series = { metricName: 'pages', metricDataType: 'sum' }
    expect(await values({ ...series, aggFn: 'max' })).toEqual([[0, 20]])
    expect(await values({ ...series, aggFn: 'count' })).toEqual([[0, '2']])
    const byHost = await values({ ...series, groupBy: ["Attributes['host']"] })
    expect(byHost.toSorted()).toEqual([
      [0, 'a', 10],
      [0, 'b', 20],
    ])
  })
})

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
    engine.insert(tables.histogram, [
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

  test('a quantile lies evenly within the bucket that holds it', async () => {
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

  test('without buckets there is no quantile', async () => {
    expect(await quantile(0.5, { metricName: 'unbucketed' })).toEqual([])
    expect(await values({ ...series, metricName: 'unbucketed', aggFn: 'count' })).toEqual([[0, '3']])
  })

  test('what is not defined for them is refused', async () => {
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
    engine.insert(tables.exponentialHistogram, [
      // Scale 0: (1, 2], (2, 4], (4, 8].
      point('size', 0, 0, 0, [2, 2, 4]),
      point('signed', 0, 0, 0, [4], { ZeroCount: 2, NegativeOffset: 1, NegativeBucketCounts: [4], Count: 10 }),
      // Scale 1 has two buckets where scale 0 has one: cumulative points meet at the coarser.
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
    // Left: two in (1, 2], four in (2, 4], four in (4, 8].
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

describe('summaries', () => {
  const summary = (at: number, host: string, Count: number, Sum: number, p99: number): SummaryRow => ({
    MetricName: 'gc',
    ServiceName: 'api',
    Attributes: { host },
    TimeUnix: start + at,
    Count,
    Sum,
    'ValueAtQuantiles.Quantile': [0.5, 0.99],
    'ValueAtQuantiles.Value': [1, p99],
  })
  const series: Series = { metricName: 'gc', metricDataType: 'summary' }

  beforeAll(() =>
    engine.insert(tables.summary, [
      summary(0, 'a', 10, 100, 4),
      summary(60, 'a', 20, 180, 6),
      summary(0, 'b', 5, 50, 9),
      summary(60, 'b', 5, 50, 8),
    ]),
  )

  test('count, sum and average by what was added', async () => {
    expect(await values({ ...series, aggFn: 'count' })).toEqual([[0, '10']])
    expect(await values({ ...series, aggFn: 'sum' })).toEqual([[0, 80]])
    expect(await values({ ...series, aggFn: 'avg' })).toEqual([[0, 8]])
  })

  test('a quantile that was sent: the highest over the time series', async () => {
    expect(await values({ ...series, aggFn: 'quantile', level: 0.99 })).toEqual([[0, 8]])
    expect(await values({ ...series, aggFn: 'quantile', level: 0.9 })).toEqual([])
  })

  test('what is not defined for them is refused', async () => {
    expect(await refusal({ ...series, aggFn: 'max' })).toMatchObject({ status: 400, path: 'series.0.aggFn' })
  })
})
