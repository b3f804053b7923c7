import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, openEngine } from '../telemetry/engine.ts'
import { ensureTables, tables } from '../telemetry/tables.ts'
import { type Collector, type CollectorOptions, startCollector } from './collector.ts'
import { decode, encode } from './otlp/messages.ts'

const ingestionKey = 'test-ingestion-key'
const dataDir = mkdtempSync(join(tmpdir(), 'collector-'))
let engine: Engine
let collector: Collector | undefined

beforeAll(async () => {
  engine = await openEngine({ dataDir })
  await ensureTables(engine)
})

afterEach(async () => {
  await collector?.close()
  collector = undefined
  for (const table of Object.values(tables)) await engine.command(`TRUNCATE TABLE ${table}`)
})

afterAll(async () => {
  await engine.close()
  rmSync(dataDir, { recursive: true })
})

async function start(options: Partial<CollectorOptions> = {}): Promise<string> {
  collector = await startCollector({
    host: '127.0.0.1',
    httpPort: 0,
    grpcPort: 0,
    ingestionKey,
    engine,
    retentionDays: 30,
    logger: pino({ level: 'silent' }),
    ...options,
  })
  return `http://127.0.0.1:${collector.httpPort}`
}

const json = { authorization: `Bearer ${ingestionKey}`, 'content-type': 'application/json' }
const protobuf = { authorization: ingestionKey, 'content-type': 'application/x-protobuf' }
const now = () => BigInt(Date.now()) * 1_000_000n
const logsOf = (...records: object[]) =>
  JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeLogs: [{ logRecords: records }],
      },
    ],
  })
const log = (text: string) => ({ timeUnixNano: String(now()), body: { stringValue: text } })
const post = (
  url: string,
  headers: Record<string, string>,
  body: string | Uint8Array<ArrayBuffer>,
  path = '/v1/logs',
) => fetch(url + path, { method: 'POST', headers, body })
const count = async (table: string) =>
  Number((await engine.query<{ count: string }>(`SELECT count() AS count FROM ${table}`))[0]?.count)

/** An engine whose inserts wait until they are let through. */
function heldEngine() {
  const waiting: (() => void)[] = []
  const inserts: number[] = []
  const insert: Engine['insert'] = async (table, rows) => {
    await new Promise<void>((go) => waiting.push(go))
    inserts.push(rows.length)
    await engine.insert(table, rows)
  }
  return { insert, waiting, inserts, letThrough: () => waiting.splice(0).forEach((go) => go()) }
}

