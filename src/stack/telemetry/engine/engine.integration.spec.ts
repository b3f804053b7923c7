import { setMaxListeners } from 'node:events'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Engine } from './engine.ts'
import { EngineAborted, EngineError } from './engineError.ts'
import { maps, seconds, text } from '../native/columns.ts'
import { nativeBlock } from '../native/nativeBlock.ts'
import { tables } from '../tables.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'

let engine: Engine

beforeAll(async () => {
  engine = await temporaryEngine({ maxMemory: 1024 ** 3 })
})
afterAll(() => engine.close())

/** Would take minutes. */
const heavy = 'SELECT sum(sipHash64(number)) AS sum FROM numbers(100000000000)'

const running = () => engine.query(`SELECT 1 FROM system.processes WHERE position(query, concat('sip', 'Hash64')) > 0`)

/** Resolves when the engine has as many heavy queries as that. */
async function untilRunning(count: number): Promise<void> {
  await expect.poll(async () => (await running()).length, { interval: 20 }).toBe(count)
}

test('keeps few idle threads: each holds three descriptors', async () => {
  const settings = await engine.query(
    `SELECT value FROM system.server_settings WHERE name = 'max_thread_pool_free_size'`,
  )
  expect(settings).toEqual([{ value: '32' }])
})

describe('results', () => {
  test('have rows as objects: 64-bit integers as text, no NaN, times in UTC', async () => {
    const [row] = await engine.query(
      `SELECT toUInt64(18446744073709551615) AS big, 5::UInt32 AS small, 0 / 0 AS none, toDateTime(0) AS time, ['a'] AS list`,
    )
    expect(row).toEqual({ big: '18446744073709551615', small: 5, none: null, time: '1970-01-01 00:00:00', list: ['a'] })
  })

  test('keep a column whose name is that of the prototype', async () => {
    const [row] = await engine.query('SELECT 1::UInt8 AS one, 2::UInt8 AS `__proto__`')
    expect(Object.entries(row ?? {})).toEqual([
      ['one', 1],
      ['__proto__', 2],
    ])
  })

  test('bind parameters of every type', async () => {
    const params = { text: 'it', whole: 2n ** 63n, half: 0.5, yes: true, list: ['a', "b'\\"], numbers: [1, 2] }
    const [row] = await engine.query(
      `SELECT {text:String} AS text, {whole:UInt64} AS whole, {half:Float64} AS half, {yes:Bool} AS yes,
        {list:Array(String)} AS list, {numbers:Array(UInt8)} AS numbers`,
      { params },
    )
    expect(row).toEqual({ ...params, whole: String(params.whole) })
  })

  test('bind any text unchanged', async () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom(...`'"\\\`{}:;-\n\t\r\0 p0`), fc.string({ unit: 'binary' })),
    })
    await fc.assert(
      fc.asyncProperty(text, fc.array(text), async (text, list) => {
        // Unpaired surrogates have no UTF-8 encoding.
        fc.pre([text, ...list].every((one) => !/\p{Surrogate}/u.test(one)))
        const [row] = await engine.query('SELECT {text:String} AS text, {list:Array(String)} AS list', {
          params: { text, list },
        })
        expect(row).toEqual({ text, list })
      }),
      { numRuns: 150 },
    )
  })

  test('do not mix parameters of concurrent queries', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const [row] = await engine.query<{ value: string }>('SELECT {value:String} AS value FROM numbers(1)', {
          params: { value: String(at) },
        })
        return row?.value
      }),
    )
    expect(answers).toEqual(answers.map((_, at) => String(at)))
  })
})

