/** Buckets on the calendar of a time zone, on both sides of a change of clocks. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chartQuery, granularities, granularitySeconds, type ChartQuery } from '#contract/stack/charts.ts'
import { readableSources } from '#stack/testing/metricSeries.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'
import type { Engine } from '../engine/engine.ts'
import { tables } from '../tables.ts'
import { querySeries } from './seriesQuery.ts'

const hour = 3_600_000
/** Clocks in Berlin go from 02:00 to 03:00 on 29 March and from 03:00 to 02:00 on 25 October 2048, which no retention period has passed. */
const spring = Date.parse('2048-03-27T00:00:00Z')
const autumn = Date.parse('2048-10-23T00:00:00Z')
const days = 5

let engine: Engine

/** `2048-03-27 00:00:00`, which every time column reads. */
const engineTime = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')

beforeAll(async () => {
  engine = await temporaryEngine()
  const halfHours = [spring, autumn].flatMap((start) =>
    Array.from({ length: days * 48 }, (_, index) => start + (index * hour) / 2),
  )
  await engine.insert(
    tables.logs,
    halfHours.map((time) => ({ Timestamp: engineTime(time), ServiceName: 'api', Body: 'tick' })),
  )
  await engine.insert(
    tables.gauge,
    halfHours.map((time) => ({ TimeUnix: engineTime(time), MetricName: 'ticks', Value: 1 })),
  )
  await engine.insert(
    tables.sum,
    halfHours.map((time) => ({
      TimeUnix: engineTime(time),
      MetricName: 'added',
      Value: 1,
      AggregationTemporality: 1,
      IsMonotonic: true,
    })),
  )
})
afterAll(() => engine.close())

type Series = Partial<ChartQuery['series'][number]>

async function buckets(start: number, rest: Partial<ChartQuery>, series: Series = {}) {
  const points = await querySeries(
    engine,
    chartQuery.parse({
      startTime: start,
      endTime: start + days * 24 * hour - 1,
      series: [{ sourceId: 'log', aggFn: 'count', where: '', ...series }],
      ...rest,
    }),
    readableSources(engine),
    new AbortController().signal,
  )
  return points.map((point) => [Number(point.ts_bucket), Number(point['series_0.data'])] as const)
}

const text = (time: number) => new Date(time).toISOString().slice(0, 16)

describe('days of Europe/Berlin start at its midnight', () => {
  test.each([
    ['logs', { sourceId: 'log', aggFn: 'count' }],
    ['a counter', { sourceId: 'metric', aggFn: 'sum', metricName: 'added', metricDataType: 'sum' }],
  ] as const)('%s: the day on which clocks go forward has 23 hours', async (_, series) => {
    const answered = await buckets(spring, { granularity: '1d', timezone: 'Europe/Berlin' }, series)
    expect(answered.map(([time, value]) => [text(time), value])).toEqual([
      ['2048-03-26T23:00', 46],
      ['2048-03-27T23:00', 48],
      ['2048-03-28T23:00', 46],
      ['2048-03-29T22:00', 48],
      ['2048-03-30T22:00', 48],
      ['2048-03-31T22:00', 4],
    ])
  })

  test('and the day on which they go back has 25', async () => {
    const answered = await buckets(autumn, { granularity: '1d', timezone: 'Europe/Berlin' })
    expect(answered.map(([time, value]) => [text(time), value])).toEqual([
      ['2048-10-22T22:00', 44],
      ['2048-10-23T22:00', 48],
      ['2048-10-24T22:00', 50],
      ['2048-10-25T23:00', 48],
      ['2048-10-26T23:00', 48],
      ['2048-10-27T23:00', 2],
    ])
  })

  test('a gauge has its last value of the local day', async () => {
    const gauge = { sourceId: 'metric', aggFn: 'sum', metricName: 'ticks', metricDataType: 'gauge' } as const
    const answered = await buckets(autumn, { granularity: '1d', timezone: 'Europe/Berlin' }, gauge)
    expect(answered.map(([time, value]) => [text(time), value])).toContainEqual(['2048-10-25T23:00', 1])
  })
})

test('without a time zone, and in UTC, days are those of UTC', async () => {
  const inUtc = await buckets(spring, { granularity: '1d', timezone: 'UTC' })
  expect(inUtc).toEqual(Array.from({ length: days }, (_, day) => [spring + day * 24 * hour, 48]))
  expect(await buckets(spring, { granularity: '1d' })).toEqual(inUtc)
})

test('a bucket shorter than an hour starts where it does in UTC', async () => {
  const short = { granularity: '10m' } as const
  expect(await buckets(spring, { ...short, timezone: 'Asia/Kathmandu' })).toEqual(await buckets(spring, short))
})

test('every row is in the bucket of its local time, none in two', async () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Apia', 'Africa/Cairo']
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...zones),
      fc.constantFrom(...granularities.slice(granularities.indexOf('1h'))),
      fc.constantFrom(spring, autumn),
      async (timezone, granularity, start) => {
        const answered = await buckets(start, { granularity, timezone })
        expect(answered.reduce((sum, [, count]) => sum + count, 0)).toBe(days * 48)
        const step = granularitySeconds(granularity, 0, 0)
        for (const [time] of answered)
          expect([timezone, granularity, text(time), remainder(time, timezone, step)]).toEqual([
            timezone,
            granularity,
            text(time),
            0,
          ])
      },
    ),
    { numRuns: 40 },
  )
})

/** Seconds of a local time since the last multiple of the step; 0 for the first moment after a gap of the clock. */
function remainder(time: number, timezone: string, step: number): number {
  const local = (at: number) => {
    const parts = new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
    return Date.parse(`${parts.format(at).replace(' ', 'T')}Z`) / 1000
  }
  const afterGap = local(time) - local(time - 1000) > 1
  const since = (seconds: number) => (step >= 86_400 ? seconds % step : (seconds % 86_400) % step)
  return afterGap ? 0 : since(local(time))
}

test.each(['+01:00', 'Berlin', 'Europe/Nowhere', '', "UTC'"])('"%s" is not a time zone', (timezone) => {
  const parsed = chartQuery.safeParse({
    startTime: spring,
    endTime: autumn,
    timezone,
    series: [{ sourceId: 'log', aggFn: 'count' }],
  })
  expect(parsed.error?.issues[0]?.message).toBe(
    'timezone must be the name of a time zone, such as Europe/Berlin or UTC',
  )
})
