/** Facets and completions that are read from the roll-ups of values, against the rows themselves; and which values they do not have. */
import * as fc from 'fast-check'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chartQuery, type ChartQuery } from '#contract/stack/charts.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { readableSources } from '../../testing/metricSeries.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import type { Engine } from '../engine/engine.ts'
import { querySeries } from '../series/seriesQuery.ts'
import { tables } from '../tables.ts'
import type { LogRow } from '../tableRows.ts'
import { ensureRollups } from './ensureRollups.ts'
import { valueTrimmer } from './trimValues.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The beginning of the day before yesterday. */
const start = (Math.floor(currentTime() / day) - 2) * day
const never = new AbortController().signal
const table = 'otel_logs_kv_rollup_15m'
const logger = pino({ level: 'silent' })

let engine: Engine
beforeEach(async () => {
  engine = await temporaryEngine()
})
afterEach(() => engine.close())

type Asked = Partial<ChartQuery> & { series: ChartQuery['series'] }

/** @param leastRolledRows from which on a roll-up is read: none for `Infinity` */
async function asked(query: Asked, leastRolledRows = 0) {
  const parsed = chartQuery.parse({ startTime: start, endTime: start + 3 * day, granularity: '30d', ...query })
  const points = await querySeries(engine, parsed, { ...readableSources(engine), leastRolledRows }, never)
  const readFrom = points.flatMap((point) => point['readFrom'] ?? [])
  const plain = points.map((point) =>
    JSON.stringify(point, (key, value: unknown) => (key === 'readFrom' ? undefined : value)),
  )
  return { readFrom, points: plain.toSorted() }
}

const facet = (field: string, where = '', rest: Partial<ChartQuery> = {}): Asked => ({
  series: [{ sourceId: 'log', aggFn: 'count', where, groupBy: [field] }],
  ...rest,
})

const word = fc.constantFrom('', 'a', 'b', 'GET', 'it\'s "one"', 'x'.repeat(128), 'ä%_*', '\u0000z')
const attributes = fc
  .record({ method: word, 'http.route': word, long: fc.constantFrom('a', '', 'x'.repeat(129)) }, { requiredKeys: [] })
  .map((one): Record<string, string> => ({ ...one }))

const row = fc
  .record({
    at: fc.integer({ min: 0, max: 2 * day }),
    ServiceName: fc.constantFrom('api', 'web', ''),
    SeverityText: fc.constantFrom('info', 'error'),
    ScopeName: fc.constantFrom('', 'a', 'x'.repeat(128)),
    LogAttributes: attributes,
    ResourceAttributes: attributes,
    ScopeAttributes: attributes,
  })
  .map(({ at, ...rest }): LogRow => ({ ...rest, Timestamp: `${((start + at) / 1000).toFixed(3)}000001` }))

const field = fc.constantFrom(
  "LogAttributes['method']",
  'LogAttributes.http.route',
  "ResourceAttributes['long']",
  "ScopeAttributes['none']",
  'ScopeName',
  'EventName',
  'SeverityText',
)
/** Conditions that a roll-up of values has, and some that it has not. */
const whereOf = (name: string) =>
  fc.constantFrom(
    '',
    '',
    `${name.replace(/\['(.*)'\]/, '.$1')}:"a"`,
    `-${name.replace(/\['(.*)'\]/, '.$1')}:(a OR GE*)`,
    `${name.replace(/\['(.*)'\]/, '.$1')}:*`,
    'ServiceName:api',
  )

const query = fc
  .record({
    field,
    from: fc.integer({ min: 0, max: day }),
    length: fc.integer({ min: hour, max: 2 * day }),
    granularity: fc.constantFrom('15m' as const, '1h' as const, '1d' as const, '30d' as const),
    topGroups: fc.constantFrom(undefined, 1, 2),
    timezone: fc.constantFrom(undefined, 'Asia/Kathmandu'),
  })
  .chain(({ field: name, from, length, ...rest }) =>
    whereOf(name).map((where) =>
      facet(name, where, { ...rest, startTime: start + from, endTime: start + from + length }),
    ),
  )

describe('facets of random rows', () => {
  test('have the counts of the rows, for any condition and range', async () => {
    await ensureRollups(engine, ['logs.values'], 30)
    const rows = fc.sample(row, { numRuns: 3000, seed: 5 })
    for (let at = 0; at < rows.length; at += 500) await engine.insert(tables.logs, rows.slice(at, at + 500))
    // A key that comes twice.
    await engine.command(
      `INSERT INTO ${tables.logs} (Timestamp, LogAttributes) SELECT fromUnixTimestamp64Milli({at:Int64}), map('method', 'a', 'method', 'b') FROM numbers(10)`,
      { params: { at: start + 5 * hour } },
    )
    let rolled = 0
    for (const one of fc.sample(query, { numRuns: 60, seed: 11 })) {
      const { points, readFrom } = await asked(one)
      rolled += readFrom.length
      expect(points, JSON.stringify(one)).toEqual((await asked(one, Infinity)).points)
    }
    expect(rolled).toBeGreaterThan(20)
  }, 240_000)
})

