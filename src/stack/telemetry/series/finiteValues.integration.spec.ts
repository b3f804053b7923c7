import { afterAll, beforeAll, expect, test } from 'vitest'
import { chartQuery, type ChartQuery } from '#contract/stack/charts.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { readableSources } from '../../testing/metricSeries.ts'
import type { Engine } from '../engine/engine.ts'
import { tables } from '../tables.ts'
import { querySeries } from './seriesQuery.ts'

const start = (Math.floor(currentTime() / 86_400_000) - 1) * 86_400
let engine: Engine

beforeAll(async () => {
  engine = await temporaryEngine()
  const latencies = ['NaN', '50', 'Infinity', '150', '-inf', '1e999', 'slow', '200']
  await engine.insert(
    tables.logs,
    latencies.map((latency, at) => ({ Timestamp: `${start + at}.000000000`, LogAttributes: { latency } })),
  )
  const common = 'MetricName, Attributes, TimeUnix'
  const at = (seconds: number) => `toDateTime(${start + seconds})`
  await engine.command(`INSERT INTO ${tables.gauge} (${common}, Value) VALUES
    ('g', map('h', 'a'), ${at(0)}, 5), ('g', map('h', 'a'), ${at(60)}, nan), ('g', map('h', 'b'), ${at(0)}, 7), ('g', map('h', 'c'), ${at(0)}, inf)`)
  await engine.command(`INSERT INTO ${tables.sum} (${common}, Value, AggregationTemporality, IsMonotonic) VALUES
    ('s', map(), ${at(0)}, 5, 2, true), ('s', map(), ${at(60)}, nan, 2, true), ('s', map(), ${at(120)}, 9, 2, true),
    ('d', map(), ${at(0)}, 5, 1, true), ('d', map(), ${at(60)}, inf, 1, true)`)
  await engine.command(`INSERT INTO ${tables.histogram} (${common}, Count, Sum, BucketCounts, ExplicitBounds, AggregationTemporality) VALUES
    ('h', map(), ${at(0)}, 2, 20, [2], [], 1), ('h', map(), ${at(60)}, 3, nan, [3], [], 1), ('h', map(), ${at(120)}, 2, 40, [2], [], 1)`)
})
afterAll(() => engine.close())

type Series = Partial<ChartQuery['series'][number]>

async function valueOf(series: Series): Promise<unknown> {
  const query = chartQuery.parse({
    startTime: start * 1000,
    endTime: (start + 3599) * 1000,
    granularity: '1h',
    series: [{ sourceId: 'log', aggFn: 'count', where: '', ...series }],
  })
  const points = await querySeries(engine, query, readableSources(engine), new AbortController().signal)
  return points[0]?.['series_0.data']
}

test.each<[ChartQuery['series'][number]['aggFn'], unknown]>([
  ['sum', 400],
  ['avg', 400 / 3],
  ['min', 50],
  ['max', 200],
  ['quantile', 150],
  ['last_value', 200],
])('%s of an attribute ignores what is not finite, like other text', async (aggFn, expected) => {
  expect(await valueOf({ aggFn, field: 'LogAttributes.latency' })).toBeCloseTo(Number(expected), 9)
  expect(await valueOf({ aggFn, field: "toFloat64OrNull(LogAttributes['latency'])" })).toBeCloseTo(Number(expected), 9)
  // With a condition of its own.
  expect(await valueOf({ aggFn, field: 'LogAttributes.latency', where: 'LogAttributes.latency:*' })).toBeCloseTo(
    Number(expected),
    9,
  )
})

test('values that are computed count if they are finite', async () => {
  expect(await valueOf({ aggFn: 'max', field: '100 / (toUnixTimestamp(Timestamp) % 8)' })).toBe(100)
  expect(await valueOf({ aggFn: 'count_distinct', field: "toFloat64OrZero(LogAttributes['latency'])" })).toBe('4')
})

test('without a finite value there is none', async () => {
  expect(await valueOf({ aggFn: 'sum', field: 'LogAttributes.latency', where: 'LogAttributes.latency:NaN' })).toBe(null)
})

test.each<[Series, unknown]>([
  [{ metricDataType: 'gauge', metricName: 'g', aggFn: 'sum' }, 12],
  [{ metricDataType: 'gauge', metricName: 'g', aggFn: 'count' }, '2'],
  [{ metricDataType: 'sum', metricName: 's', aggFn: 'sum' }, 4],
  [{ metricDataType: 'sum', metricName: 'd', aggFn: 'sum' }, 5],
  [{ metricDataType: 'histogram', metricName: 'h', aggFn: 'count' }, '7'],
  [{ metricDataType: 'histogram', metricName: 'h', aggFn: 'sum' }, 60],
  [{ metricDataType: 'histogram', metricName: 'h', aggFn: 'avg' }, 15],
])('of metrics: %j', async (series, expected) => {
  expect(await valueOf({ sourceId: 'metric', ...series })).toBe(expected)
})
