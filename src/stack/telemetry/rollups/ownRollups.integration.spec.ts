/** The roll-ups that the stack makes of its tables: their figures, and how they come to have all rows. */
import * as fc from 'fast-check'
import pino from 'pino'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chartQuery, type ChartQuery } from '#contract/stack/charts.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { rollupNames } from '../../config.ts'
import { dropOldDays } from '../../storage/retention.ts'
import { tableSizes } from '../../storage/tableSizes.ts'
import { openStore, type Store } from '../../store/store.ts'
import { readableSources } from '../../testing/metricSeries.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { testTasks, type TestTasks } from '../../testing/testTasks.ts'
import type { Engine } from '../engine/engine.ts'
import { querySeries } from '../series/seriesQuery.ts'
import type { LogRow, SpanRow } from '../tableRows.ts'
import { tables } from '../tables.ts'
import { ensureRollups } from './ensureRollups.ts'
import { ownRollups } from './ownRollups.ts'
import { startRollupBuilder } from './rollupBuilder.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The beginning of the day before yesterday. */
const start = (Math.floor(currentTime() / day) - 2) * day
const never = new AbortController().signal
const logger = pino({ level: 'silent' })
const soon = { timeout: 30_000, interval: 50 }

let engine: Engine
let folder: string
let store: Store
let stack: TestTasks
let closing: (() => Promise<void>)[] = []