const isOf = (name: string) => facet(`LogAttributes['${name}']`)

/** Rows of the first day, with a method of three and an ID of their own. */
function insertIds(from: number, count: number, name = 'id'): Promise<void> {
  const rows = Array.from({ length: count }, (_, at): LogRow => ({
    Timestamp: ((start + (from + at) * 1000) / 1000).toFixed(3),
    LogAttributes: { [name]: `${name}-${from + at}`, method: ['GET', 'PUT', ''][at % 3] ?? '' },
  }))
  return engine.insert(tables.logs, rows)
}

const storedValues = async (name: string) => {
  const [row] = await engine.query<{ n: string }>(
    `SELECT uniqExact(Value) AS n FROM ${table} WHERE ColumnIdentifier = 'LogAttributes' AND Key = {name:String}`,
    { params: { name } },
  )
  return Number(row?.n)
}

describe('values of which there are many', () => {
  test('are left out of an insert in which most rows have one of their own', async () => {
    await ensureRollups(engine, ['logs.values'], 30)
    await insertIds(0, 400)
    expect(await storedValues('id')).toBe(0)
    expect(await storedValues('method')).toBe(3)
    for (const name of ['id', 'method']) {
      const { points } = await asked(isOf(name))
      expect(points).toEqual((await asked(isOf(name), Infinity)).points)
    }
  })

  test('are left out of a day on which an attribute has too many, and others stay', async () => {
    await ensureRollups(engine, ['logs.values'], 30)
    for (let at = 0; at < 1100; at += 100) await insertIds(at, 100)
    await insertIds(86_400, 50)
    expect(await storedValues('id')).toBe(1150)
    expect((await asked(isOf('id'))).readFrom).toEqual([table])

    const trimmer = valueTrimmer({ engine, logger })
    for (const day of await trimmer.changedDays(table, 1)) await trimmer.trim(table, day)
    expect(await trimmer.changedDays(table, 1)).toEqual([])
    expect(await storedValues('id')).toBe(50)
    expect(await storedValues('method')).toBe(3)
    // The first day is read from the rows.
    const answer = await asked(isOf('id'))
    expect(answer.readFrom).toEqual([table])
    expect(answer.points).toEqual((await asked(isOf('id'), Infinity)).points)
    // Later values of that day are there beside the marks.
    await insertIds(50_000, 20)
    expect((await asked(isOf('id'))).points).toEqual((await asked(isOf('id'), Infinity)).points)
  }, 120_000)

  test('are read from the rows where they are left out after the roll-up was chosen', async () => {
    await ensureRollups(engine, ['logs.values'], 30)
    await insertIds(0, 90)
    const before = await asked(isOf('id'))
    expect(before.readFrom).toEqual([table])
    let isMarked = false
    const marking: Engine = {
      ...engine,
      query: async (sql, options) => {
        if (sql.includes('ARRAY JOIN counts') && !isMarked) {
          isMarked = true
          await engine.command(
            `INSERT INTO ${table} SELECT Timestamp, '', 'LogAttributes', 'id', 1 FROM ${table} LIMIT 1`,
          )
          await engine.command(`ALTER TABLE ${table} DELETE WHERE Key = 'id' SETTINGS mutations_sync = 1`)
        }
        return engine.query(sql, options)
      },
    }
    const query = chartQuery.parse({ startTime: start, endTime: start + 3 * day, granularity: '30d', ...isOf('id') })
    const points = await querySeries(marking, query, { ...readableSources(marking), leastRolledRows: 0 }, never)
    expect(isMarked).toBe(true)
    expect(points.map((point) => JSON.stringify(point)).toSorted()).toEqual(before.points)
  })
})

test('while rows arrive, an answer is that of some moment', async () => {
  await ensureRollups(engine, ['logs.values'], 30)
  const progress = { stored: 0 }
  const inserting = (async () => {
    for (; progress.stored < 1200; progress.stored += 60) await insertIds(progress.stored % 700, 60, 'kind')
  })()
  let answers = 0
  while (progress.stored < 1200) {
    const before = progress.stored
    const { points } = await asked(isOf('method'))
    const counts = points.map((point) => Number(JSON.parse(point)['series_0.data']))
    const total = counts.reduce((sum, count) => sum + count, 0)
    expect(total).toBeGreaterThanOrEqual(before)
    // Each insert has the same number of each.
    expect(new Set(counts).size).toBeLessThanOrEqual(1)
    answers += points.length
  }
  await inserting
  expect(answers).toBeGreaterThan(0)
  expect((await asked(isOf('method'))).points).toEqual((await asked(isOf('method'), Infinity)).points)
}, 120_000)
