import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StorageReport } from '#contract/stack/storage.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { testClock, type TestClock } from '#node/testing/testClock.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { EngineError } from '../telemetry/engine/engineError.ts'
import { keepTtl, tables } from '../telemetry/tables.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'
import { startRetention } from './retention.ts'
import { openRetention, undoWindow } from './retentionSettings.ts'

const day = 86_400_000
/** Noon: an hour more or less is on the same day. */
const begin = Math.floor(currentTime() / day) * day + day / 2
let engine: Engine
let stack: TestStack
let machine: TestClock

beforeEach(async () => {
  engine = await temporaryEngine()
  machine = testClock(begin)
  for (let age = 0; age < 6; age++) {
    const seconds = Math.floor((begin - age * day) / 1000)
    await engine.insert(tables.logs, [{ Timestamp: `${seconds}.000000000`, Body: `${age} days` }])
    await engine.insert(tables.gauge, [{ TimeUnix: seconds, MetricName: 'm' }])
  }
  stack = await startTestStack({ engine, retentionDays: 30, clock: machine.clock })
})
afterEach(async () => {
  await stack.close()
  await engine.close()
})

const read = async (): Promise<StorageReport> => (await stack.openSource('GET', '/storage')).json.data
const set = (signal: string, retentionDays: unknown) =>
  stack.openSource('PUT', '/storage/retention', { signal, retentionDays })
const signal = ({ signals }: StorageReport, name: string) => signals.find(({ signal }) => signal === name)

/** One pass of what deletes old days, as after the given time. */
async function pass(): Promise<number> {
  const retention = await openRetention(stack.store, 30, machine.clock)
  const logger = { error: (fault: unknown) => expect.unreachable(JSON.stringify(fault)) }
  await (
    await startRetention({ engine, retention, logger, clock: machine.clock })
  )()
  const [row] = await engine.query<{ n: string }>('SELECT count() AS n FROM otel_logs')
  return Number(row?.n)
}

test('says what each table, its indexes and each day take, and what else is in the data folder', async () => {
  const report = await read()
  expect(report).toMatchObject({ engine: 'embedded', defaultRetentionDays: 30 })
  const logs = report.tables?.find(({ name }) => name === tables.logs)
  expect(logs).toMatchObject({ signal: 'logs', rows: 6, parts: 6 })
  expect(logs?.newestDay).toBe(new Date(begin).toISOString().slice(0, 10))
  expect(logs?.bytes).toBeGreaterThan(0)
  const [indexes] = await engine.query<{ n: string }>(
    `SELECT count() AS n FROM system.data_skipping_indices WHERE database = currentDatabase() AND table = 'otel_logs'`,
  )
  expect(logs?.indexes).toHaveLength(Number(indexes?.n))
  expect(signal(report, 'logs')?.days?.map(({ rows }) => rows)).toEqual([1, 1, 1, 1, 1, 1])
  expect(signal(report, 'traces')?.days).toEqual([])
  expect(report.disk?.freeBytes).toBeGreaterThan(0)
  expect(report.folder.find(({ part }) => part === 'records')?.bytes).toBeGreaterThan(0)
})

describe('a retention', () => {
  test('that is longer is in force at once, of its signal only', async () => {
    expect((await set('logs', 90)).json.data.signals).toMatchObject([
      { signal: 'logs', retentionDays: 90, isDefault: false },
      { signal: 'traces', retentionDays: 30, isDefault: true },
      { signal: 'metrics', retentionDays: 30, isDefault: true },
    ])
    expect(signal(await read(), 'logs')).not.toHaveProperty('pending')
  })

  test('that is shorter deletes nothing before its hour is over, and then what is older', async () => {
    await set('logs', 2)
    expect(signal(await read(), 'logs')).toMatchObject({ retentionDays: 30, pending: { retentionDays: 2 } })
    expect(await pass()).toBe(6)
    machine.pass(undoWindow + 1000)
    expect(signal(await read(), 'logs')).toMatchObject({ retentionDays: 2, isDefault: false })
    expect(signal(await read(), 'logs')).not.toHaveProperty('pending')
    expect(await pass()).toBe(3)
    expect(signal(await read(), 'metrics')?.days).toHaveLength(6)
  })

  test('can be taken back in that hour, and nothing is deleted', async () => {
    await set('logs', 1)
    await set('logs', null)
    expect(signal(await read(), 'logs')).toEqual(expect.objectContaining({ retentionDays: 30, isDefault: true }))
    expect(signal(await read(), 'logs')).not.toHaveProperty('pending')
    machine.pass(undoWindow + 1000)
    expect(await pass()).toBe(6)
  })

  test('that is shortened twice keeps what was kept until then', async () => {
    await set('logs', 4)
    machine.pass(undoWindow / 2)
    await set('logs', 1)
    machine.pass(undoWindow / 2 + 1000)
    expect(await pass()).toBe(6)
    machine.pass(undoWindow / 2)
    expect(await pass()).toBe(2)
  })

  test.each([0, 1.5, -1, 3651, '7', undefined])('of %j days is refused', async (days) => {
    expect((await set('logs', days)).status).toBe(400)
    expect(signal(await read(), 'logs')?.retentionDays).toBe(30)
  })

  test('is kept by the tables of a server', async () => {
    const ttlOf = async (table: string) => {
      const [row] = await engine.query<{ engine_full: string }>(
        'SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
        { params: { table } },
      )
      return /toIntervalDay\((\d+)\)/.exec(row?.engine_full ?? '')?.[1]
    }
    await engine.command(`ALTER TABLE otel_logs MODIFY TTL toDateTime(Timestamp) + toIntervalDay(30)`)
    await keepTtl(engine, () => 90)
    expect(await ttlOf(tables.logs)).toBe('90')
  })
})

test('where the engine does not let its tables be read, the page learns why, and retention can be set', async () => {
  const refused = new EngineError(497, 'ACCESS_DENIED', 'Not enough privileges')
  const blind: Engine = { ...engine, kind: 'remote', query: () => Promise.reject(refused) }
  const limited = await startTestStack({ engine: blind, retentionDays: 7 })
  try {
    const { data } = (await limited.openSource('GET', '/storage')).json
    expect(data).toMatchObject({ engine: 'server', unreadable: 'Not enough privileges' })
    expect(data).not.toHaveProperty('tables')
    expect(data).not.toHaveProperty('disk')
    const answer = await limited.openSource('PUT', '/storage/retention', { signal: 'traces', retentionDays: 14 })
    expect(answer.json.data.signals[1]).toMatchObject({ signal: 'traces', retentionDays: 14 })
  } finally {
    await limited.close()
  }
})
