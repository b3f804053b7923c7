/** Facets and completions that are read from the roll-ups of values, against the rows themselves; and which values they do not have. */
import * as fc from 'fast-check'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readableSources } from '../../testing/metricSeries.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import type { Engine } from '../engine/engine.ts'
import { querySeries } from '../series/seriesQuery.ts'
import { tables } from '../tables.ts'
import type { LogRow } from '../tableRows.ts'
import { ensureRollups } from './ensureRollups.ts'
import { ownRollups, selectOfRollup } from './ownRollups.ts'
import { isOfValue } from './rolledValues.ts'
import { answerOf, facet, facetQuery, logRow, parsedQuery, start, type Asked } from './testing/attributeRows.ts'
import { valueTrimmer } from './trimValues.ts'

const hour = 3_600_000
const never = new AbortController().signal
const table = 'otel_logs_kv_rollup_15m'
const logger = pino({ level: 'silent' })

let engine: Engine
beforeEach(async () => {
  engine = await temporaryEngine()
})
afterEach(() => engine.close())

/** @param leastRolledRows from which on a roll-up is read: none for `Infinity` */
const asked = async (query: Asked, leastRolledRows = 0) =>
  answerOf(await querySeries(engine, parsedQuery(query), { ...readableSources(engine), leastRolledRows }, never))

describe('facets of random rows', () => {
  test('have the counts of the rows, for any condition and range', async () => {
    await ensureRollups(engine, ['logs.values'], 30)
    const rows = fc.sample(logRow, { numRuns: 3000, seed: 5 })
    for (let at = 0; at < rows.length; at += 500) await engine.insert(tables.logs, rows.slice(at, at + 500))
    // A key that comes twice.
    await engine.command(
      `INSERT INTO ${tables.logs} (Timestamp, LogAttributes) SELECT fromUnixTimestamp64Milli({at:Int64}), map('method', 'a', 'method', 'b') FROM numbers(10)`,
      { params: { at: start + 5 * hour } },
    )
    let rolled = 0
    for (const one of fc.sample(facetQuery, { numRuns: 40, seed: 11 })) {
      const { points, readFrom } = await asked(one)
      rolled += readFrom.length
      expect(points, JSON.stringify(one)).toEqual((await asked(one, Infinity)).points)
    }
    expect(rolled).toBeGreaterThan(10)
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
    const points = await querySeries(
      marking,
      parsedQuery(isOf('id')),
      { ...readableSources(marking), leastRolledRows: 0 },
      never,
    )
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

test('a day that was filled halfway is read from the rows', async () => {
  await insertIds(0, 90)
  await ensureRollups(engine, ['logs.values'], 30)
  const values = ownRollups.find((rollup) => rollup.table === table)
  if (!values) throw new Error('there is no such roll-up')
  const base = { database: engine.database, table: tables.logs }
  // As after a kill between the values and what tells that they are complete.
  await engine.command(
    `INSERT INTO ${table} SELECT * FROM (${selectOfRollup(values, base)}) WHERE ${isOfValue} AND Value != 'GET'`,
  )
  expect((await asked(isOf('method'))).points).toEqual((await asked(isOf('method'), Infinity)).points)
})

test('conditions in SQL on the attribute itself are those of the roll-up', async () => {
  await ensureRollups(engine, ['logs.values'], 30)
  await insertIds(0, 90)
  const where = "LogAttributes['method'] IN ('GET', '')"
  const inSql = (condition: string): Asked => ({
    series: [{ ...isOf('method').series[0]!, where: condition, whereLanguage: 'sql' }],
  })
  const { points, readFrom } = await asked(inSql(where))
  expect(readFrom).toEqual([table])
  expect(points).toEqual((await asked(inSql(where), Infinity)).points)
  expect((await asked(inSql("LogAttributes['id'] != 'x'"))).readFrom).toEqual([])
})
