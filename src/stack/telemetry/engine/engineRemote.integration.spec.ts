/** The engine on a server: the real client over a real socket, and the real engine behind it. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { startClickhouse, type ClickhouseProcess } from '../../testing/clickhouse/clickhouseProcess.ts'
import { openEngine, type Engine } from './engine.ts'
import { EngineAborted } from './engineError.ts'
import { nanoseconds, text } from '../native/columns.ts'
import { nativeBlock, type NativeBlock } from '../native/nativeBlock.ts'
import { ensureTables, tables } from '../tables.ts'

/** A block of log records with these texts. */
function blockOf(...bodies: string[]): NativeBlock {
  const columns = { Timestamp: nanoseconds(), Body: text() }
  const now = BigInt(currentTime()) * 1_000_000n
  for (const body of bodies) {
    columns.Timestamp.data.uint64(Number(now & 0xffff_ffffn), Number(now >> 32n))
    columns.Body.data.string(body)
  }
  return nativeBlock(columns, bodies.length)
}

const password = 'the key: of @ the server'

let folder: string
let server: ClickhouseProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clickhouse-'))
  server = await startClickhouse(folder, password)
})
afterAll(async () => {
  await server.kill()
  await rm(folder, { recursive: true, force: true })
})

describe('ClickHouse server', () => {
  let engine: Engine
  beforeEach(async () => {
    engine = await openEngine({ url: server.url })
    await ensureTables(engine)
  })
  afterEach(() => engine.close())

  const count = async () => (await engine.query<{ n: string }>(`SELECT count() AS n FROM ${tables.logs}`))[0]?.n

  test('keeps rows over a restart, and is reconnected', { timeout: 60_000 }, async () => {
    const Timestamp = `${Math.floor(currentTime() / 1000)}.000000001`
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      Timestamp,
      Body: `it's ${at}`,
      LogAttributes: { at: `${at}` },
    }))
    await engine.insert(tables.logs, rows)
    expect(await count()).toBe('1000')
    const [row] = await engine.query(
      `SELECT Body, LogAttributes FROM ${tables.logs} WHERE LogAttributes['at'] = {at:String}`,
      {
        params: { at: '7' },
      },
    )
    expect(row).toEqual({ Body: "it's 7", LogAttributes: { at: '7' } })

    await server.kill()
    await expect(count()).rejects.toMatchObject({ type: 'UNREACHABLE' })
    await expect(engine.insert(tables.logs, rows)).rejects.toMatchObject({ type: 'UNREACHABLE' })
    server = await startClickhouse(folder, password, server.port)
    expect(await count()).toBe('1000')
  })

  test('stores blocks of columns, all or none', async () => {
    const before = Number(await count())
    await engine.insertBlocks(tables.logs, [blockOf('a', 'b'), blockOf('c')])
    expect(await count()).toBe(String(before + 3))
    await expect(engine.insertBlocks('nowhere', [blockOf('a')])).rejects.toMatchObject({ code: 60 })
  })

  test('stops abandoned queries', { timeout: 60_000 }, async () => {
    // Would take minutes.
    const heavy = 'SELECT sum(sipHash64(number)) AS sum FROM numbers(100000000000)'
    const running = async () =>
      (await engine.query(`SELECT 1 FROM system.processes WHERE position(query, concat('sip', 'Hash64')) > 0`)).length
    const gone = new AbortController()
    const answer = engine.query(heavy, { signal: gone.signal }).catch((error: unknown) => error)
    await expect.poll(running).toBe(1)
    gone.abort()
    expect(await answer).toBeInstanceOf(EngineAborted)
    await expect.poll(running).toBe(0)
  })

  test('ends a query after its time limit', async () => {
    const heavy = engine.query('SELECT sum(sipHash64(number)) FROM numbers(100000000000)', { maxSeconds: 1 })
    await expect(heavy).rejects.toMatchObject({ code: 159 })
  })

  test('reports errors without the statement', async () => {
    const error: unknown = await engine.query('SELECT Bodi FROM otel_logs').catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 47, type: 'UNKNOWN_IDENTIFIER' })
    expect(String(error)).not.toMatch(/SELECT|version|In scope/)
    await expect(engine.insert('nowhere', [{ a: 1 }])).rejects.toMatchObject({ code: 60 })
  })
})

describe('is not opened', () => {
  const failure = (url: string) => openEngine({ url }).catch((error: unknown) => error)

  /** The failure of a query on an HTTP server that responds to everything with the same text. */
  async function failureAt(answer: string): Promise<unknown> {
    const other = createServer((_, response) => response.end(answer)).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo // a listening TCP server has one
    try {
      return await failure(`http://default:secret@127.0.0.1:${port}`)
    } finally {
      other.close()
    }
  }

  test('if its version is too old', async () => {
    expect(String(await failureAt('{"meta":[],"data":[{"version":"23.3.8.21"}],"rows":1}'))).toBe(
      'EngineError: CLICKHOUSE_URL: the ClickHouse server has version 23.3.8.21, but the stack needs 23.8 or newer.',
    )
  })

  test('if it is another kind of server', async () => {
    expect(String(await failureAt('<p>Welcome'))).toBe(
      'EngineError: CLICKHOUSE_URL: the telemetry engine sent an unreadable response.',
    )
  })

  test('with a wrong password', async () => {
    const error = await failure(server.url.replace(encodeURIComponent(password), 'wrong'))
    expect(error).toMatchObject({ code: 516 })
    expect(String(error)).toMatch(/^EngineError: CLICKHOUSE_URL: default: Authentication failed/)
    expect(String(error)).not.toContain('wrong')
  })

  test('if nothing listens', async () => {
    expect(String(await failure('http://127.0.0.1:1/'))).toContain('does not answer (ECONNREFUSED)')
  })
})
