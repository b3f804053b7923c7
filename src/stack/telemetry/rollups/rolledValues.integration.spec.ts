/** Facets and completions that are read from the roll-ups of values, against the rows themselves; and which values they do not have. */
import * as fc from 'fast-check'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TaskLost } from '../../cluster/tasks.ts'
import { readableSources } from '../../testing/metricSeries.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import type { Engine } from '../engine/engine.ts'
import { querySeries } from '../series/seriesQuery.ts'
import { tables } from '../tables.ts'
import type { LogRow } from '../tableRows.ts'
import { ensureRollups } from './ensureRollups.ts'
import { answerOf, facet, facetQuery, logRow, parsedQuery, start, type Asked } from './testing/attributeRows.ts'
import { valueTrimmer } from './trimValues.ts'

const hour = 3_600_000
const never = new AbortController().signal
const table = 'otel_logs_kv_rollup_15m'
const logger = pino({ level: 'silent' })
const held = { refuseIfLost: () => undefined }

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

/** Rows of the first day, with one of three methods and an ID of their own. */
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
    for (const day of await trimmer.changedDays(table, 1)) await trimmer.trim(table, day, held)
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

  test('are no error of an insert that has more of them than a query may have groups', async () => {
    await ensureRollups(engine, ['logs.values'], 30)
    await engine.command(
      `INSERT INTO ${tables.logs} (Timestamp, LogAttributes) SETTINGS max_rows_to_group_by = 100
       SELECT fromUnixTimestamp64Milli({at:Int64}), map('id', toString(number)) FROM numbers(500)`,
      { params: { at: start } },
    )
    expect(await storedValues('id')).toBe(0)
    expect((await asked(isOf('id'))).points).toEqual((await asked(isOf('id'), Infinity)).points)
  })

  test('a lost lease leaves them where they are', async () => {
    await ensureRollups(engine, ['logs.values'], 30)
    for (let at = 0; at < 1100; at += 100) await insertIds(at, 100)
    const sent: string[] = []
    const counted = { ...engine, command: (sql: string) => engine.command(sql).finally(() => sent.push(sql)) }
    const trimmer = valueTrimmer({ engine: counted, logger })
    const [day = ''] = await trimmer.changedDays(table, 1)
    // It is lost while the marks are inserted.
    let looks = 0
    const lease = {
      refuseIfLost: () => {
        if (++looks > 1) throw new TaskLost('another stack does this now')
      },
    }
    await expect(trimmer.trim(table, day, lease)).rejects.toThrow(TaskLost)
    expect(sent).toEqual([])
    expect(await storedValues('id')).toBe(1100)
    expect((await asked(isOf('id'))).points).toEqual((await asked(isOf('id'), Infinity)).points)
  }, 60_000)

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

test('they are read from the rows where the roll-up counts more of them than there are rows', async () => {
  await ensureRollups(engine, ['logs.values'], 30)
  await insertIds(0, 90)
  expect((await asked(isOf('method'))).readFrom).toEqual([table])
  await engine.command(`INSERT INTO ${table} SELECT * FROM ${table} WHERE Key = 'method'`)
  const answer = await asked(isOf('method'))
  expect(answer.readFrom).toEqual([])
  expect(answer.points).toEqual((await asked(isOf('method'), Infinity)).points)
})

describe('names of which there are many', () => {
  /** Rows with a name of their own, a method and a host. */
  const insertNames = (from: number, count: number) =>
    engine.insert(
      tables.logs,
      Array.from({ length: count }, (_, at): LogRow => ({
        Timestamp: ((start + (from + at) * 100) / 1000).toFixed(3),
        LogAttributes: { [`name-${from + at}`]: 'x'.repeat(at % 2 === 0 ? 1 : 200), method: 'GET' },
        ResourceAttributes: { host: 'a' },
      })),
    )
  const host = facet("ResourceAttributes['host']")
  const storedRows = async () => {
    const rows = await engine.query<{ map: string; key: string; value: string }>(
      `SELECT DISTINCT ColumnIdentifier AS map, Key AS key, Value AS value FROM ${table} WHERE 'LogAttributes' IN (ColumnIdentifier, Key)`,
    )
    return rows.map(({ map, key, value }) => [map, key, value].join(' '))
  }
  const expectRows = async () => {
    for (const name of ['method', 'name-0', 'name-1']) {
      const query = facet(`LogAttributes['${name}']`, '', { endTime: start + 24 * hour })
      const answer = await asked(query)
      expect(answer.readFrom).toEqual([])
      expect(answer.points).toEqual((await asked(query, Infinity)).points)
    }
    expect((await asked(host)).readFrom).toEqual([table])
    expect((await asked(host)).points).toEqual((await asked(host, Infinity)).points)
  }

  test('leave their map out of an insert', async () => {
    await ensureRollups(engine, ['logs.values'], 30)
    await insertNames(0, 3000)
    expect(await storedRows()).toEqual([' LogAttributes '])
    await expectRows()
  })

  test('leave their map out of a day', async () => {
    await ensureRollups(engine, ['logs.values'], 30)
    for (let at = 0; at < 1200; at += 400) await insertNames(at, 400)
    expect((await asked(isOf('method'))).readFrom).toEqual([table])
    const trimmer = valueTrimmer({ engine, logger })
    for (const day of await trimmer.changedDays(table, 1)) await trimmer.trim(table, day, held)
    expect(await storedRows()).toEqual([' LogAttributes '])
    await expectRows()
    // Later names of that day are there beside the marks.
    await insertNames(5000, 20)
    await expectRows()
  })
})

test('conditions in SQL on parts of columns are read from the rows', async () => {
  await ensureRollups(engine, ['logs.values'], 30)
  const rows = Array.from({ length: 90 }, (_, at): LogRow => ({
    Timestamp: ((start + at * 1000) / 1000).toFixed(3),
    LogAttributes: at % 3 === 0 ? { keys: 'a' } : { keys: 'b', method: 'GET' },
  }))
  await engine.insert(tables.logs, rows)
  const byKeys = (where: string): Asked => ({
    series: [{ sourceId: 'log', aggFn: 'count', where, whereLanguage: 'sql', groupBy: ["LogAttributes['keys']"] }],
  })
  for (const where of ['length(LogAttributes.keys) = 2', "otel_logs.LogAttributes['keys'] = 'b'"]) {
    const { readFrom, points } = await asked(byKeys(where))
    expect(readFrom).toEqual([])
    expect(points).toHaveLength(1)
  }
})

test('while rows arrive, an answer is that of some moment', async () => {
  await ensureRollups(engine, ['logs.values'], 30)
  const progress = { stored: 0, isOver: false }
  const inserting = (async () => {
    for (; progress.stored < 1200; progress.stored += 60) await insertIds(progress.stored % 700, 60, 'kind')
  })().finally(() => (progress.isOver = true))
  let answers = 0
  const asking = (async () => {
    while (!progress.isOver) answers += await checkedAnswer(progress.stored)
  })()
  await Promise.all([inserting, asking])
  expect(answers).toBeGreaterThan(0)
  expect((await asked(isOf('method'))).points).toEqual((await asked(isOf('method'), Infinity)).points)
}, 120_000)

/** @param stored how many rows there are at least. @returns the number of values */
async function checkedAnswer(stored: number): Promise<number> {
  const { points } = await asked(isOf('method'))
  const counts = points.map((point) => Number(JSON.parse(point)['series_0.data']))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(stored)
  // Each insert has the same number of each.
  expect(new Set(counts).size).toBeLessThanOrEqual(1)
  return points.length
}

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