describe('inserts', () => {
  test('are readable when they are answered, completely or not at all', async () => {
    const row = { TimeUnix: Math.floor(currentTime() / 1000), MetricName: 'whole', Value: 1 }
    await engine.insert(tables.gauge, [row, row])
    await expect(engine.insert(tables.gauge, [row, { ...row, Value: 'much' }])).rejects.toBeInstanceOf(EngineError)
    expect(await engine.query(`SELECT count() AS count FROM otel_metrics_gauge WHERE MetricName = 'whole'`)).toEqual([
      { count: '2' },
    ])
  })

  test('keep nanoseconds', async () => {
    const seconds = Math.floor(currentTime() / 1000)
    await engine.insert(tables.logs, [{ Timestamp: `${seconds}.123456789`, Body: 'precise' }])
    expect(
      await engine.query(`SELECT toUnixTimestamp64Nano(Timestamp) AS time FROM otel_logs WHERE Body = 'precise'`),
    ).toEqual([{ time: `${seconds}123456789` }])
  })

  test('take blocks of columns, and one cut off stores nothing', async () => {
    const columns = { TimeUnix: seconds(), MetricName: text(), Attributes: maps() }
    for (const name of ['block 1', 'block 2']) {
      columns.TimeUnix.data.uint32(Math.floor(currentTime() / 1000))
      columns.MetricName.data.string(name)
      columns.Attributes.keys.string('key')
      columns.Attributes.values.string('it\'s "\u00e9"\n')
      columns.Attributes.endRow(1)
    }
    const block = nativeBlock(columns, 2)
    const cut = { ...block, data: block.data.subarray(0, -3) }
    await expect(engine.insertBlocks(tables.gauge, [block, cut])).rejects.toBeInstanceOf(EngineError)
    await engine.insertBlocks(tables.gauge, [block, block])
    const sql = `SELECT MetricName, Attributes, count() AS count FROM otel_metrics_gauge WHERE MetricName LIKE 'block %' GROUP BY ALL ORDER BY ALL`
    const Attributes = { key: 'it\'s "\u00e9"\n' }
    expect(await engine.query(sql)).toEqual([
      { MetricName: 'block 1', Attributes, count: '2' },
      { MetricName: 'block 2', Attributes, count: '2' },
    ])
  })

  test('do nothing without rows', async () => {
    await expect(engine.insert(tables.logs, [])).resolves.toBeUndefined()
  })
})

describe('errors', () => {
  test.each([
    ['SELECT nope FROM otel_logs', 47, /nope/],
    ['SELECT TraceIdd FROM otel_logs', 47, /did you mean 'TraceId'/],
    ['SELECT 1 FROM nowhere', 60, /nowhere/],
    ['SELEC 1', 62, /Syntax error/],
  ])('%s', async (sql, code, message) => {
    const error: unknown = await engine.query(sql).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(EngineError)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(String(error)).not.toMatch(/DB::Exception|In scope|\n/)
  })

  test('end a query after its time limit, which does not affect the next one', async () => {
    await expect(engine.query(heavy, { maxSeconds: 0.2 })).rejects.toMatchObject({ code: 159 })
    await expect(
      Promise.all(Array.from({ length: 8 }, () => engine.query('SELECT sleepEachRow(0.1) AS x FROM numbers(3)'))),
    ).resolves.toHaveLength(8)
  })

  test('do not mix an unfinished result into the next query', async () => {
    for (const limit of [10, 900_000]) {
      const failing = `SELECT number, throwIf(number = ${limit}) FROM numbers(1000000)`
      await expect(engine.query(failing)).rejects.toMatchObject({ code: 395 })
      expect(await engine.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
    }
  })

  // A server's memory is its own affair.
  if (!process.env['TEST_CLICKHOUSE_URL']) {
    test('end a query that exceeds the memory limit', async () => {
      await expect(engine.query('SELECT groupArray(number) AS x FROM numbers(10000000000)')).rejects.toMatchObject({
        code: 241,
      })
    })
  }
})

describe('cancellation', () => {
  test.each([
    ['without parameters', heavy, {}],
    ['with parameters', `${heavy} WHERE number != {left_out:UInt8}`, { left_out: 1 }],
  ])('stops the query in the engine, without affecting others: %s', async (_, sql, params) => {
    const gone = new AbortController()
    const answer = engine.query(sql, { params, signal: gone.signal })
    await untilRunning(1)
    expect(await engine.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
    gone.abort()
    await expect(answer).rejects.toBeInstanceOf(EngineAborted)
    await untilRunning(0)
  })

  test('of a query that waits for a connection never reaches the engine', async () => {
    const [first, second] = [new AbortController(), new AbortController()]
    setMaxListeners(0, first.signal)
    const busy = Array.from({ length: 8 }, () => engine.query(heavy, { signal: first.signal }))
    const waiting = engine.query('SELECT 1', { signal: second.signal })
    second.abort()
    await expect(waiting).rejects.toBeInstanceOf(EngineAborted)
    first.abort()
    const outcomes = await Promise.allSettled(busy)
    expect(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof EngineAborted)).toBe(
      true,
    )
    // All connections work again, without state of earlier queries.
    const answers = await Promise.all(busy.map((_, at) => engine.query(`SELECT ${at} AS at`)))
    expect(answers).toEqual(busy.map((_, at) => [{ at }]))
    await untilRunning(0)
  })

  test('before the start', async () => {
    await expect(engine.query('SELECT 1', { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(EngineAborted)
  })
})
