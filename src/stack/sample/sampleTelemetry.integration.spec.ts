import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { onlyKey } from '../collector/ingestionKey.ts'
import { type Collector, startCollector } from '../collector/collector.ts'
import { type Engine, openEngine } from '../telemetry/engine/engine.ts'
import { ensureTables, tables } from '../telemetry/tables.ts'
import type { SampleProgress } from './sampleProgress.ts'
import { createSample, type Sample, type SampleOptions } from './sampleTelemetry.ts'
import { generateSlice, generateStep, stepLength, type Telemetry } from './shop.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'sample-'))
const logger = pino({ level: 'silent' })
let engine: Engine
let collector: Collector
let stored: SampleProgress | null
let dashboards: string[]
/** Dashboards of which the alerts were created. */
let withAlerts: (string | undefined)[]
let broken: boolean
let started: Sample[] = []
let isTaken = false

beforeAll(async () => {
  engine = await openEngine({ dataDir })
  await ensureTables(engine)
  const insertBlocks: Engine['insertBlocks'] = (table, blocks) =>
    broken && table === tables.traces ? Promise.reject(new Error('broken')) : engine.insertBlocks(table, blocks)
  const ports = { host: '127.0.0.1', httpPort: 0, grpcPort: 0 }
  collector = await startCollector({
    ...ports,
    acceptedKeys: onlyKey('key'),
    engine: { insertBlocks },
    retentionDays: () => 30,
    logger,
  })
})

beforeEach(async () => {
  stored = null
  dashboards = []
  withAlerts = []
  broken = false
  for (const table of Object.values(tables)) await engine.command(`TRUNCATE TABLE ${table}`)
})

afterEach(async () => {
  for (const sample of started.splice(0)) await sample.close()
})

afterAll(async () => {
  await collector.close()
  await engine.close()
  rmSync(dataDir, { recursive: true })
})

/** One of the samples has the task at a time. */
async function take() {
  if (isTaken) return null
  isTaken = true
  return { isHeld: () => true, release: async () => void (isTaken = false) }
}

/** The generated records, by anchor and index, so that an expectation does not generate it again. */
const generated = new Map<string, Telemetry>()

/** Some records of each slice: the first and the last ones, which are next to the other slices. */
function generateSome(anchor: number, index: number): Telemetry {
  const known = generated.get(`${anchor} ${index}`)
  if (known) return known
  const { logs, traces, metrics } = generateSlice(anchor, index)
  const some = (records: Telemetry['logs']) => [...records.slice(0, 60), ...records.slice(-60)]
  const telemetry = { logs: some(logs), traces: some(traces), metrics: some(metrics) }
  generated.set(`${anchor} ${index}`, telemetry)
  return telemetry
}

function start(options: Partial<SampleOptions> = {}): Sample {
  const sample = createSample({
    engine,
    collectorUrl: `http://127.0.0.1:${collector.httpPort}`,
    ingestionKey: () => 'key',
    logger,
    state: { get: async () => stored, update: async (work) => (stored = work(stored)) },
    take,
    content: {
      create: async () => ({ dashboardId: `d${dashboards.push('d')}` }),
      addAlerts: async ({ dashboardId }) => void withAlerts.push(dashboardId),
      incidentAlertId: async () => undefined,
      delete: async () => void dashboards.pop(),
    },
    effort: 1,
    generate: generateSome,
    slices: 2,
    ...options,
  })
  started.push(sample)
  return sample
}

/** Every record in the tables, by whether it has the label. */
async function records(): Promise<{ sample: number; other: number }> {
  const each = Object.values(tables).map(
    (table) => `SELECT ResourceAttributes['telemetry.sample'] AS label FROM ${table}`,
  )
  const [row] = await engine.query<{ sample: string; other: string }>(
    `SELECT countIf(label = 'true') AS sample, countIf(label != 'true') AS other FROM (${each.join(' UNION ALL ')})`,
  )
  return { sample: Number(row?.sample), other: Number(row?.other) }
}

/** The records of so many slices, from the generator. */
function expected(anchor: number, count = 2): number {
  const slices = Array.from({ length: count }, (_, index) => generateSome(anchor, index))
  return slices.flatMap(({ logs, traces, metrics }) => [logs, traces, metrics]).flat().length
}

