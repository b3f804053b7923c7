import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../telemetry/engine/engine.ts'
import { decode, encode } from './otlp/messages.ts'
import {
  createTestCollector,
  holdInserts,
  ingestionKey,
  json,
  log,
  logsOf,
  now,
  post,
  protobuf,
  type TestCollector,
} from '../testing/testCollector.ts'

let collector: TestCollector

beforeAll(async () => {
  collector = await createTestCollector()
})
afterEach(() => collector.reset())
afterAll(() => collector.close())

describe('rejected export', () => {
  test.each([
    ['401 without the key', 401, 16, { 'content-type': 'application/json' }, '{}'],
    ['401 with another key', 401, 16, { ...json, authorization: 'Bearer nope' }, '{}'],
    ['415 for another media type', 415, 3, { ...json, 'content-type': 'text/plain' }, '{}'],
    ['400 for another content-encoding', 400, 3, { ...json, 'content-encoding': 'br' }, '{}'],
    ['400 for broken JSON', 400, 3, json, '{"resourceLogs":['],
    ['400 for a wrong shape', 400, 3, json, '{"resourceLogs":{}}'],
    ['400 for a body that is not gzip', 400, 3, { ...json, 'content-encoding': 'gzip' }, '{}'],
    [
      '400 for gzip that is cut off',
      400,
      3,
      { ...json, 'content-encoding': 'gzip' },
      gzipSync('{}'.repeat(99)).subarray(0, 15),
    ],
    ['400 for an empty body', 400, 3, json, ''],
    ['413 for a body over the limit', 413, 8, json, ' '.repeat(10_001)],
    ['413 for a bomb', 413, 8, { ...json, 'content-encoding': 'gzip' }, gzipSync(' '.repeat(1_000_000))],
  ])('gets %s', async (_, status, code, headers, body) => {
    const url = await collector.start({ limits: { maxRequestBytes: 10_000 } })
    const response = await post(url, headers, body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code, message: expect.stringMatching(/\w/) })
    expect(await collector.count('otel_logs')).toBe(0)
  })

  test('gets 404 and 405 for other paths and methods', async () => {
    const url = await collector.start()
    expect((await post(url, json, '{}', '/v1/profiles')).status).toBe(404)
    const get = await fetch(`${url}/v1/logs`)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('gets the error in its own encoding', async () => {
    const url = await collector.start()
    const response = await post(url, protobuf, new Uint8Array([0x0a, 0xff]))
    expect(response.status).toBe(400)
    const status = decode('RpcStatus', new Uint8Array(await response.arrayBuffer()))
    expect(status).toMatchObject({ code: 3, message: expect.stringContaining('logs') })
  })

  test('does not get the key back', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const url = await collector.start({
      logger,
      engine: { insertBlocks: () => Promise.reject(new Error('disk full')) },
    })
    const wrong = `sk-${randomBytes(8).toString('hex')}`
    const answers = [
      await (await post(url, { ...json, authorization: `Bearer ${wrong}` }, '{}')).text(),
      await (await post(url, json, logsOf(log('x')))).text(),
    ]
    expect(answers.join() + lines.join()).not.toMatch(new RegExp(`${wrong}|${ingestionKey}`))
    expect(lines.join()).toContain('disk full')
    expect(answers[1]).not.toContain('disk full')
  })
})

