/** The work that fills and trims the roll-ups of values: days that fail, days without rows, and what it does at rest. */
import pino from 'pino'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import type { RollupName } from '../../config.ts'
import type { Tasks } from '../../cluster/tasks.ts'
import { openStore, type Store } from '../../store/store.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { testTasks, type TestTasks } from '../../testing/testTasks.ts'
import type { Engine } from '../engine/engine.ts'
import type { LogRow } from '../tableRows.ts'
import { tables } from '../tables.ts'
import { ensureRollups } from './ensureRollups.ts'
import { startRollupBuilder } from './rollupBuilder.ts'
import { start } from './testing/attributeRows.ts'

const day = 86_400_000
const table = 'otel_logs_kv_rollup_15m'
const soon = { timeout: 30_000, interval: 50 }
const idOf = (at: number) => new Date(at).toISOString().slice(0, 10).replaceAll('-', '')
const [older, newer] = [idOf(start), idOf(start + day)]

let engine: Engine
let folder: string
let store: Store
let stack: TestTasks
let close: (() => Promise<void>) | undefined
let warnings: Record<string, unknown>[]

beforeEach(async () => {
  engine = await temporaryEngine()
  folder = await mkdtemp(join(tmpdir(), 'rollups-'))
  store = await openStore({ file: join(folder, 'stack.db') })
  stack = await testTasks(store)
  warnings = []
})
afterEach(async () => {
  await close?.()
  close = undefined
  await stack.presence.leave()
  await store.close()
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

/** Rows with an ID of their own. */
function insertIds(at: number, count: number, from = 0): Promise<void> {
  const rows = Array.from({ length: count }, (_, index): LogRow => ({
    Timestamp: ((at + (from + index) * 1000) / 1000).toFixed(3),
    LogAttributes: { id: String(from + index) },
  }))
  return engine.insert(tables.logs, rows)
}

/** Only the first look is a regular one, unless `pauses` say otherwise. @returns how often it has looked */
function build(used: Engine, wanted: readonly RollupName[], pauses = { settle: 1, next: 3_600_000, trim: 20 }) {
  const looks = { begun: 0 }
  const take: Tasks['take'] = (task) => {
    looks.begun++
    return stack.tasks.take(task)
  }
  const stream = { write: (line: string) => warnings.push(JSON.parse(line)) }
  const logger = pino({ level: 'warn' }, stream)
  close = startRollupBuilder({ engine: used, tasks: { take }, wanted, logger, now: currentTime, pauses })
  return looks
}

const countedRows = async (id: string) => {
  const [row] = await engine.query<{ n: string }>(
    `SELECT sum(count) AS n FROM ${table} WHERE _partition_id = {id:String} AND ColumnIdentifier = '' AND Key = ''`,
    { params: { id } },
  )
  return Number(row?.n)
}

test('the last rows of a day leave the roll-up, too', async () => {
  await ensureRollups(engine, ['logs.values'], 30)
  await insertIds(start, 20)
  await insertIds(start + day, 30)
  await engine.command(`ALTER TABLE ${tables.logs} DROP PARTITION ID '${older}'`)
  build(engine, ['logs.values'])
  await vi.waitFor(async () => expect(await countedRows(older)).toBe(0), soon)
  expect(await countedRows(newer)).toBe(30)
  expect(warnings).toEqual([])
})

test('a day that fails stops neither other days nor other roll-ups, and is left alone until the next regular look', async () => {
  await insertIds(start, 20)
  await insertIds(start + day, 30)
  await ensureRollups(engine, ['logs.counts', 'logs.values'], 30)
  // Today is not filled: it is only trimmed.
  for (let at = 0; at < 1200; at += 100) await insertIds(currentTime(), 100, at)
  let tries = 0
  const failing: Engine = {
    ...engine,
    command: async (sql, options) => {
      if (sql.includes(`DROP PARTITION ID '${newer}'`)) {
        tries++
        throw new Error('the disk is full')
      }
      await engine.command(sql, options)
    },
  }
  const looks = build(failing, ['logs.counts', 'logs.values'])
  await vi.waitFor(() => expect(looks.begun).toBeGreaterThan(4), soon)
  expect(await countedRows(older)).toBe(20)
  expect(await countedRows(newer)).toBe(0)
  const [counts] = await engine.query<{ n: string }>(
    `SELECT sum(count) AS n FROM otel_logs_rollup_15m WHERE _partition_id = '${older}'`,
  )
  expect(counts?.n).toBe('20')
  const [left] = await engine.query<{ n: string }>(
    `SELECT count() AS n FROM ${table} WHERE Key = 'id' AND Timestamp >= today()`,
  )
  expect(left?.n).toBe('0')
  // One for each roll-up.
  expect(tries).toBe(2)
  expect(warnings.map(({ table: of, day: id }) => [of, id])).toEqual([
    ['otel_logs_rollup_15m', newer],
    [table, newer],
  ])
})

test('days that cannot be trimmed are tried again at the next regular look only', async () => {
  await ensureRollups(engine, ['logs.values'], 30)
  await insertIds(start, 20)
  // Enough new values to be looked at between regular looks.
  await engine.command(
    `INSERT INTO ${table} SELECT toDateTime({from:Int64}), 'LogAttributes', 'id', toString(number), 1 FROM numbers(110000)`,
    { params: { from: start / 1000 } },
  )
  let tries = 0
  const failing: Engine = {
    ...engine,
    load: async (sql, options) => {
      if (tries++ > 0) await engine.load(sql, options)
      else throw new Error('the disk is full')
    },
  }
  const looks = build(failing, ['logs.values'])
  await vi.waitFor(() => expect(looks.begun).toBeGreaterThan(4), soon)
  expect([tries, warnings.length]).toEqual([1, 1])
  await close?.()
  build(failing, ['logs.values'], { settle: 1, next: 20, trim: 20 })
  await vi.waitFor(async () => {
    const [left] = await engine.query<{ n: string }>(`SELECT count() AS n FROM ${table} WHERE Key = 'id'`)
    expect(left?.n).toBe('0')
  }, soon)
})

test('between regular looks, one query tells that no day has changed', async () => {
  const wanted: RollupName[] = ['logs.counts', 'logs.keys', 'logs.values']
  await ensureRollups(engine, wanted, 30)
  await insertIds(start, 20)
  let asked = 0
  const counted: Engine = {
    ...engine,
    // Nothing about its tables is remembered.
    get identity() {
      return {}
    },
    query: (sql, options) => {
      asked++
      return engine.query(sql, options)
    },
  }
  const looks = build(counted, wanted)
  await vi.waitFor(() => expect(looks.begun).toBeGreaterThan(2), soon)
  const before = { asked, looks: looks.begun }
  await vi.waitFor(() => expect(looks.begun).toBeGreaterThan(before.looks + 5), soon)
  // The last look may have begun without having asked yet.
  const queries = (asked - before.asked) / (looks.begun - before.looks)
  expect(queries).toBeGreaterThan(0.7)
  expect(queries).toBeLessThan(1.3)
})

test('without roll-ups of values, nothing is looked at between regular looks', async () => {
  await ensureRollups(engine, ['logs.counts'], 30)
  const looks = build(engine, ['logs.counts'], { settle: 1, next: 3_600_000, trim: 1 })
  await vi.waitFor(() => expect(looks.begun).toBe(1), soon)
  // Another part takes as long as many looks would.
  const other = await stack.tasks.takeOver('another task', 0)
  await other.release()
  for (let at = 0; at < 20; at++) await insertIds(start, 1)
  expect(looks.begun).toBe(1)
})