describe('what is accepted', () => {
  test('is in the engine by the time it is answered, to the nanosecond', async () => {
    const url = await start()
    const time = now() + 123_456_789n
    const record = {
      timeUnixNano: String(time),
      severityNumber: 17,
      body: { stringValue: 'hi' },
      attributes: [{ key: 'n', value: { intValue: '9007199254740993' } }],
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: 'eee19b7ec3c1b174',
    }
    const response = await post(url, json, logsOf(record))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toEqual({})
    const rows = await engine.query(
      `SELECT toUnixTimestamp64Nano(Timestamp) AS time, ServiceName, Body, SeverityText, TraceId, SpanId, LogAttributes FROM otel_logs`,
    )
    expect(rows).toEqual([
      {
        time: String(time),
        ServiceName: 'shop',
        Body: 'hi',
        SeverityText: 'ERROR',
        TraceId: record.traceId,
        SpanId: record.spanId,
        LogAttributes: { n: '9007199254740993' },
      },
    ])
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('may be protobuf with %s', async (encoding, compress) => {
    const url = await start()
    const logRecords = [{ severityText: 'WARN' }]
    const body = compress(encode('ExportLogsRequest', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] } as object))
    const response = await post(url, { ...protobuf, 'content-encoding': encoding }, body)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/x-protobuf')
    expect((await response.arrayBuffer()).byteLength).toBe(0)
    expect(await count('otel_logs')).toBe(1)
  })

  test('without a time gets the observed one, or that of its arrival', async () => {
    const url = await start()
    const before = Date.now()
    const observed = now() - 60_000_000_000n
    await post(url, json, logsOf({ observedTimeUnixNano: String(observed), timeUnixNano: '0' }, {}))
    const times = await engine.query<{ time: string }>(
      'SELECT toUnixTimestamp64Nano(Timestamp) AS time FROM otel_logs ORDER BY Timestamp',
    )
    expect(times[0]?.time).toBe(String(observed))
    const arrival = Number(BigInt(times[1]?.time ?? 0) / 1_000_000n)
    expect(arrival).toBeGreaterThanOrEqual(before)
    expect(arrival).toBeLessThanOrEqual(Date.now())
  })

  test('may be a span with events and links', async () => {
    const url = await start()
    const begin = now()
    const span = {
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: 'eee19b7ec3c1b174',
      parentSpanId: 'eee19b7ec3c1b173',
      name: 'GET /cart',
      kind: 'SPAN_KIND_SERVER',
      startTimeUnixNano: String(begin),
      endTimeUnixNano: String(begin + 1_500_000_001n),
      status: { code: 2, message: 'gone' },
      events: [
        { name: 'exception', timeUnixNano: String(begin + 5n), attributes: [{ key: 'a', value: { boolValue: true } }] },
      ],
      links: [{ traceId: '5b8efff798038103d269b633813fc60d', spanId: 'eee19b7ec3c1b175' }],
    }
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
    expect(await (await post(url, json, body, '/v1/traces')).json()).toEqual({})
    const [row] = await engine.query('SELECT * EXCEPT (Timestamp, `Events.Timestamp`) FROM otel_traces')
    expect(row).toMatchObject({
      ParentSpanId: 'eee19b7ec3c1b173',
      SpanKind: 'Server',
      Duration: '1500000001',
      StatusCode: 'Error',
      StatusMessage: 'gone',
      'Events.Name': ['exception'],
      'Events.Attributes': [{ a: 'true' }],
      'Links.TraceId': ['5b8efff798038103d269b633813fc60d'],
    })
  })

  test('may be a metric of any kind', async () => {
    const url = await start()
    const point = { timeUnixNano: String(now()), startTimeUnixNano: String(now()) }
    const exemplars = [{ timeUnixNano: String(now()), asDouble: 2.5, traceId: '5b8efff798038103d269b633813fc60c' }]
    const distribution = { ...point, count: '3', sum: 6, min: 1, max: 3 }
    const metrics = [
      { name: 'g', gauge: { dataPoints: [{ ...point, asDouble: 1.5, exemplars }] } },
      { name: 's', sum: { dataPoints: [{ ...point, asInt: '-7' }], aggregationTemporality: 2, isMonotonic: true } },
      {
        name: 'h',
        histogram: {
          dataPoints: [{ ...distribution, bucketCounts: ['1', 2], explicitBounds: [1.5] }],
          aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA',
        },
      },
      {
        name: 'e',
        exponentialHistogram: {
          dataPoints: [{ ...distribution, scale: -1, zeroCount: 1, positive: { offset: -2, bucketCounts: ['2'] } }],
          aggregationTemporality: 1,
        },
      },
      {
        name: 'q',
        summary: {
          dataPoints: [
            {
              ...point,
              count: 3,
              sum: 6,
              quantileValues: [
                { quantile: 0.5, value: 2 },
                { quantile: 1, value: 'NaN' },
              ],
            },
          ],
        },
      },
    ]
    const response = await post(
      url,
      json,
      JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }),
      '/v1/metrics',
    )
    expect(await response.json()).toEqual({})
    const first = async (table: string) => (await engine.query(`SELECT * FROM ${table}`))[0]
    expect(await first('otel_metrics_gauge')).toMatchObject({ MetricName: 'g', Value: 1.5, 'Exemplars.Value': [2.5] })
    expect(await first('otel_metrics_sum')).toMatchObject({ Value: -7, AggregationTemporality: 2, IsMonotonic: true })
    expect(await first('otel_metrics_histogram')).toMatchObject({
      Count: '3',
      Sum: 6,
      BucketCounts: ['1', '2'],
      ExplicitBounds: [1.5],
      AggregationTemporality: 1,
    })
    expect(await first('otel_metrics_exponential_histogram')).toMatchObject({
      Scale: -1,
      ZeroCount: '1',
      PositiveOffset: -2,
      PositiveBucketCounts: ['2'],
    })
    expect(await first('otel_metrics_summary')).toMatchObject({
      Count: '3',
      'ValueAtQuantiles.Quantile': [0.5],
      'ValueAtQuantiles.Value': [2],
    })
  })

  test('is counted exactly when many send at once, in far fewer inserts', async () => {
    const held = heldEngine()
    const url = await start({ engine: held })
    const sent = Array.from({ length: 40 }, (_, at) => post(url, json, logsOf(log(`${at}`), log(`${at}`))))
    await expect.poll(() => held.waiting.length).toBeGreaterThan(0)
    const timer = setInterval(held.letThrough, 30)
    const statuses = (await Promise.all(sent)).map((response) => response.status)
    clearInterval(timer)
    expect(statuses).toEqual(Array.from({ length: 40 }, () => 200))
    expect(await count('otel_logs')).toBe(80)
    expect(held.inserts.length).toBeLessThan(15)
  })
})

