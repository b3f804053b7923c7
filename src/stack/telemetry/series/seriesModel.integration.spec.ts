/** Random queries over random rows, against the plainest computation of them. */
import { group as groupRows } from 'd3-array'
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { chartQuery, type AggFn } from '#contract/stack/charts.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import {
  aggregate,
  gaugeSeries,
  histogramSeries,
  keyOf,
  sumSeries,
  type Point,
  type Result,
} from '../../testing/seriesModel/seriesModel.ts'
import { readableSources } from '../../testing/metricSeries.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import type { Engine } from '../engine/engine.ts'
import { tables } from '../tables.ts'
import { querySeries } from './seriesQuery.ts'

const start = (Math.floor(currentTime() / 86_400_000) - 1) * 86_400
const runs = 60
const kinds = ['gauge', 'sum', 'histogram', 'exponential histogram'] as const
const seed = 20
let engine: Engine
const points: Record<(typeof kinds)[number], Point[]> = {
  gauge: [],
  sum: [],
  histogram: [],
  'exponential histogram': [],
}
const events: { table: 'log' | 'trace'; time: number; group: string | null; text: string }[] = []

const hosts = ['', 'a', 'NULL', '(none)', 'other']
const groupOf = (host: string) => (host === '' ? null : host)
const levels = [NaN, Infinity, -Infinity, 0, -1.5, -20, 3, 7.25, 1000]
const texts = ['NaN', 'inf', '-Infinity', '', 'slow', '0', '-3', '12.5', '100', '1e3']

/** Restarts, gaps, unknown starts and several points in a second. */
function timesOf(random: () => number): { time: number; nanos: number; start: number; again: boolean }[] {
  const knows = random() < 0.8
  let time = start - Math.floor(random() * 5000)
  let began = time - Math.floor(random() * 2000)
  return Array.from({ length: 25 }, () => {
    const again = random() < 0.15
    if (again) began = time + Math.floor(random() * 5)
    time += Math.floor(random() ** 3 * 900) + (again ? 6 : 0)
    return { time, nanos: Math.floor(random() * 4), start: knows ? began : 0, again }
  })
}

