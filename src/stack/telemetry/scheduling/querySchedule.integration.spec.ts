/** Queries of several askers over a real engine, with two million rows. */
import { setMaxListeners } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineAborted, EngineBusy } from '../engine/engineError.ts'
import { scheduleQueries, type Asker } from './querySchedule.ts'

let engine: Engine
/** Ends whatever a test has left running. */
let leaving = new AbortController()

beforeAll(async () => {
  engine = await temporaryEngine({ maxMemory: 2 * 1024 ** 3 })
  await engine.command('CREATE TABLE scheduled (n UInt64) ENGINE = MergeTree ORDER BY n')
  await engine.command('INSERT INTO scheduled SELECT number FROM numbers(2000000)')
})
afterEach(async () => {
  leaving.abort()
  leaving = new AbortController()
  setMaxListeners(0, leaving.signal)
  await expect.poll(running).toEqual([])
})
afterAll(async () => {
  await engine.command('DROP TABLE IF EXISTS scheduled SYNC')
  await engine.close()
})

/** Takes hours. `at` makes it another query. */
const heavy = (at: number) =>
  `SELECT sum(sipHash64(n, number)) AS heavy_${at} FROM scheduled CROSS JOIN numbers(1000000) AS others`
const light = 'SELECT count() AS found FROM scheduled WHERE n < 1000'

const running = async () => {
  const rows = await engine.query<{ name: string }>(
    `SELECT extract(query, 'heavy_[0-9]+') AS name FROM system.processes WHERE name != '' AND position(query, 'system.proc' || 'esses') = 0 AND NOT startsWith(query, 'EXPLAIN') ORDER BY name`,
  )
  return rows.map(({ name }) => name)
}

const page = (key: string, queryId?: string): Asker => ({ kind: 'page', key, queryId })

function scene(options = { places: 3, heavyPlaces: 2 }) {
  const schedule = scheduleQueries(engine, options)
  const ask = (asker: Asker, sql: string, signal = leaving.signal) => {
    const answer = schedule
      .engineFor(asker)
      .query<Record<string, unknown>>(sql, { scans: true, signal, maxSeconds: 300 })
    answer.catch(() => undefined)
    return answer
  }
  return { schedule, ask }
}

describe('while heavy queries run and others wait', () => {
  test('a light one is answered', async () => {
    const { ask } = scene()
    for (let at = 1; at <= 8; at++) void ask(page(`key-${at}`), heavy(at))
    await expect.poll(running).toHaveLength(2)
    const before = await running()
    expect(await ask(page('other'), light)).toEqual([{ found: '1000' }])
    expect(await running()).toEqual(before)
  })

  test('alerts are evaluated, also over many rows', async () => {
    const { ask } = scene()
    for (let at = 1; at <= 8; at++) void ask(page(`key-${at}`), heavy(at))
    await expect.poll(running).toHaveLength(2)
    const alerts: Asker = { kind: 'alert', key: 'alerts' }
    expect(await ask(alerts, 'SELECT count() AS found FROM scheduled WHERE n % 2 = 0')).toEqual([{ found: '1000000' }])
    expect(await running()).toHaveLength(2)
  })

  test('descriptions of tables do not wait', async () => {
    const { schedule, ask } = scene()
    for (let at = 1; at <= 8; at++) void ask(page(`key-${at}`), heavy(at))
    await expect.poll(running).toHaveLength(2)
    expect(await schedule.engineFor(page('other')).query('DESCRIBE TABLE scheduled')).toHaveLength(1)
  })

  test('a heavy one has a lower priority and fewer threads, but not when it is alone', async () => {
    const { ask } = scene()
    void ask(page('key-1'), heavy(1))
    await expect.poll(running).toHaveLength(1)
    void ask(page('key-2'), heavy(2))
    await expect.poll(running).toHaveLength(2)
    const shares = await engine.query(
      `SELECT extract(query, 'heavy_[0-9]+') AS name, Settings['priority'] AS priority, Settings['max_threads'] AS threads
       FROM system.processes WHERE name != '' AND position(query, 'system.proc' || 'esses') = 0 AND NOT startsWith(query, 'EXPLAIN') ORDER BY name`,
    )
    expect(shares).toMatchObject([{ priority: '2' }, { priority: '2', threads: expect.stringMatching(/^[1-9]/) }])
  })
})

