import { beforeAll, describe, expect, test } from 'vitest'
import type { GaugeRow, SumRow, SummaryRow } from '../tableRows.ts'
import { tables } from '../tables.ts'
import { metricsEngine, start, type Series } from '../../testing/metricSeries.ts'

const { insert, values, refusal } = metricsEngine()

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
    insert(tables.gauge, [
      gauge(200, 'a', 30),
      gauge(0, 'a', 10),
      gauge(100, 'a', 20),
      gauge(10, 'b', 5),
      gauge(310, 'b', 7),
      { ...gauge(20, 'a', 999), MetricName: 'memory.limit' },
    ]),
  )

  test.each([
    ['sum', 35, 7],
    ['avg', 17.5, 7],
    ['min', 5, 7],
    ['max', 30, 7],
    ['count', '2', '1'],
    ['count_distinct', '2', '1'],
    ['last_value', 30, 7],
    ['quantile', 17.5, 7],
  ] as const)('%s uses the last value of each time series', async (aggFn, first, second) => {
    expect(await values({ ...series, aggFn })).toEqual([
      [0, first],
      [1, second],
    ])
  })

  test('reject aggregations for counters', async () => {
    expect(await refusal({ ...series, aggFn: 'increase' })).toMatchObject({ status: 400, path: 'series.0.aggFn' })
  })

  test('use the name as field without a metric name', async () => {
    expect(await values({ field: 'memory', metricDataType: 'gauge' })).toEqual([
      [0, 35],
      [1, 7],
    ])
  })

  test('aggregate the field with a metric name', async () => {
    expect(await values({ ...series, field: 'Value * 2' })).toEqual([
      [0, 70],
      [1, 14],
    ])
  })

  test('are grouped and filtered by an attribute', async () => {
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
    insert(tables.sum, [
      sum('requests', 60, 120),
      sum('requests', 0, 100),
      sum('requests', 240, 150),
      sum('requests', 310, 160),
      // 95 before the range: the first point within it is compared to that.
      sum('jobs', -60, 95),
      sum('jobs', 0, 100),
      sum('jobs', 599, 130),
      // A restart: the counter drops, and increases again.
      sum('restarted', 0, 50),
      sum('restarted', 60, 60),
      sum('restarted', 120, 5),
      sum('restarted', 180, 8),
      ...[0, 60, 120, 300].map((at) => sum('sent', at, 10, { AggregationTemporality: 1 })),
      sum('queue', 0, 7, { IsMonotonic: false }),
      sum('queue', 60, 3, { IsMonotonic: false }),
      sum('queue', 90, 5, { IsMonotonic: false }),
      sum('queue', 120, 3, { IsMonotonic: false }),
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
    ['restarted', 'after a fall what came after it', [[0, 18]]],
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

  test.each([
    [
      'requests',
      [
        [0, 50],
        [1, 10],
      ],
    ],
    ['restarted', [[0, 18]]],
    [
      'sent',
      [
        [0, 30],
        [1, 10],
      ],
    ],
    ['queue', [[0, 2]]],
    ['pages', [[0, 30]]],
  ])('the increase of %s is the growth of its time series', async (metricName, expected) => {
    expect(await values({ metricName, metricDataType: 'sum', aggFn: 'increase' })).toEqual(expected)
  })

  test('other aggregations are over time series', async () => {
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
    insert(tables.summary, [
      summary(0, 'a', 10, 100, 4),
      summary(60, 'a', 20, 180, 6),
      summary(0, 'b', 5, 50, 9),
      summary(60, 'b', 5, 50, 8),
    ]),
  )

  test('count, sum and average by increase', async () => {
    expect(await values({ ...series, aggFn: 'count' })).toEqual([[0, '10']])
    expect(await values({ ...series, aggFn: 'sum' })).toEqual([[0, 80]])
    expect(await values({ ...series, aggFn: 'avg' })).toEqual([[0, 8]])
  })

  test('a reported quantile is the highest over the time series', async () => {
    expect(await values({ ...series, aggFn: 'quantile', level: 0.99 })).toEqual([[0, 8]])
    expect(await values({ ...series, aggFn: 'quantile', level: 0.9 })).toEqual([])
  })

  test('reject undefined aggregations', async () => {
    expect(await refusal({ ...series, aggFn: 'max' })).toMatchObject({ status: 400, path: 'series.0.aggFn' })
  })
})