/** Numbers from 0 to 1, the same in each run. */
function numbers(from: number): () => number {
  let state = from
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

beforeAll(async () => {
  engine = await temporaryEngine()
  const random = numbers(seed)
  const rows: Record<string, object[]> = {}
  const add = (table: string, row: object) => (rows[table] ??= []).push(row)
  const common = (
    name: string,
    series: string,
    host: string,
    { time, nanos, start: began }: { time: number; nanos: number; start: number },
  ) => ({
    MetricName: name,
    ServiceName: series,
    Attributes: { host },
    TimeUnix: time,
    TimeUnixFraction: nanos,
    StartTimeUnix: began,
    StartTimeUnixFraction: 0,
  })
  for (let at = 0; at < 24; at++) {
    const host = hosts[at % 5] ?? ''
    const [delta, monotonic] = [at % 3 === 0, at % 7 !== 0]
    const temporality = { AggregationTemporality: delta ? 1 : 2 }
    const series = `s${at}`
    const base = { series, group: groupOf(host), delta }
    const none = { sum: 0, cells: new Map<string, number>() }
    let value = 0
    for (const when of timesOf(random)) {
      value = delta
        ? Math.floor(random() * 9) - (monotonic ? 0 : 4)
        : when.again
          ? 1
          : value + Math.floor(random() * 9) - (monotonic ? 0 : 4)
      points.sum.push({ ...base, ...none, ...when, monotonic, value })
      add(tables.sum, { ...common('m', series, host, when), ...temporality, IsMonotonic: monotonic, Value: value })
    }
    for (const when of timesOf(random)) {
      const measured = levels[Math.floor(random() * levels.length)] ?? 0
      points.gauge.push({ ...base, ...none, ...when, delta: false, monotonic: false, value: measured })
      add(tables.gauge, { ...common('m', series, host, when), Value: String(measured) })
    }
    const counts = [0, 0, 0, 0]
    const two = [0, 0, 0]
    for (const when of timesOf(random)) {
      for (const list of [counts, two]) {
        for (const index of list.keys()) {
          const fresh = Math.floor(random() * 4)
          list[index] = delta || when.again ? fresh : (list[index] ?? 0) + fresh
        }
      }
      const total = (list: number[]) => list.reduce((sum, value) => sum + value, 0)
      const sum = total(counts) * 7
      const bounds = ['0,10', '10,20', '20,40', '40,40']
      points.histogram.push({
        ...base,
        ...when,
        monotonic: true,
        value: total(counts),
        sum,
        cells: new Map(bounds.map((cell, index) => [cell, counts[index] ?? 0])),
      })
      add(tables.histogram, {
        ...common('m', series, host, when),
        ...temporality,
        Count: total(counts),
        Sum: sum,
        BucketCounts: [...counts],
        ExplicitBounds: [10, 20, 40],
      })
      points['exponential histogram'].push({
        ...base,
        ...when,
        monotonic: true,
        value: total(two),
        sum: total(two),
        cells: new Map([
          ['0,0', two[0] ?? 0],
          ['1,2', two[1] ?? 0],
          ['2,4', two[2] ?? 0],
        ]),
      })
      add(tables.exponentialHistogram, {
        ...common('m', series, host, when),
        ...temporality,
        Count: total(two),
        Sum: total(two),
        Scale: 0,
        ZeroCount: two[0] ?? 0,
        PositiveOffset: 0,
        PositiveBucketCounts: two.slice(1),
      })
    }
  }
  for (let at = 0; at < 400; at++) {
    const [time, host, text] = [
      start + Math.floor(random() * 7000),
      hosts[at % 5] ?? '',
      texts[Math.floor(random() * texts.length)] ?? '',
    ]
    const table = at % 2 === 0 ? 'log' : 'trace'
    events.push({ table, time, group: groupOf(host), text })
    add(table === 'log' ? tables.logs : tables.traces, {
      Timestamp: `${time}.${String(at).padStart(9, '0')}`,
      ServiceName: host,
      [table === 'log' ? 'LogAttributes' : 'SpanAttributes']: { v: text },
    })
  }
  for (const [table, list] of Object.entries(rows)) await engine.insert(table, list)
  return () => engine.close()
})

const groupBy = (expression: string) => [`nullIf(${expression}, '')`]

/** The group of all others. */
const others = '\0others'

interface Asked {
  from: number
  to: number
  step: string
  topGroups: number | undefined
}

async function answer(series: object, { from, to, step, topGroups }: Asked): Promise<{ found: Result; rest: number }> {
  const query = chartQuery.parse({
    startTime: from * 1000,
    endTime: to * 1000,
    granularity: step,
    topGroups,
    series: [{ where: '', ...series }],
  })
  const found = await querySeries(engine, query, readableSources(engine), new AbortController().signal)
  const rest = Math.max(0, ...found.map(({ otherGroups = 0 }) => Number(otherGroups)))
  const values = found.map((point): [string, number | null] => {
    const value = point['series_0.data']
    const own: unknown = Array.isArray(point['group']) ? point['group'][0] : null
    const group = point['otherGroups'] === undefined ? own : others
    return [
      keyOf(Number(point['ts_bucket']) / 1000, typeof group === 'string' ? group : null),
      value === null ? null : Number(value),
    ]
  })
  return { found: new Map(values), rest }
}

/**
 * The rows with all groups but the largest as one, and how many those are.
 * @param sizes the values of the range as a whole, by group
 */
function topped<T extends { group: string | null }>(rows: readonly T[], sizes: Result, topGroups: number | undefined) {
  const bySize = [...sizes].map(([key, value]) => ({ group: (JSON.parse(key) as [number, string | null])[1], value })) // `keyOf` wrote it
  const ordered = bySize.toSorted(
    (a, b) =>
      (b.value ?? -Infinity) - (a.value ?? -Infinity) ||
      Number((a.group ?? '') > (b.group ?? '')) - Number((a.group ?? '') < (b.group ?? '')),
  )
  if (topGroups === undefined || ordered.length <= topGroups) return { rows, rest: 0 }
  const largest = new Set(ordered.slice(0, topGroups).map(({ group }) => group))
  return {
    rows: rows.map((row) => (largest.has(row.group) ? row : { ...row, group: others })),
    rest: ordered.length - topGroups,
  }
}

function expectSame(found: Result, expected: Result, what: unknown) {
  const rounded = (result: Result) =>
    Object.fromEntries(
      [...result].toSorted().map(([key, value]) => [key, value === null ? null : Number(value.toPrecision(9))]),
    )
  expect(rounded(found), JSON.stringify(what)).toEqual(rounded(expected))
}

const range = fc.record({
  from: fc.integer({ min: 0, max: 4000 }).map((at) => start + at),
  length: fc.integer({ min: 60, max: 5000 }),
  step: fc.constantFrom(['1m', 60], ['5m', 300], ['30m', 1800], ['1h', 3600]) as fc.Arbitrary<[string, number]>, // pairs
})
const level = fc.constantFrom(0, 0.25, 0.5, 0.9, 1)
/** Conditions on a group, in both languages, and the groups that they keep. */
interface Condition {
  where: (field: string, sql: string) => string
  language?: 'sql'
  keeps: (group: string | null) => boolean
}
const conditions: Record<string, Condition> = {
  none: { where: () => '', keeps: () => true },
  'not one': { where: (field) => `-${field}:"a"`, keeps: (group) => group !== 'a' },
  'not two': {
    where: (field) => `NOT (${field}:"a" OR ${field}:"(none)")`,
    keeps: (group) => group !== 'a' && group !== '(none)',
  },
  'no value': { where: (field) => `!${field}:*`, keeps: (group) => group === null },
  'not no value': { where: (field) => `NOT (NOT ${field}:*)`, keeps: (group) => group !== null },
  'not in SQL': { where: (_, sql) => `NOT (${sql} = 'a')`, language: 'sql', keeps: (group) => group !== 'a' },
}
const condition = fc.constantFrom(...Object.keys(conditions)).map((name) => ({ name, ...conditions[name]! }))
const common = {
  range,
  level,
  grouped: fc.boolean(),
  topGroups: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 1 }),
  condition,
}
/** The fields of a series that filter and group it. */
const scopeOf = ({ condition, grouped }: { condition: Condition; grouped: boolean }, field: string, sql: string) => ({
  where: condition.where(field, sql),
  whereLanguage: condition.language ?? 'lucene',
  ...(grouped && { groupBy: groupBy(sql) }),
})