describe('what is refused', () => {
  test.each([
    ['401 without the key', 401, 16, { 'content-type': 'application/json' }, '{}'],
    ['401 with another key', 401, 16, { ...json, authorization: 'Bearer nope' }, '{}'],
    ['415 for another media type', 415, 3, { ...json, 'content-type': 'text/plain' }, '{}'],
    ['415 for another content-encoding', 415, 3, { ...json, 'content-encoding': 'br' }, '{}'],
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
    const url = await start({ limits: { maxRequestBytes: 10_000 } })
    const response = await post(url, headers, body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code, message: expect.stringMatching(/\w/) })
    expect(await count('otel_logs')).toBe(0)
  })

  test('gets 404 and 405 for other paths and methods', async () => {
    const url = await start()
    expect((await post(url, json, '{}', '/v1/profiles')).status).toBe(404)
    const get = await fetch(`${url}/v1/logs`)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('hears of it in its own encoding', async () => {
    const url = await start()
    const response = await post(url, protobuf, new Uint8Array([0x0a, 0xff]))
    expect(response.status).toBe(400)
    const status = decode('RpcStatus', new Uint8Array(await response.arrayBuffer()))
    expect(status).toMatchObject({ code: 3, message: expect.stringContaining('logs') })
  })

  test('never hears the key again', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const url = await start({ logger, engine: { insert: () => Promise.reject(new Error('disk full')) } })
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

describe('partial success', () => {
  test('stores what can be stored, and says how much could not and why', async () => {
    const url = await start()
    const records = [log('fine'), { timeUnixNano: '1700000000' }, { timeUnixNano: '18446744073709551615' }]
    const response = await post(url, json, logsOf(...records))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      partialSuccess: { rejectedLogRecords: '2', errorMessage: expect.stringMatching(/30 days.*future/) },
    })
    expect(await count('otel_logs')).toBe(1)
  })

  test('counts spans without ids, in protobuf', async () => {
    const url = await start()
    const body = encode('ExportTraceRequest', {
      resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'lost' }] }] }],
    } as object)
    const response = await post(url, protobuf, new Uint8Array(body), '/v1/traces')
    const { partialSuccess } = decode('ExportTraceResponse', new Uint8Array(await response.arrayBuffer()))
    expect([partialSuccess?.rejectedSpans.toNumber(), partialSuccess?.errorMessage]).toEqual([
      1,
      expect.stringContaining('trace id'),
    ])
  })

  test('counts data points with values that no column holds', async () => {
    const url = await start()
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
    expect([await count('otel_metrics_gauge'), await count('otel_metrics_histogram')]).toEqual([1, 0])
  })
})

