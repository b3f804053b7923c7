import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock, type TestClock } from '#node/testing/testClock.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { dropOldDays, startRetention } from './retention.ts'
import { tables } from '../telemetry/tables.ts'

const day = 86_400_000
const now = Date.parse('2026-11-27T12:00:00Z')
const logger = { error: (fault: unknown) => expect.unreachable(JSON.stringify(fault)) }

const month = { of: () => ({ days: 30, isDefault: true }), refresh: async () => {} }

let engine: Engine
let machine: TestClock

beforeEach(async () => {
  machine = testClock(now)
  engine = await temporaryEngine()
  for (let age = 0; age < 4; age++) {
    const seconds = Math.floor((now - age * day) / 1000)
    await engine.insert(tables.logs, [{ Timestamp: `${seconds}.000000000`, Body: `${age} days` }])
    await engine.insert(tables.gauge, [{ TimeUnix: seconds, MetricName: `${age} days` }])
  }
})
afterEach(() => engine.close())

const kept = async () => {
  const logs = await engine.query<{ Body: string }>('SELECT Body FROM otel_logs ORDER BY Timestamp DESC')
  const [gauges] = await engine.query<{ n: string }>('SELECT count() AS n FROM otel_metrics_gauge')
  expect(Number(gauges?.n)).toBe(logs.length)
  return logs.map(({ Body }) => Body)
}

test('days are dropped once all of their rows are older than the retention', async () => {
  await dropOldDays(engine, () => 4, now)
  expect(await kept()).toEqual(['0 days', '1 days', '2 days', '3 days'])
  await dropOldDays(engine, () => 2, now)
  expect(await kept()).toEqual(['0 days', '1 days', '2 days'])
  await dropOldDays(engine, () => 2, now + 12 * 3_600_000)
  expect(await kept()).toEqual(['0 days', '1 days'])
})

test('a clock that is far ahead deletes nothing before it has held for a day', async () => {
  const look = async () => (await startRetention({ engine, retention: month, logger, clock: machine.clock }))()
  machine.step(40 * day)
  await look()
  expect(await kept()).toHaveLength(4)
  machine.pass(180_000)
  expect(machine.clock.now()).toBe(machine.wall())
  await look()
  expect(await kept()).toHaveLength(4)
  machine.pass(day)
  await look()
  expect(await kept()).toEqual([])
})

test('the embedded engine itself deletes nothing by the clock of the machine', async () => {
  const found = await engine.query<{ name: string; engine_full: string }>(
    'SELECT name, engine_full FROM system.tables WHERE database = currentDatabase() AND name IN {names:Array(String)}',
    { params: { names: Object.values(tables) } },
  )
  expect(found).toHaveLength(Object.keys(tables).length)
  expect(found.filter(({ engine_full }) => engine_full.includes(' TTL '))).toEqual([])
})