const kept = <T extends { group: string | null }>(
  all: readonly T[],
  { condition, grouped }: { condition: Condition; grouped: boolean },
): T[] => all.filter(({ group }) => condition.keeps(group)).map((one) => (grouped ? one : { ...one, group: null }))

/** Gauges are ranked by all of their points. */
function sizesOf(
  rows: readonly Point[],
  aggFn: AggFn,
  { from, to }: { from: number; to: number },
  level: number,
): Result {
  const measured = rows.filter(({ time, value }) => time >= from && time <= to && Number.isFinite(value))
  const byTime = measured.toSorted((a, b) => a.time - b.time || a.nanos - b.nanos || a.value - b.value)
  return new Map(
    [...groupRows(byTime, ({ group }) => keyOf(0, group))].map(([key, points]) => [
      key,
      aggregate(
        aggFn,
        points.map(({ value }) => value),
        level,
      ),
    ]),
  )
}

/** The aggregate functions to try on each kind of metric. */
const functions: Record<(typeof kinds)[number], readonly AggFn[]> = {
  gauge: ['sum', 'avg', 'min', 'max', 'count', 'quantile', 'last_value'],
  sum: ['sum', 'avg', 'min', 'max', 'count', 'quantile', 'increase'],
  histogram: ['count', 'sum', 'avg', 'quantile'],
  'exponential histogram': ['count', 'sum', 'avg', 'quantile'],
}

// One test for each, because a statement over histograms takes the engine up to a second on a busy machine.
test.each(kinds)('metrics: %s', async (kind) => {
  const compute = { gauge: gaugeSeries, sum: sumSeries }[String(kind)] ?? histogramSeries
  await fc.assert(
    fc.asyncProperty(fc.record({ ...common, aggFn: fc.constantFrom(...functions[kind]) }), async (asked) => {
      const { aggFn } = asked
      const [step, seconds] = asked.range.step
      const span = { from: asked.range.from, to: asked.range.from + asked.range.length }
      const { found, rest } = await answer(
        {
          sourceId: 'metric',
          metricName: 'm',
          metricDataType: kind,
          aggFn,
          level: asked.level,
          ...scopeOf(asked, 'Attributes.host', "Attributes['host']"),
        },
        { ...span, step, topGroups: asked.topGroups },
      )
      const all = kept(points[kind], asked)
      const whole = { ...span, step: seconds, whole: true }
      const sizes = kind === 'gauge' ? sizesOf(all, aggFn, whole, asked.level) : compute(all, aggFn, whole, asked.level)
      const { rows, rest: expectedRest } = topped(all, sizes, asked.grouped ? asked.topGroups : undefined)
      expectSame(found, compute(rows, aggFn, { ...span, step: seconds }, asked.level), asked)
      expect(rest, JSON.stringify(asked)).toBe(expectedRest)
    }),
    { numRuns: runs / kinds.length, seed },
  )
})

test('logs and spans, over attributes that are not all numbers', async () => {
  const table = fc.constantFrom('log' as const, 'trace' as const)
  const aggFn = fc.constantFrom<AggFn[]>('count', 'sum', 'avg', 'min', 'max', 'quantile', 'last_value')
  await fc.assert(
    fc.asyncProperty(fc.record({ ...common, table, aggFn }), async (asked) => {
      const [step, seconds] = asked.range.step
      const [from, to] = [asked.range.from, asked.range.from + asked.range.length]
      const field = `${asked.table === 'log' ? 'Log' : 'Span'}Attributes.v`
      const { found, rest } = await answer(
        {
          sourceId: asked.table,
          aggFn: asked.aggFn,
          field,
          level: asked.level,
          ...scopeOf(asked, 'ServiceName', 'ServiceName'),
        },
        { from, to, step, topGroups: asked.topGroups },
      )
      const all = kept(events, asked).filter(({ table, time }) => table === asked.table && time >= from && time < to)
      const aggregated = (rows: typeof events, bucketOf: (time: number) => number): Result =>
        new Map(
          [...groupRows(rows, ({ time, group }) => keyOf(bucketOf(time), group))].map(([key, list]) => {
            const values = list
              .toSorted((a, b) => a.time - b.time)
              .map(({ text }) => (text === '' ? NaN : Number(text)))
            return [key, aggregate(asked.aggFn, values, asked.level)]
          }),
        )
      const { rows, rest: expectedRest } = topped(
        all,
        aggregated(all, () => 0),
        asked.grouped ? asked.topGroups : undefined,
      )
      expectSame(
        found,
        aggregated([...rows], (time) => Math.floor(time / seconds) * seconds),
        asked,
      )
      expect(rest, JSON.stringify(asked)).toBe(expectedRest)
    }),
    { numRuns: runs, seed },
  )
})