describe('overload', () => {
  test.each([
    ['too many requests', { maxRequestsInFlight: 2 }, 'x'],
    ['too many bytes', { maxBytesInFlight: 25_000 }, 'x'.repeat(9_000)],
  ])('with %s gets 429 and a time to come back; what was acknowledged is stored', async (_, limits, text) => {
    const held = heldEngine()
    const url = await start({ engine: held, limits })
    const accepted = [1, 2].map(() => post(url, json, logsOf(log(text))))
    await expect.poll(() => held.waiting.length).toBeGreaterThan(0)
    await expect.poll(async () => (await post(url, json, logsOf(log(text)))).status).toBe(429)
    const refused = await post(url, json, logsOf(log(text)))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    const timer = setInterval(held.letThrough, 10)
    expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200])
    expect((await post(url, json, logsOf(log(text)))).status).toBe(200)
    clearInterval(timer)
    expect(await count('otel_logs')).toBe(3)
  })

  test('by a bomb that passes the size of one request is noticed while it is unpacked', async () => {
    const url = await start({ limits: { maxBytesInFlight: 200_000, maxRequestBytes: 10_000_000 } })
    const body = gzipSync(logsOf(log('x'.repeat(1_000_000))))
    expect((await post(url, { ...json, 'content-encoding': 'gzip' }, body)).status).toBe(429)
    expect((await post(url, json, logsOf(log('after')))).status).toBe(200)
  })

  test('is over once senders who never finish have gone away', async () => {
    const url = await start({ limits: { maxRequestsInFlight: 1 } })
    const socket = connect(collector!.httpPort, '127.0.0.1')
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

  test('of the engine is answered with 503, and a batch sent again is stored', async () => {
    let failing = true
    const insert: Engine['insert'] = (table, rows) =>
      failing ? Promise.reject(new Error('busy')) : engine.insert(table, rows)
    const url = await start({ engine: { insert } })
    const refused = await post(url, json, logsOf(log('x')))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    failing = false
    expect((await post(url, json, logsOf(log('x')))).status).toBe(200)
    expect(await count('otel_logs')).toBe(1)
  })
})

describe('pages', () => {
  const preflight = (url: string, origin: string) =>
    fetch(`${url}/v1/traces`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })

  test('of a configured origin may send', async () => {
    const url = await start({ corsOrigins: ['http://shop.example'] })
    const allowed = await preflight(url, 'http://shop.example')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('http://shop.example')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization')
    expect((await preflight(url, 'http://other.example')).headers.get('access-control-allow-origin')).toBeNull()
  })

  test('may not where no origin is configured', async () => {
    const url = await start()
    const answer = await preflight(url, 'http://shop.example')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the ports', () => {
  test.each(['httpPort', 'grpcPort'] as const)('a taken %s is named, and the other one is let go', async (which) => {
    await start()
    const taken = collector!
    const free = which === 'httpPort' ? 'grpcPort' : 'httpPort'
    const options = { host: '127.0.0.1', ingestionKey, engine, retentionDays: 30, logger: pino({ level: 'silent' }) }
    const ports = { httpPort: 0, grpcPort: 0, [which]: taken[which] }
    await expect(startCollector({ ...options, ...ports })).rejects.toMatchObject({ port: taken[which] })
    const again = await startCollector({ ...options, httpPort: 0, grpcPort: 0 })
    expect(again[free]).toBeGreaterThan(0)
    await again.close()
  })

  test('close once everything taken is stored and answered', async () => {
    const held = heldEngine()
    const url = await start({ engine: held })
    const answer = post(url, json, logsOf(log('last')))
    await expect.poll(() => held.waiting.length).toBe(1)
    const closed = collector!.close()
    held.letThrough()
    expect((await answer).status).toBe(200)
    await closed
    expect(await count('otel_logs')).toBe(1)
    await expect(post(url, json, '{}')).rejects.toThrow()
  })
})
