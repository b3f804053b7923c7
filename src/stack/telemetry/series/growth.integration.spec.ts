import { beforeAll, describe, expect, test } from 'vitest'
import type { GaugeRow, HistogramRow, SummaryRow, SumRow } from '../tableRows.ts'
import { tables } from '../tables.ts'
import { metricsEngine, start, type Series } from '../../testing/metricSeries.ts'

const { insert, values } = metricsEngine()
const day = 86_400

/** A point of a counter that started at `began` seconds after the range, which is before it if negative. */
const point = (
  MetricName: string,
  began: number | null,
  at: number,
  Value: number,
  rest: Partial<SumRow> = {},
): SumRow => ({
  MetricName,
  ServiceName: 'api',
  StartTimeUnix: began === null ? 0 : start + began,
  TimeUnix: start + at,
  Value,
  AggregationTemporality: 2,
  IsMonotonic: true,
  ...rest,
})

describe('counters', () => {
  beforeAll(() =>
    insert(tables.sum, [
      // An error of a service that has run for days: the time series is new.
      point('new error', -3 * day, 60, 1),
      point('new error', -3 * day, 120, 3),
      point('one export of a job', -3600, 30, 40),
      point('begins in the range', 10, 70, 5),
      point('begins in the range', 10, 130, 7),
      point('silent for days', -20 * day, -10 * day, 1000),
      point('silent for days', -20 * day, 60, 1005),
      point('silent for days', -20 * day, 120, 1006),
      point('silent for an hour', -20 * day, -1800, 1000),
      point('silent for an hour', -20 * day, 60, 1005),
      point('unknown start', null, 60, 500),
      point('unknown start', null, 120, 510),
      // Receivers that do not know the start of a process use the time of the first point.
      point('first seen', 60, 60, 500),
      point('first seen', 60, 120, 510),
      point('restart that exceeds the earlier value', -600, -60, 50),
      point('restart that exceeds the earlier value', 30, 60, 80),
      point('restart that exceeds the earlier value', 30, 120, 90),
      point('restart below the earlier value', -600, -60, 50),
      point('restart below the earlier value', 30, 60, 8),
      // A job of less than a second, and a counter that restarts within one.
      point('short job', 60, 60, 40, { StartTimeUnixFraction: 100, TimeUnixFraction: 900_000_000 }),
      point('restart within a second', -10, 60, 100, { TimeUnixFraction: 100_000_000 }),
      point('restart within a second', 60, 60, 300, {
        StartTimeUnixFraction: 200_000_000,
        TimeUnixFraction: 900_000_000,
      }),
      point('restart within a second', 60, 61, 310, { StartTimeUnixFraction: 200_000_000 }),
      point('order within a second', -600, 60, 50, { TimeUnixFraction: 1 }),
      point('order within a second', -600, 60, 4, { TimeUnixFraction: 3 }),
      point('order within a second', -600, 60, 60, { TimeUnixFraction: 2 }),
      point('two restarts in one bucket', -600, -60, 50),
      point('two restarts in one bucket', 10, 40, 20),
      point('two restarts in one bucket', 50, 90, 30),
      point('start that moves', -600, -60, 50),
      point('start that moves', -599, 60, 60),
      point('start that moves', -600, 120, 70),
      ...[5, 7, 3, 9].map((value) => point('one second', -10, 60, value)),
      point('one second', -10, 61, 10),
      ...['a', 'b'].map((host) => point('two hosts', -day, 60, host === 'a' ? 4 : 6, { Attributes: { host } })),
      point('two hosts', -day, -2 * 3600, 1, { Attributes: { host: 'b' } }),
      point('delta', -60, 60, 4, { AggregationTemporality: 1 }),
      point('delta', 60, 120, 5, { AggregationTemporality: 1 }),
      ...[4, -3, 5].map((value, at) =>
        point('delta of a level', -60, 60 * at, value, { AggregationTemporality: 1, IsMonotonic: false }),
      ),
      point('level that begins again below zero', -day, 0, 8, { IsMonotonic: false }),
      point('level that begins again below zero', 30, 60, -5, { IsMonotonic: false }),
      point('level that begins again below zero', 30, 120, -2, { IsMonotonic: false }),
      point('level', -day, 60, 12, { IsMonotonic: false }),
      point('level', -day, 120, 7, { IsMonotonic: false }),
    ]),
  )

  test.each([
    ['new error', 3],
    ['short job', 40],
    ['restart within a second', 410],
    ['order within a second', 64],
    ['one export of a job', 40],
    ['begins in the range', 7],
    ['silent for days', 1],
    ['silent for an hour', 0],
    ['unknown start', 10],
    ['first seen', 10],
    ['restart that exceeds the earlier value', 90],
    ['restart below the earlier value', 8],
    ['two restarts in one bucket', 50],
    ['start that moves', 20],
    ['one second', 10],
    ['two hosts', 4],
    ['delta', 9],
  ])('%s: %d', async (metricName, expected) => {
    const series: Series = { metricName, metricDataType: 'sum' }
    expect(await values({ ...series, aggFn: 'sum' })).toEqual([[0, expected]])
    expect(await values({ ...series, aggFn: 'increase' })).toEqual([[0, expected]])
  })

  test.each([
    ['level', 7, 12],
    ['level that begins again below zero', -2, 11],
    ['delta of a level', 6, 9],
  ])('a sum that may fall has its level, and grows by what it rose: %s', async (metricName, level, rose) => {
    const series: Series = { metricName, metricDataType: 'sum' }
    expect(await values({ ...series, aggFn: 'sum' })).toEqual([[0, level]])
    expect(await values({ ...series, aggFn: 'increase' })).toEqual([[0, rose]])
  })

  test('of a group are new in it', async () => {
    const found = await values({ metricName: 'two hosts', metricDataType: 'sum', groupBy: ['Attributes.host'] })
    expect(found.toSorted()).toEqual([
      [0, 'a', 4],
      [0, 'b', 0],
    ])
  })
})

