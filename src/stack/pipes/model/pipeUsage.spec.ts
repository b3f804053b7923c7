import { expect, test, vi } from 'vitest'
import { embeddedDialect } from '../../telemetry/engine/dialect.ts'
import { UsageMeter } from './pipeUsage.ts'
import { waitingFiles } from '../objectStorage/sourceFiles.ts'

/** A meter over a list of statements and a clock that the test sets. */
function metered() {
  const clock = { now: 1_000_000 }
  const running: { mark: string; cpu: string; memory: string }[] = []
  const query = vi.fn(async () => running)
  const engine = { dialect: embeddedDialect, query: query as ConstructorParameters<typeof UsageMeter>[0]['query'] }
  const meter = new UsageMeter(engine, () => clock.now)
  /** Lets time pass. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      clock.now += 50
      await vi.advanceTimersByTimeAsync(50)
    }
  }
  return { clock, running, meter, pass, query }
}

const cpuOf = (meter: UsageMeter) => meter.read('p').cpuMillicores

test('reports CPU time over the measured time, and peak memory', async () => {
  vi.useFakeTimers()
  try {
    const { running, meter, pass, query } = metered()
    const load = meter.begin('p', 'pipe load 1')
    const one = { mark: 'pipe load 1', cpu: '0', memory: '1000' }
    running.push(one, { mark: 'pipe load 12', cpu: '9000000', memory: '9000' })
    for (let second = 1; second <= 10; second++) {
      one.cpu = String(second * 500_000)
      one.memory = second === 4 ? '7000' : '1000'
      await pass(1000)
    }
    expect(cpuOf(meter)).toBeCloseTo(500, -1)
    expect(meter.read('p').memoryBytes).toBe(7000)
    load.end()
    running.splice(0)
    await pass(15_250)
    expect(meter.read('p')).toMatchObject({ cpuMillicores: 0, memoryBytes: 0 })
    const looks = query.mock.calls.length
    await pass(5000)
    expect(query.mock.calls.length).toBe(looks)
  } finally {
    vi.useRealTimers()
  }
})

test('an unmeasured load does not count as zero usage', async () => {
  const { clock, meter } = metered()
  const load = meter.begin('p', 'pipe load 1')
  clock.now += 40
  load.end()
  expect(meter.read('p')).toMatchObject({ cpuMillicores: null, memoryBytes: null })
  clock.now += 15_001
  expect(meter.read('p')).toMatchObject({ cpuMillicores: 0, memoryBytes: 0 })
})

test('latency is that of the last minute, or of waiting data', () => {
  const { clock, meter } = metered()
  const waiting = waitingFiles(meter, 'p', () => clock.now)
  const latency = () => meter.read('p').latencyMs
  const a = { path: 'a', bytes: 1 }
  const b = { path: 'b', bytes: 1 }
  expect(latency()).toBeNull()
  waiting.seen([a])
  clock.now += 100
  expect(latency()).toBe(100)
  waiting.seen([a, b])
  clock.now += 300
  waiting.settled([a])
  expect(latency()).toBe(400)
  clock.now += 200
  expect(latency()).toBe(500)
  waiting.settled([b])
  expect(latency()).toBe(450)
  clock.now += 59_799
  expect(latency()).toBe(450)
  clock.now += 1
  expect(latency(), 'without the first load').toBe(500)
  clock.now += 200
  expect(latency(), 'of an idle pipe').toBeNull()
  waiting.seen([{ path: 'c', bytes: 1 }])
  clock.now += 70
  expect(latency()).toBe(70)
})

test('a memory limit that the engine did not tell is asked for again, a minute later', async () => {
  const { meter, query, clock } = metered()
  query.mockRejectedValueOnce(new Error('the engine is away'))
  expect(await meter.memoryLimit()).toBeNull()
  clock.now += 59_999
  expect(await meter.memoryLimit()).toBeNull()
  expect(query).toHaveBeenCalledTimes(1)
  clock.now += 1
  query.mockResolvedValueOnce([{ value: '1000' }] as never) // as the setting is read
  expect(await meter.memoryLimit()).toBe(1000)
  expect(await meter.memoryLimit()).toBe(1000)
  expect(query).toHaveBeenCalledTimes(2)
})
