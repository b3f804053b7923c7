/** The largest groups of a chart, and all others as one. */
import { beforeAll, describe, expect, test } from 'vitest'
import { aggFns, chartQuery, type ChartPoint, type ChartQuery, type ChartRow } from '#contract/stack/charts.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { readableSources } from '../../testing/metricSeries.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import type { Engine } from '../engine/engine.ts'
import { tables } from '../tables.ts'
import { querySeries } from './seriesQuery.ts'

const hour = 3_600_000
const start = (Math.floor(currentTime() / 86_400_000) - 2) * 86_400_000
let engine: Engine

/** Ten services: `s9` has ten spans, `s8` nine, and so on, in each of two hours; logs of five of them. */
beforeAll(async () => {
  engine = await temporaryEngine()
  const seconds = start / 1000
  await engine.command(
    `INSERT INTO ${tables.traces} (Timestamp, ServiceName, SpanName, Duration, SpanAttributes)
     SELECT toDateTime64({at:UInt32} + 3600 * (number % 2) + (intDiv(number, 20) AS nth), 9),
       concat('s', toString(intDiv(number, 2) % 10 AS service)), ['', 'other', 'read'][1 + nth % 3],
       100 * service + nth * nth,
       map('host', ['', 'a', 'b'][1 + nth % 3], concat('k', toString(service)), '1')
     FROM numbers(200) WHERE nth <= service`,
    { params: { at: seconds } },
  )
  await engine.command(
    `INSERT INTO ${tables.logs} (Timestamp, ServiceName, Body)
     SELECT toDateTime64({at:UInt32} + number, 9), concat('s', toString(number % 5)), 'x' FROM numbers(100)`,
    { params: { at: seconds } },
  )
  return () => engine.close()
})

type Series = Partial<ChartQuery['series'][number]>

function answer(series: Series[], rest: Partial<ChartQuery> = {}): Promise<(ChartPoint | ChartRow)[]> {
  const query = chartQuery.parse({
    startTime: start,
    endTime: start + 2 * hour - 1,
    granularity: '1h',
    series: series.map((one) => ({ sourceId: 'trace', aggFn: 'count', where: '', groupBy: ['ServiceName'], ...one })),
    ...rest,
  })
  return querySeries(engine, query, readableSources(engine), new AbortController().signal)
}

const points = async (...asked: Parameters<typeof answer>) => (await answer(...asked)) as ChartPoint[] // without a return type
const sorted = (found: readonly object[]) =>
  found.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
const valuesOf = (found: readonly ChartPoint[]) => sorted(found.map((point) => ({ ...point, ts_bucket: undefined })))

test('the largest groups, and the others with their number', async () => {
  const found = await points([{}], { topGroups: 2, granularity: '1d' })
  expect(valuesOf(found)).toEqual(
    sorted([
      { group: ['s8'], 'series_0.data': '18' },
      { group: ['s9'], 'series_0.data': '20' },
      { group: [], otherGroups: 8, 'series_0.data': '72' },
    ]),
  )
})

test('no others where all groups fit, as without the limit', async () => {
  expect(valuesOf(await points([{}], { topGroups: 10 }))).toEqual(valuesOf(await points([{}])))
  expect(valuesOf(await points([{}], { topGroups: 1000 }))).toEqual(valuesOf(await points([{}])))
  expect(await points([{ groupBy: [] }], { topGroups: 1 })).toEqual(await points([{ groupBy: [] }]))
})

describe('the others are exactly what the rows of the other groups come to', () => {
  test.each(aggFns.filter((aggFn) => aggFn !== 'increase' && aggFn !== 'any'))('%s', async (aggFn) => {
    const field =
      aggFn === 'none' ? 'sum(Duration) / count()' : aggFn === 'count_distinct' ? 'Duration % 7' : 'Duration'
    const own = { aggFn, field, ...(aggFn === 'quantile' && { level: 0.9 }) }
    const found = await points([own], { topGroups: 3 })
    const largest = [...new Set(found.flatMap(({ group = [] }) => group))]
    expect(largest).toHaveLength(3)
    const rest = `ServiceName NOT IN (${largest.map((name) => `'${String(name)}'`).join(', ')})`
    const expected = await points([{ ...own, where: rest, whereLanguage: 'sql', groupBy: [] }])
    const others = found.filter(({ otherGroups }) => otherGroups !== undefined)
    expect(others.map((point) => ({ ...point, otherGroups: undefined }))).toEqual(expected)
    expect(others[0]).toMatchObject({ otherGroups: 7 })
  })
})