describe('the last value of a gauge is the later one of a second, and of the same time the largest', () => {
  const gauge = (MetricName: string, Value: number, TimeUnixFraction: number): GaugeRow => ({
    MetricName,
    Attributes: { host: 'a' },
    TimeUnix: start + 60,
    TimeUnixFraction,
    Value,
  })
  beforeAll(() =>
    insert(tables.gauge, [
      ...[3, -7, 5].map((value, at) => gauge('later', value, [300, 900_000_000, 100][at] ?? 0)),
      ...[-2, -0.5, -9].map((value) => gauge('negative', value, 1)),
      ...[-2, 1e-300, 0].map((value) => gauge('around zero', value, 1)),
    ]),
  )
  test.each([
    ['later', -7],
    ['negative', -0.5],
    ['around zero', 1e-300],
  ])('%s: %d', async (metricName, expected) => {
    expect(await values({ metricName, metricDataType: 'gauge', aggFn: 'max' })).toEqual([[0, expected]])
  })
})

describe('histograms', () => {
  const histogram = (
    MetricName: string,
    began: number,
    at: number,
    BucketCounts: number[],
    rest: Partial<HistogramRow> = {},
  ): HistogramRow => ({
    MetricName,
    ServiceName: 'api',
    StartTimeUnix: start + began,
    TimeUnix: start + at,
    Count: BucketCounts.reduce((sum, count) => sum + count, 0),
    Sum: BucketCounts.reduce((sum, count, index) => sum + 10 * count * (index + 1), 0),
    BucketCounts,
    ExplicitBounds: [10, 20, 40],
    AggregationTemporality: 2,
    ...rest,
  })

  beforeAll(() =>
    insert(tables.histogram, [
      histogram('new', -day, 60, [2, 2, 0, 0]),
      histogram('restarted', -day, -60, [9, 9, 9, 9]),
      histogram('restarted', 30, 60, [2, 2, 0, 0]),
      histogram('restarted', 70, 120, [0, 0, 4, 0]),
      // The count does not fall, the buckets do.
      histogram('restarted unseen', 0, 0, [4, 0, 0, 0], { StartTimeUnix: 0 }),
      histogram('restarted unseen', 0, 60, [2, 2, 0, 0], { StartTimeUnix: 0 }),
      histogram('below zero', -90, -60, [4, 0, 0, 0], { Sum: -10, ExplicitBounds: [0, 20, 40] }),
      histogram('below zero', -90, 60, [8, 0, 0, 0], { Sum: -30, ExplicitBounds: [0, 20, 40] }),
      histogram('earlier', -day, -7200, [1, 1, 1, 1]),
      histogram('earlier', -day, 60, [2, 2, 0, 0]),
    ]),
  )

  test.each<[name: string, median: number | null, count: string, sum: number]>([
    ['new', 10, '4', 60],
    ['restarted', 20, '8', 180],
    ['restarted unseen', 10, '4', 60],
    ['below zero', 0, '4', -20],
    ['earlier', null, '0', 0],
  ])('%s: count, sum, average and quantile agree', async (metricName, median, count, sum) => {
    const series: Series = { metricName, metricDataType: 'histogram' }
    expect(await values({ ...series, aggFn: 'quantile', level: 0.5 })).toEqual(median === null ? [] : [[0, median]])
    expect(await values({ ...series, aggFn: 'count' })).toEqual([[0, count]])
    expect(await values({ ...series, aggFn: 'sum' })).toEqual([[0, sum]])
    expect(await values({ ...series, aggFn: 'avg' })).toEqual([[0, count === '0' ? null : sum / Number(count)]])
  })

  test('of a summary, new and restarted', async () => {
    const summary = (MetricName: string, began: number, at: number, Count: number, Sum: number): SummaryRow => ({
      MetricName,
      ServiceName: 'api',
      StartTimeUnix: start + began,
      TimeUnix: start + at,
      Count,
      Sum,
    })
    await insert(tables.summary, [
      summary('gc', -day, 60, 4, 40),
      summary('gc', 70, 120, 5, 10),
      summary('gc', 70, 130, 6, 12),
    ])
    const series: Series = { metricName: 'gc', metricDataType: 'summary' }
    expect(await values({ ...series, aggFn: 'count' })).toEqual([[0, '10']])
    expect(await values({ ...series, aggFn: 'sum' })).toEqual([[0, 52]])
  })
})