beforeEach(async () => {
  engine = await temporaryEngine()
  folder = await mkdtemp(join(tmpdir(), 'rollups-'))
  store = await openStore({ file: join(folder, 'stack.db') })
  stack = await testTasks(store)
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await stack.presence.leave()
  await store.close()
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const timeOf = (at: number) => `${(at / 1000).toFixed(3)}000001`

async function insertRows(count = 600): Promise<void> {
  const logs = Array.from({ length: count }, (_, at): LogRow => ({
    Timestamp: timeOf(start + at * 4 * minute),
    ServiceName: ['api', 'web', ''][at % 3] ?? '',
    SeverityText: ['info', 'error'][at % 2] ?? '',
    LogAttributes: at % 4 === 0 ? {} : { code: '200', [`key${at % 5}`]: 'x' },
    ResourceAttributes: { host: 'a' },
  }))
  const spans = Array.from({ length: count }, (_, at): SpanRow => ({
    Timestamp: timeOf(start + at * 4 * minute),
    ServiceName: ['api', 'web'][at % 2] ?? '',
    SpanName: ['get', 'put', 'list'][at % 3] ?? '',
    StatusCode: at % 7 === 0 ? 'Error' : 'Ok',
    Duration: at % 50 === 0 ? '18446744073709551615' : at * 1000,
    SpanAttributes: { 'http.method': 'GET' },
  }))
  await engine.insert(tables.logs, logs)
  await engine.insert(tables.traces, spans)
}

type Asked = Partial<ChartQuery> & { series: ChartQuery['series'] }

async function asked(query: Asked) {
  const parsed = chartQuery.parse({ startTime: start, endTime: start + 2 * day, granularity: '1h', ...query })
  const points = await querySeries(engine, parsed, { ...readableSources(engine), leastRolledRows: 0 }, never)
  const readFrom = points.flatMap((point) => point['readFrom'] ?? [])
  const plain = points.map((point) =>
    JSON.stringify(point, (key, value: unknown) => (key === 'readFrom' ? undefined : value)),
  )
  return { readFrom, points: plain.toSorted() }
}

const count = { aggFn: 'count' as const }
const bySeverity: Asked = {
  series: [{ ...count, sourceId: 'log', where: '-ServiceName:"web"', groupBy: ['SeverityText'] }],
}
const byKey: Asked = {
  granularity: '30d',
  series: [{ ...count, sourceId: 'log', where: '', groupBy: ['arrayJoin(mapKeys(LogAttributes))'] }],
}

const byValue: Asked = {
  granularity: '30d',
  series: [{ ...count, sourceId: 'log', where: '', groupBy: ["LogAttributes['key1']"] }],
}

const query: fc.Arbitrary<Asked> = fc
  .record({
    from: fc.integer({ min: 0, max: day }),
    length: fc.integer({ min: hour, max: 2 * day }),
    granularity: fc.constantFrom('15m' as const, '1h' as const, '1d' as const, '30d' as const),
    topGroups: fc.constantFrom(undefined, 1, 2),
    series: fc.oneof(
      fc.record({
        sourceId: fc.constant('log'),
        aggFn: fc.constant('count' as const),
        where: fc.constant(''),
        groupBy: fc
          .constantFrom('LogAttributes', 'ResourceAttributes', 'ScopeAttributes')
          .map((map) => [`arrayJoin(mapKeys(${map}))`]),
      }),
      fc.record({
        sourceId: fc.constant('log'),
        aggFn: fc.constant('count' as const),
        where: fc.constantFrom('', 'ServiceName:api', 'ServiceName:(api OR web) SeverityText:"error"'),
        groupBy: fc.constantFrom(['ServiceName'], ['SeverityText'], []).map((all) => [...all]),
      }),
      fc.record({
        sourceId: fc.constant('trace'),
        aggFn: fc.constantFrom('count' as const, 'sum' as const, 'avg' as const, 'max' as const),
        field: fc.constant('Duration'),
        where: fc.constantFrom('', 'StatusCode:Error', 'SpanName:(get* OR put)'),
        groupBy: fc.constantFrom(['ServiceName'], ['SpanName', 'StatusCode'], []).map((all) => [...all]),
      }),
    ),
  })
  .map(({ from, length, series, ...rest }) => ({
    ...rest,
    series: [series],
    startTime: start + from,
    endTime: start + from + length,
  }))

test('charts, facets and names of attributes have the figures of the rows', async () => {
  await ensureRollups(engine, rollupNames, 30)
  await insertRows()
  const queries = [bySeverity, byKey, ...fc.sample(query, { numRuns: 30, seed: 7 })]
  const rolled = []
  for (const one of queries) rolled.push(await asked(one))
  expect(rolled[0]?.readFrom).toEqual(['otel_logs_rollup_15m'])
  expect(rolled[1]?.readFrom).toEqual(['otel_logs_key_rollup_15m'])
  const read = new Set(rolled.flatMap(({ readFrom }) => readFrom))
  expect(read).toEqual(new Set(['otel_logs_rollup_15m', 'otel_logs_key_rollup_15m', 'otel_traces_rollup_15m']))

  await ensureRollups(engine, [], 30)
  for (const [at, one] of queries.entries()) {
    const { points, readFrom } = await asked(one)
    expect(readFrom).toEqual([])
    expect(rolled[at]?.points, JSON.stringify(one)).toEqual(points)
  }
}, 240_000)

function build() {
  const { tasks } = stack
  const pauses = { settle: 10, next: 100, trim: 100 }
  closing.push(startRollupBuilder({ engine, tasks, wanted: rollupNames, logger, now: currentTime, pauses }))
}

test('rows that were there before get into a roll-up, and deleted ones out of it', async () => {
  await insertRows()
  await ensureRollups(engine, rollupNames, 30)
  const before = await asked(bySeverity)
  const values = await asked(byValue)
  expect([...before.readFrom, ...values.readFrom]).toEqual([])
  build()
  await vi.waitFor(async () => {
    for (const one of [bySeverity, byKey, byValue]) expect((await asked(one)).readFrom).toHaveLength(1)
  }, soon)
  expect((await asked(bySeverity)).points).toEqual(before.points)
  expect((await asked(byValue)).points).toEqual(values.points)

  await engine.command(`DELETE FROM ${tables.logs} WHERE SeverityText = 'error'`)
  const left = await asked(bySeverity)
  expect(left.points.filter((point) => point.includes('error'))).toEqual([])
  await vi.waitFor(async () => expect((await asked(bySeverity)).readFrom).toEqual(['otel_logs_rollup_15m']), soon)
  expect((await asked(bySeverity)).points).toEqual(left.points)
}, 180_000)

test('a table of that name that another product fills stays as it is', async () => {
  await engine.command(
    `CREATE TABLE otel_logs_key_rollup_15m (Timestamp DateTime, Key String, count UInt64) ENGINE = SummingMergeTree ORDER BY (Key, Timestamp)`,
  )
  await engine.command(
    `CREATE MATERIALIZED VIEW other_mv TO otel_logs_key_rollup_15m AS SELECT Timestamp, 'a' AS Key, count() AS count FROM ${tables.logs} GROUP BY Timestamp, Key`,
  )
  await ensureRollups(engine, rollupNames, 30)
  await insertRows()
  expect((await asked(byKey)).readFrom).toEqual([])
  const [row] = await engine.query<{ n: string }>('SELECT sum(count) AS n FROM otel_logs_key_rollup_15m')
  expect(row?.n).toBe('600')
  await ensureRollups(engine, rollupNames, 30)
  expect(await mergedSeldom()).not.toContain('otel_logs_key_rollup_15m')
})

const mergedSeldom = async () => {
  const merged = await engine.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE name LIKE 'otel%rollup%' AND engine_full LIKE '%merge_selector_base = 10%' ORDER BY name`,
  )
  return merged.map(({ name }) => name)
}

test('those of the embedded engine are merged as seldom as their tables, also those of earlier versions', async () => {
  const all = ownRollups.map(({ table }) => table).toSorted()
  await ensureRollups(engine, rollupNames, 30)
  expect(await mergedSeldom()).toEqual(all)
  await engine.command('ALTER TABLE otel_logs_rollup_15m RESET SETTING merge_selector_base')
  expect(await mergedSeldom()).not.toContain('otel_logs_rollup_15m')
  await ensureRollups(engine, rollupNames, 30)
  expect(await mergedSeldom()).toEqual(all)
})

test('those of values are on disk when an insert is answered', async () => {
  await ensureRollups(engine, rollupNames, 30)
  const synced = await engine.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE name LIKE 'otel%rollup%' AND engine_full LIKE '%fsync_after_insert = 1, fsync_part_directory = 1%' ORDER BY name`,
  )
  expect(synced.map(({ name }) => name)).toEqual(['otel_logs_kv_rollup_15m', 'otel_traces_kv_rollup_15m'])
})

test('they are dropped when they are not wanted, and kept as long as their tables', async () => {
  await ensureRollups(engine, rollupNames, 30)
  await insertRows()
  const sizes = await tableSizes(engine)
  expect(sizes.tables.filter(({ name }) => name.includes('rollup')).map(({ name }) => name)).toEqual(
    ownRollups.map(({ table }) => table),
  )
  expect(sizes.days.logs.reduce((sum, { rows }) => sum + rows, 0)).toBe(600)

  await dropOldDays(engine, () => 1, start + 2.5 * day)
  expect((await asked({ ...bySeverity, startTime: start + day + hour })).readFrom).toEqual(['otel_logs_rollup_15m'])
  const [first] = await engine.query<{ day: string }>('SELECT min(toDate(Timestamp)) AS day FROM otel_logs_rollup_15m')
  expect(first?.day).toBe(new Date(start + day).toISOString().slice(0, 10))

  await ensureRollups(engine, ['traces.counts'], 30)
  const left = await engine.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE '%rollup%' ORDER BY name`,
  )
  expect(left.map(({ name }) => name)).toEqual(['otel_traces_rollup_15m', 'otel_traces_rollup_15m_mv'])
  await insertRows(3)
})