test('groups by several expressions, with NULL, no text and a group that is called other', async () => {
  const groupBy = ["nullIf(SpanName, 'read')", "SpanAttributes['host']"]
  const all = await points([{ groupBy }], { granularity: '1d' })
  expect(all.map(({ group }) => group).toSorted()).toEqual(
    [
      [null, 'b'],
      ['', ''],
      ['other', 'a'],
    ].toSorted(),
  )
  const found = await points([{ groupBy }], { topGroups: 2, granularity: '1d' })
  const largest = all.toSorted((a, b) => Number(b['series_0.data']) - Number(a['series_0.data']))
  expect(found.filter(({ otherGroups }) => otherGroups === undefined)).toEqual(
    expect.arrayContaining(largest.slice(0, 2)),
  )
  expect(found.filter(({ otherGroups }) => otherGroups !== undefined)).toEqual([
    { ...largest[2], group: [], otherGroups: 1 },
  ])
  const rows = await answer([{ groupBy }], { topGroups: 2, granularity: '1d', seriesReturnType: 'column' })
  expect(rows.filter((row) => '__other_groups' in row)).toEqual([
    { __other_groups: 1, __hdx_time_bucket: expect.any(String) as string, series_0: largest[2]?.['series_0.data'] },
  ])
})

test('NULL stays a group of its own', async () => {
  const groupBy = ["nullIf(ServiceName, 's9')"]
  expect(valuesOf(await points([{ groupBy }], { topGroups: 1, granularity: '1d' }))).toEqual([
    { group: [], otherGroups: 9, 'series_0.data': '90' },
    { group: [null], 'series_0.data': '20' },
  ])
})

test('names of attributes', async () => {
  const groupBy = ['arrayJoin(mapKeys(SpanAttributes))']
  expect(valuesOf(await points([{ groupBy }], { topGroups: 2, granularity: '1d' }))).toEqual(
    sorted([
      { group: ['host'], 'series_0.data': '110' },
      { group: ['k9'], 'series_0.data': '20' },
      { group: [], otherGroups: 9, 'series_0.data': '90' },
    ]),
  )
})

test('equal groups are in the order of their texts', async () => {
  const found = await points([{ aggFn: 'none', field: '1 + 0 * count()' }], { topGroups: 2, granularity: '1d' })
  expect(found.flatMap(({ group = [] }) => group).toSorted()).toEqual(['s0', 's1'])
})

test('all series have the same groups, also of other sources and conditions', async () => {
  const series = [{ where: 'ServiceName:s3', aggFn: 'max' as const, field: 'Duration' }, { sourceId: 'log' }, {}]
  const found = await points(series, { topGroups: 3, granularity: '1d' })
  // Only s3 has values of the first, then come the others of its statement by the next series of it.
  expect(found.flatMap(({ group = [] }) => group).toSorted()).toEqual(['s3', 's8', 's9'])
  expect(found.find(({ otherGroups }) => otherGroups !== undefined)).toMatchObject({
    otherGroups: 7,
    'series_1.data': '80',
    'series_2.data': '64',
  })
  const few = await points([{ where: 'ServiceName:s7' }, { sourceId: 'log' }], { topGroups: 3, granularity: '1d' })
  expect(few.flatMap(({ group = [] }) => group).toSorted()).toEqual(['s0', 's1', 's7'])
  expect(few.find(({ otherGroups }) => otherGroups !== undefined)).toMatchObject({
    otherGroups: 3,
    'series_1.data': '60',
  })
})

test('the groups of another range, for a comparison with it', async () => {
  const where = "ServiceName = 's1' OR Timestamp < toDateTime64({at}, 9)".replace('{at}', String(start / 1000 + 3600))
  const series = [{ where, whereLanguage: 'sql' as const }]
  const later = { startTime: start + hour, endTime: start + 2 * hour - 1 }
  const first = { startTime: start, endTime: start + hour - 1 }
  expect((await points(series, { ...later, topGroups: 1 })).map(({ group }) => group)).toEqual([['s1']])
  const found = await points(series, { ...later, topGroups: 1, topGroupsRange: first })
  expect(found).toEqual([{ ts_bucket: start + hour, group: [], otherGroups: 9, 'series_0.data': '2' }])
})

test('as many groups as there is room for, at any range', async () => {
  await engine.command(
    `INSERT INTO ${tables.logs} (Timestamp, ServiceName, Body)
     SELECT toDateTime64({at:UInt32} + (number * 7919) % 86400, 9), 'many', concat('b', toString(number % 20000)) FROM numbers(200000)`,
    { params: { at: start / 1000 - 86_400 } },
  )
  const asked = { sourceId: 'log', groupBy: ['Body'] }
  const range = { startTime: start - 86_400_000, endTime: start - 1 }
  await expect(points([asked], { ...range, granularity: '5m' })).rejects.toThrow('more than 100000 points')
  for (const granularity of ['30s', '5m', '1d'] as const) {
    const found = await points([asked], { ...range, granularity, topGroups: 1000 })
    expect(found.length).toBeLessThanOrEqual(100_000)
    expect(found.reduce((sum, point) => sum + Number(point['series_0.data']), 0)).toBe(200_000)
    const groups = new Set(found.flatMap(({ group = [] }) => group))
    expect(groups.size + Number(found.find((point) => point.otherGroups !== undefined)?.otherGroups)).toBe(20_000)
  }
})