describe('a client that is gone', () => {
  test('leaves no query in the engine, and its place to the next', async () => {
    const { ask } = scene({ places: 1, heavyPlaces: 1 })
    const gone = new AbortController()
    const left = ask(page('ann'), heavy(1), gone.signal)
    await expect.poll(running).toEqual(['heavy_1'])
    void ask(page('bob'), heavy(2))
    gone.abort()
    await expect(left).rejects.toBeInstanceOf(EngineAborted)
    await expect.poll(running).toEqual(['heavy_2'])
  })

  test('is not served if it was still waiting', async () => {
    const { ask } = scene({ places: 1, heavyPlaces: 1 })
    const gone = new AbortController()
    void ask(page('ann'), heavy(1))
    await expect.poll(running).toEqual(['heavy_1'])
    const left = ask(page('bob'), heavy(2), gone.signal)
    gone.abort()
    await expect(left).rejects.toBeInstanceOf(EngineAborted)
    expect(await running()).toEqual(['heavy_1'])
  })
})

describe('the same query of several', () => {
  test('runs once, until the last of them is gone', async () => {
    const { ask } = scene()
    const gone = [new AbortController(), new AbortController()]
    const answers = gone.map(({ signal }, at) => ask(page(`key-${at}`), heavy(1), signal))
    await expect.poll(running).toEqual(['heavy_1'])
    gone[0]?.abort()
    await expect(answers[0]).rejects.toBeInstanceOf(EngineAborted)
    expect(await running()).toEqual(['heavy_1'])
    gone[1]?.abort()
    await expect.poll(running).toEqual([])
  })

  test('answers each with rows of its own', async () => {
    const { ask } = scene()
    const [first, second] = await Promise.all([ask(page('ann'), light), ask(page('bob'), light)])
    expect(second).toEqual(first)
    expect(second[0]).not.toBe(first[0])
  })

  test('runs for each alert, which counts what is stored then', async () => {
    const { ask } = scene()
    const alerts: Asker = { kind: 'alert', key: 'alerts' }
    void ask(alerts, heavy(1))
    void ask(alerts, heavy(1))
    await expect.poll(running).toEqual(['heavy_1', 'heavy_1'])
  })
})

describe('progress', () => {
  test('has the rows that were read, and those that will be', async () => {
    const { schedule, ask } = scene({ places: 1, heavyPlaces: 1 })
    void ask(page('ann', 'first'), heavy(1))
    await expect.poll(running).toEqual(['heavy_1'])
    void ask(page('ann', 'second'), heavy(2))
    await expect
      .poll(() => schedule.progressOf('ann', ['first', 'second', 'unknown']))
      .toEqual([
        {
          id: 'first',
          state: 'running',
          rowsRead: expect.toSatisfy((rows) => rows > 0),
          rowsTotal: expect.any(Number),
        },
        { id: 'second', state: 'waiting', rowsRead: 0, rowsTotal: expect.toSatisfy((rows) => rows >= 2_000_000) },
      ])
    expect(await schedule.progressOf('bob', ['first'])).toEqual([])
  })

  test('is forgotten with the query', async () => {
    const { schedule, ask } = scene()
    await ask(page('ann', 'light'), light)
    expect(await schedule.progressOf('ann', ['light'])).toEqual([])
  })
})

test('a query may have integers of 64 bits, as those of counters do', async () => {
  const { schedule } = scene()
  const params = { at: 1_800_000_000_000_000_001n, series: [2n ** 63n, 1n] }
  const answer = await schedule
    .engineFor(page('ann'))
    .query('SELECT toString({at:Int64}) AS at, has({series:Array(UInt64)}, 9223372036854775808) AS has', {
      params,
      scans: true,
    })
  expect(answer).toEqual([{ at: '1800000000000000001', has: 1 }])
})

test('whoever asks for too much at once is refused, and is told when to try again', async () => {
  const schedule = scheduleQueries(engine, { places: 1, heavyPlaces: 1, maxWaiting: 1 })
  const ask = (at: number) => {
    const answer = schedule.engineFor(page('ann')).query(heavy(at), { scans: true, signal: leaving.signal })
    answer.catch(() => undefined)
    return answer
  }
  void ask(1)
  await expect.poll(running).toEqual(['heavy_1'])
  const others = [ask(2), ask(3)]
  await expect(Promise.race(others)).rejects.toBeInstanceOf(EngineBusy)
})