describe('small compressed data that becomes large', () => {
  const limits = { maxRecords: 100 }
  const records = (count: number) => logsOf(...Array.from({ length: count }, () => ({})))

  test.each([
    ['JSON', json, (count: number) => new Uint8Array(Buffer.from(records(count)))],
    ['protobuf', protobuf, (count: number) => new Uint8Array(recordsInProtobuf(count))],
  ])('is rejected with the exceeded limit, in %s', async (_, headers, body) => {
    const url = await collector.start({ limits })
    for (const gzip of [false, true]) {
      const send = (count: number) =>
        post(
          url,
          gzip ? { ...headers, 'content-encoding': 'gzip' } : headers,
          gzip ? new Uint8Array(gzipSync(body(count))) : body(count),
        )
      expect((await send(100)).status).toBe(200)
      const refused = await send(101)
      expect(refused.status).toBe(413)
      expect(refused.headers.get('retry-after')).toBeNull()
      expect(await refused.text()).toContain('a request may have at most 100 log records, spans or data points')
    }
    expect(await collector.count('otel_logs')).toBe(200)
  })

  const recordsInProtobuf = (count: number) =>
    encode('ExportLogsRequest', {
      resourceLogs: [{ scopeLogs: [{ logRecords: Array.from({ length: count }, () => ({})) }] }],
    } as object)

  test('is stored completely or not at all if its end is malformed', async () => {
    const url = await collector.start()
    // Large enough to be read in pieces.
    const logRecords = Array.from({ length: 9_000 }, () => '{"body":{"stringValue":"fine"}}')
    const request = (last: string) =>
      `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${[...logRecords, last].join(',')}]}]}]}`
    expect((await post(url, json, request('{"body":7}'))).status).toBe(400)
    expect(await collector.count('otel_logs')).toBe(0)
    expect((await post(url, json, request('{}'))).status).toBe(200)
    expect(await collector.count('otel_logs')).toBe(9_001)
  })

  test('with half of a surrogate pair is stored with a replacement character', async () => {
    const url = await collector.start()
    const cut = { ...log('cut \ud83d'), attributes: [{ key: 'k\udc00', value: { stringValue: 'é\ud83d' } }] }
    expect((await post(url, json, logsOf(cut))).status).toBe(200)
    expect(await collector.engine.query('SELECT Body, LogAttributes FROM otel_logs')).toEqual([
      { Body: 'cut \ufffd', LogAttributes: { 'k\ufffd': 'é\ufffd' } },
    ])
  })
})

describe('partial success', () => {
  test('stores valid records, and reports how many were rejected and why', async () => {
    const url = await collector.start()
    const records = [log('fine'), { timeUnixNano: '1700000000' }, { timeUnixNano: '18446744073709551615' }]
    const response = await post(url, json, logsOf(...records))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      partialSuccess: { rejectedLogRecords: '2', errorMessage: expect.stringMatching(/30 days.*future/) },
    })
    expect(await collector.count('otel_logs')).toBe(1)
  })

  test('counts spans without IDs, in protobuf', async () => {
    const url = await collector.start()
    const body = encode('ExportTraceRequest', {
      resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'lost' }] }] }],
    } as object)
    const response = await post(url, protobuf, new Uint8Array(body), '/v1/traces')
    const { partialSuccess } = decode('ExportTraceResponse', new Uint8Array(await response.arrayBuffer()))
    expect([partialSuccess?.rejectedSpans.toNumber(), partialSuccess?.errorMessage]).toEqual([
      1,
      expect.stringContaining('trace ID'),
    ])
  })

  test('counts data points with values that no column holds', async () => {
    const url = await collector.start()
    const point = { timeUnixNano: String(now()) }
    const metrics = [
      {
        name: 'g',
        gauge: {
          dataPoints: [
            { ...point, asDouble: 'NaN' },
            { ...point, asDouble: 1 },
          ],
        },
      },
      { name: 'stale', gauge: { dataPoints: [{ ...point, flags: 1 }] } },
      { name: 'h', histogram: { dataPoints: [{ ...point, explicitBounds: ['Infinity'], bucketCounts: ['1', '0'] }] } },
      { name: 'i', histogram: { dataPoints: [{ ...point, explicitBounds: [1], bucketCounts: ['1'] }] } },
    ]
    const response = await post(
      url,
      json,
      JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }),
      '/v1/metrics',
    )
    expect(await response.json()).toMatchObject({ partialSuccess: { rejectedDataPoints: '3' } })
    expect([await collector.count('otel_metrics_gauge'), await collector.count('otel_metrics_histogram')]).toEqual([
      1, 0,
    ])
  })
})

