/** SQL through both variants of the stack, with what a key may read. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import { scheduleQueries } from '../../telemetry/scheduling/querySchedule.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { startTestStack, type TestStack } from '../../testing/testStack.ts'

let engine: Engine
let stack: TestStack

beforeAll(async () => {
  engine = await temporaryEngine()
  stack = await startTestStack({ engine })
  const database = databaseOf(stack.identity.serviceId, 'default')
  await engine.command(`CREATE DATABASE IF NOT EXISTS ${database}`)
  await engine.command(`CREATE TABLE ${database}.orders (id UInt64) ENGINE = MergeTree ORDER BY id`)
})
afterAll(async () => {
  await stack.close()
  await engine.close()
})

const variants = [
  ['openSource', (method: string, path: string, body?: unknown) => stack.openSource(method, path, body), 'data'],
  ['managed', (method: string, path: string, body?: unknown) => stack.managed(method, path, body), 'result'],
] as const

test.each(variants)('%s: runs a statement, and lists what it may read', async (_, call, at) => {
  const ran = await call('POST', '/sql/queries', { statement: 'SELECT count() AS n FROM otel_logs', maxRows: 5 })
  expect(ran.status, ran.text).toBe(200)
  expect(ran.json[at]).toMatchObject({ columns: [{ name: 'n', type: 'UInt64' }], rows: [['0']], isTruncated: false })
  const names = (await call('GET', '/sql/tables')).json[at].map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['otel_logs', 'orders']))
})

test.each(variants)('%s: says what is wrong with a statement', async (_, call) => {
  const refused = await call('POST', '/sql/queries', { statement: "SELECT * FROM url('http://127.0.0.1:1/')" })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('the table function url is not allowed')
  expect((await call('POST', '/sql/queries', { statement: 'SELECT 1', settings: { readonly: 0 } })).status).toBe(400)
  expect((await call('POST', '/sql/queries', { statement: 'SELECT 1', maxRows: 1_000_000 })).status).toBe(400)
  expect((await call('POST', '/sql/queries', {})).status).toBe(400)
})

test.each(variants)('%s: runs the statement of a saved tile for a range, and no other', async (_, call, at) => {
  const start = Date.UTC(2026, 0, 1)
  const tile = (sqlTemplate: string) => ({
    name: 'T',
    x: 0,
    y: 0,
    w: 6,
    h: 4,
    config: { configType: 'sql', displayType: 'line', connectionId: stack.identity.connectionId, sqlTemplate },
  })
  const counted = `SELECT $__timeInterval(toDateTime('2026-01-01 00:01:10')) AS ts, count() AS n, {intervalSeconds:Int64} AS s,
    $__filters AS f FROM otel_logs WHERE $__timeFilter(Timestamp);`
  const tiles = [tile(counted), tile("SELECT * FROM url('http://127.0.0.1:1/')"), tile('SELECT * FROM $__sourceTable')]
  const made = await call('POST', '/dashboards', { name: 'Tiles', tiles, tags: [] })
  expect(made.status, made.text).toBeLessThan(300)
  const { id: dashboardId, tiles: saved } = made.json[at]
  const read = (tileId: string, more: object = {}) =>
    call('POST', '/sql/tiles', {
      dashboardId,
      tileId,
      startTime: start,
      endTime: start + 60_000,
      intervalSeconds: 60,
      ...more,
    })
  const [first, reaching, unsourced] = saved
  const ran = await read(first.id)
  expect(ran.status, ran.text).toBe(200)
  expect(ran.json[at].rows).toEqual([['2026-01-01T00:01:00Z', '0', '60', 1]])
  // Buckets begin where the range does.
  expect((await read(first.id, { startTime: start - 50_000 })).json[at].rows[0][0]).toBe('2026-01-01T00:01:10Z')
  expect((await read(reaching.id)).text).toContain('the table function url is not allowed')
  expect((await read(unsourced.id)).text).toContain('the tile has no source with such a table')
  expect((await read('other')).status).toBe(404)
  expect((await read(first.id, { dashboardId: 'f'.repeat(24) })).status).toBe(404)
  expect((await read(first.id, { endTime: start })).status).toBe(400)
  expect((await read(first.id, { statement: 'SELECT 1' })).status).toBe(400)
})

test.each(variants)('%s: a tile obeys the filters that are sent, which are checked', async (_, call, at) => {
  const nine = '(SELECT number FROM system.numbers LIMIT 9)'
  const filtered = `SELECT toString(number) AS n FROM ${nine} WHERE $__filters AND $__filter(n, $v) AND n IN ($v)`
  const config = { configType: 'sql', displayType: 'table', connectionId: stack.identity.connectionId }
  const tile = { name: 'T', x: 0, y: 0, w: 6, h: 4, config: { ...config, sqlTemplate: filtered } }
  const made = await call('POST', '/dashboards', { name: 'Filtered', tiles: [tile], tags: [] })
  const { id: dashboardId, tiles } = made.json[at]
  const times = { startTime: 0, endTime: 60_000, intervalSeconds: 60 }
  const read = (conditions: string[], values: string[], expression = '') =>
    call('POST', '/sql/tiles', {
      dashboardId,
      tileId: tiles[0].id,
      ...times,
      filters: { conditions, variables: [{ name: 'v', expression, values }] },
    })
  const rows = async (...sent: Parameters<typeof read>) => {
    const { status, text, json } = await read(...sent)
    expect(status, text).toBe(200)
    return json[at].rows
  }
  expect(await rows(['number > 2 OR number = 1', 'number != 4'], ['1', '2', '3', '4', '5'])).toEqual([
    ['1'],
    ['3'],
    ['5'],
  ])
  // Values are only values, whatever they are.
  expect(await rows([], ["1') OR (1=1", '\\', "'", '3', '$__filters', '/*'])).toEqual([['3']])
  for (const condition of [
    '1) OR (1 = 1',
    '1 = 1 -- ',
    '1 = 1; SELECT 2',
    'number IN (SELECT number FROM system.numbers)',
    "number = 'x",
    '1 = 1 UNION ALL SELECT 1',
  ]) {
    const refused = await read([condition], ['1'])
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('not one condition')])
  }
  expect((await read(["file('/etc/passwd') != ''"], ['1'])).text).toContain('the function file is not allowed')
  expect((await read(['number IN users'], ['1'])).status).toBe(400)
  expect(
    (
      await read(
        Array.from({ length: 51 }, () => '1'),
        ['1'],
      )
    ).status,
  ).toBe(400)
  const long = await read(
    [],
    Array.from({ length: 1_000 }, () => 'x'.repeat(500)),
  )
  expect([long.status, long.text]).toEqual([400, expect.stringContaining('choose fewer values')])
})

test('statements wait for their turn like charts', async () => {
  const schedule = scheduleQueries(engine, { places: 1, heavyPlaces: 1, maxWaiting: 0 })
  const over = schedule.engineFor({ kind: 'program', key: 'a' })
  await expect(over.queryTable('SELECT 1', { scans: true })).rejects.toThrow(/wait already/)
})