const insertOwnRow = () =>
  engine.insert(tables.logs, [
    { Timestamp: `${Math.floor(currentTime() / 1000)}.000000000`, Body: 'mine', ServiceName: 'shop-web' },
  ])

test('is sent once, with progress and a dashboard', async () => {
  const sample = start()
  expect(await sample.status()).toEqual({ state: 'absent', progress: 0, records: 0 })
  await sample.start()
  await expect.poll(async () => (await sample.status()).state).not.toBe('absent')
  await sample.settled()
  const status = await sample.status()
  expect(status).toMatchObject({ state: 'ready', progress: 1, dashboardId: 'd1' })
  expect(status.records).toBe(expected(stored!.anchor))
  expect(await records()).toEqual({ sample: status.records, other: 0 })
  expect(withAlerts).toEqual(['d1'])

  const again = start()
  await again.start()
  await again.settled()
  expect(await again.status()).toEqual(status)
  expect((await records()).sample).toBe(status.records)
})

test('continues after a crash in the middle of a slice, without duplicates', async () => {
  const first = start()
  await first.start()
  await first.settled()
  // The state on disk after a crash during the second slice, all of which had just been stored.
  stored = { ...stored!, phase: 'loading', slices: 1, sending: true }
  const second = start()
  await second.start()
  await second.settled()
  expect((await second.status()).state).toBe('ready')
  expect((await records()).sample).toBe(expected(stored.anchor))
})

test('sends a partly stored slice again', async () => {
  broken = true
  const sample = start()
  await sample.start()
  await expect.poll(async () => (await records()).sample).toBeGreaterThan(0)
  broken = false
  await sample.settled()
  expect((await sample.status()).state).toBe('ready')
  expect((await records()).sample).toBe(expected(stored!.anchor))
})

test('continues after a clean shutdown', async () => {
  const first = start({ effort: 0.05, slices: 5 })
  await first.start()
  await expect.poll(async () => (await first.status()).progress).toBeGreaterThan(0)
  await first.close()
  expect((await first.status()).state).toBe('loading')
  const second = start({ slices: 5 })
  await second.start()
  await second.settled()
  expect((await records()).sample).toBe(expected(stored!.anchor, 5))
  expect(dashboards.length).toBe(1)
})

test('is removed completely, and nothing else with it', async () => {
  await insertOwnRow()
  const sample = start()
  await sample.start()
  await sample.settled()
  expect((await sample.remove()).state).toBe('removing')
  await sample.settled()
  expect(await sample.status()).toEqual({ state: 'absent', progress: 0, records: 0 })
  expect(await records()).toEqual({ sample: 0, other: 1 })
  expect(dashboards).toEqual([])

  const again = start()
  await again.start()
  await again.settled()
  expect(await records()).toEqual({ sample: 0, other: 1 })
})

test('can be removed while it is being sent', async () => {
  const sample = start({ slices: 50 })
  await sample.start()
  await expect.poll(async () => (await sample.status()).records).toBeGreaterThan(0)
  await Promise.all([sample.remove(), sample.remove()])
  await sample.settled()
  expect((await sample.status()).state).toBe('absent')
  expect(await records()).toEqual({ sample: 0, other: 0 })
})

test('an interrupted removal continues at the next start', async () => {
  const first = start()
  await first.start()
  await first.settled()
  stored = { ...stored!, phase: 'removing' }
  const second = start()
  await second.start()
  await second.settled()
  expect(await records()).toEqual({ sample: 0, other: 0 })
})

test('pauses only while there are requests', async () => {
  let checks = 0
  const slow = start({ effort: 0.0001, sinceLastQuery: () => (checks++ < 1 ? 60_000 : 0), slices: 9 })
  await slow.start()
  // Three slices at a time: no requests after the first three, some after the next.
  await expect.poll(async () => (await slow.status()).progress).toBeCloseTo(6 / 9)
  await expect.poll(() => checks).toBe(2)
  expect(await slow.status()).toMatchObject({ state: 'loading', progress: expect.closeTo(6 / 9) })
})