describe('overload', () => {
  test.each([
    ['too many requests', { maxRequestsInFlight: 2 }, 'x'],
    ['too many bytes', { maxBytesInFlight: 25_000 }, 'x'.repeat(9_000)],
  ])('with %s gets 429 and a retry delay; acknowledged data is stored', async (_, limits, text) => {
    const held = holdInserts(collector.engine)
    const url = await collector.start({ engine: held, limits })
    const accepted = [1, 2].map(() => post(url, json, logsOf(log(text))))
    await expect.poll(() => held.waiting.length).toBeGreaterThan(0)
    await expect.poll(async () => (await post(url, json, logsOf(log(text)))).status).toBe(429)
    const refused = await post(url, json, logsOf(log(text)))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    const timer = setInterval(held.letThrough, 10)
    expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200])
    expect((await post(url, json, logsOf(log(text)))).status).toBe(200)
    clearInterval(timer)
    expect(await collector.count('otel_logs')).toBe(3)
  })

  test('by a bomb over the request limit is detected during decompression', async () => {
    const url = await collector.start({ limits: { maxBytesInFlight: 200_000, maxRequestBytes: 10_000_000 } })
    const body = gzipSync(logsOf(log('x'.repeat(1_000_000))))
    expect((await post(url, { ...json, 'content-encoding': 'gzip' }, body)).status).toBe(429)
    expect((await post(url, json, logsOf(log('after')))).status).toBe(200)
  })

  test.each([
    ['records', { maxRecordsInFlight: 5 }],
    ['bytes once they are decoded', { maxDecodedBytesInFlight: 4000 }],
  ])('with too many %s gets 429', async (_, limits) => {
    const held = holdInserts(collector.engine)
    const url = await collector.start({ engine: held, limits })
    const accepted = post(url, json, logsOf(log('1'), log('2'), log('3')))
    await expect.poll(() => held.waiting.length).toBe(1)
    const refused = await post(url, json, logsOf(log('4'), log('5'), log('6')))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    held.letThrough()
    expect((await accepted).status).toBe(200)
    held.letThrough()
    const again = post(url, json, logsOf(log('4'), log('5'), log('6')))
    await expect.poll(() => held.waiting.length).toBe(1)
    held.letThrough()
    expect((await again).status).toBe(200)
    expect(await collector.count('otel_logs')).toBe(6)
  })

  test('is not reported for a single request, however large it is when decoded', async () => {
    const url = await collector.start({ limits: { maxDecodedBytesInFlight: 10 } })
    expect((await post(url, json, logsOf(log('1'), log('2')))).status).toBe(200)
  })

  test('by a body of unknown length is detected while it is received', async () => {
    const url = await collector.start({ limits: { maxBytesInFlight: 200_000 } })
    // It never ends.
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(400_000).fill(0x20)) })
    const response = await fetch(`${url}/v1/logs`, {
      method: 'POST',
      headers: json,
      body,
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(429)
    expect((await post(url, json, logsOf(log('after')))).status).toBe(200)
  })

  test('ends when stalled senders are disconnected', async () => {
    const url = await collector.start({ limits: { maxRequestsInFlight: 1 } })
    const socket = connect(collector.current().httpPort, '127.0.0.1')
    const head = [
      'POST /v1/logs HTTP/1.1',
      'host: x',
      'content-length: 1000',
      ...Object.entries(json).map(([name, value]) => `${name}: ${value}`),
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    await expect.poll(async () => (await post(url, json, logsOf(log('x')))).status).toBe(429)
    socket.destroy()
    await expect.poll(async () => (await post(url, json, logsOf(log('x')))).status).toBe(200)
  })

  test('of the engine gets 503, and the retried batch is stored', async () => {
    let failing = true
    const insertBlocks: Engine['insertBlocks'] = (table, blocks) =>
      failing ? Promise.reject(new Error('busy')) : collector.engine.insertBlocks(table, blocks)
    const url = await collector.start({ engine: { insertBlocks } })
    const refused = await post(url, json, logsOf(log('x')))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    failing = false
    expect((await post(url, json, logsOf(log('x')))).status).toBe(200)
    expect(await collector.count('otel_logs')).toBe(1)
  })
})

describe('web pages', () => {
  const preflight = (url: string, origin: string) =>
    fetch(`${url}/v1/traces`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })

  test('can send from a configured origin', async () => {
    const url = await collector.start({ corsOrigins: ['http://shop.example'] })
    const allowed = await preflight(url, 'http://shop.example')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('http://shop.example')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization')
    expect((await preflight(url, 'http://other.example')).headers.get('access-control-allow-origin')).toBeNull()
  })

  test('cannot send without a configured origin', async () => {
    const url = await collector.start()
    const answer = await preflight(url, 'http://shop.example')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})