test('is sent by one of two stacks; the other one goes on when that one stops, or removes it', async () => {
  const one = start({ slices: 9 })
  const other = start({ slices: 9 })
  await one.start()
  await other.start()
  await expect.poll(async () => (await other.status()).progress).toBeGreaterThan(0)
  await one.close()
  await other.settled()
  expect(await other.status()).toMatchObject({ state: 'ready', records: expected(stored!.anchor, 9) })
  expect((await records()).sample).toBe(expected(stored!.anchor, 9))
  expect(dashboards).toHaveLength(1)
  await one.remove()
  await one.settled()
  expect((await other.status()).state).toBe('absent')
  expect(await records()).toEqual({ sample: 0, other: 0 })
})

describe('while the stack runs', () => {
  const minute = 60_000
  // Old rows would expire.
  const anchor = currentTime() - 120 * minute
  const from = Math.ceil((anchor - 50_000) / minute) * minute + 50_000
  let time: number
  /** Waits take no time. */
  const clock = {
    now: () => time,
    async sleep(ms: number, signal: AbortSignal) {
      signal.throwIfAborted()
      time += ms
      await turn()
    },
  }
  const startLive = async (at: number) => {
    time = at
    const sample = start({ isLive: true, clock })
    await sample.start()
    return sample
  }
  const countUntil = (to: number) =>
    Array.from({ length: (to - from) / stepLength }, (_, at) => generateStep(anchor, from + at * stepLength))
      .flatMap(({ logs, traces, metrics }) => [logs, traces, metrics])
      .flat().length

  beforeEach(() => {
    stored = { phase: 'ready', anchor, slices: 2, sending: false, records: 0 }
  })

  test('what is missing is sent, then each step once it is over, and all of it is removed', async () => {
    const now = from + 25 * minute + 12_345
    const sample = await startLive(now)
    await expect.poll(() => stored?.liveUntil ?? 0).toBeGreaterThan(from + 30 * minute)
    await sample.close()
    const until = stored!.liveUntil!
    // The last minute was interrupted.
    expect(stored!.records).toBe(countUntil(until - minute))
    const { sample: kept } = await records()
    expect(kept).toBeGreaterThanOrEqual(countUntil(until - minute))
    expect(kept).toBeLessThanOrEqual(countUntil(until))

    const again = await startLive(time)
    expect((await again.remove()).state).toBe('removing')
    await again.settled()
    expect(await records()).toEqual({ sample: 0, other: 0 })
  })

  test('after a restart, what is missing is filled in, and nothing is sent twice', async () => {
    const first = await startLive(from + 15 * minute)
    await expect.poll(() => stored?.records ?? 0).toBeGreaterThanOrEqual(countUntil(from + 15 * minute))
    await first.close()
    const until = stored!.liveUntil!
    const second = await startLive(until + 35 * minute)
    await expect.poll(() => stored?.liveUntil ?? 0).toBeGreaterThan(until + 35 * minute)
    await second.close()
    const [traces] = await engine.query<{ spans: string; different: string; later: string }>(
      `SELECT count() AS spans, uniqExact(SpanId) AS different,
        countIf(Timestamp >= fromUnixTimestamp64Milli({until:Int64})) AS later FROM ${tables.traces}`,
      { params: { until } },
    )
    expect(traces?.different).toBe(traces?.spans)
    expect(Number(traces?.later)).toBeGreaterThan(0)
  })

  test('while nobody reads telemetry, a minute is sent together', async () => {
    const requests = vi.spyOn(globalThis, 'fetch')
    try {
      time = from
      const sample = start({ isLive: true, clock, sinceLastQuery: () => Infinity })
      await sample.start()
      await expect.poll(() => stored?.records ?? 0).toBeGreaterThanOrEqual(countUntil(from + 5 * minute))
      const minutes = (stored!.liveUntil! - from) / minute
      // One for each signal.
      expect(requests.mock.calls.length).toBeLessThanOrEqual(3 * minutes)
      await sample.close()
    } finally {
      requests.mockRestore()
    }
  })

  test('it goes on after the store was out of reach for a moment', async () => {
    let isAway = true
    const reachable = {
      get: async () => stored,
      update: async (work: (now: SampleProgress | null) => SampleProgress) => (stored = work(stored)),
    }
    const sample = start({
      isLive: true,
      clock,
      state: {
        get: async () => {
          if (!isAway) return reachable.get()
          isAway = false
          throw new Error('The server cannot be reached')
        },
        update: reachable.update,
      },
    })
    time = from + 3 * minute
    isAway = false
    await sample.start()
    isAway = true
    await expect.poll(() => stored?.records ?? 0).toBeGreaterThan(0)
  })
})
