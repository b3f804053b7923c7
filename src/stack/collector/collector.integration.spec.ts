import { deflateSync, gzipSync } from 'node:zlib'
import { compressFrameSync } from 'lz4-napi'
import { pino } from 'pino'
import { compressSync } from 'snappy'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { startCollector } from './collector.ts'
import { encode } from './otlp/messages.ts'
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
import { onlyKey } from './ingestionKey.ts'

let collector: TestCollector

beforeAll(async () => {
  collector = await createTestCollector()
})
afterEach(() => collector.reset())
afterAll(() => collector.close())

describe('accepted telemetry', () => {
  test('is in the engine before the response, with nanoseconds', async () => {
    const url = await collector.start()
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
    const rows = await collector.engine.query(
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
    ['zlib', deflateSync],
    ['snappy', compressSync],
    ['lz4', compressFrameSync],
  ])('can be protobuf with %s', async (encoding, compress) => {
    const url = await collector.start()
    const logRecords = [{ severityText: 'WARN' }]
    const body = compress(encode('ExportLogsRequest', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] } as object))
    const response = await post(url, { ...protobuf, 'content-encoding': encoding }, new Uint8Array(body))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/x-protobuf')
    expect((await response.arrayBuffer()).byteLength).toBe(0)
    expect(await collector.count('otel_logs')).toBe(1)
  })

  test('without a time gets the observed time or the time of receipt', async () => {
    const url = await collector.start()
    const before = currentTime()
    const observed = now() - 60_000_000_000n
    await post(url, json, logsOf({ observedTimeUnixNano: String(observed), timeUnixNano: '0' }, {}))
    const times = await collector.engine.query<{ time: string }>(
      'SELECT toUnixTimestamp64Nano(Timestamp) AS time FROM otel_logs ORDER BY Timestamp',
    )
    expect(times[0]?.time).toBe(String(observed))
    const arrival = Number(BigInt(times[1]?.time ?? 0) / 1_000_000n)
    expect(arrival).toBeGreaterThanOrEqual(before)
    expect(arrival).toBeLessThanOrEqual(currentTime())
  })

  test('can be a span with events and links', async () => {
    const url = await collector.start()
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
    const [row] = await collector.engine.query('SELECT * EXCEPT (Timestamp, `Events.Timestamp`) FROM otel_traces')
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

  test('can be a metric of any type', async () => {
    const url = await collector.start()
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
    const first = async (table: string) => (await collector.engine.query(`SELECT * FROM ${table}`))[0]
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

  test('is counted exactly with many concurrent requests, in far fewer inserts', async () => {
    const held = holdInserts(collector.engine)
    const url = await collector.start({ engine: held })
    const sent = Array.from({ length: 40 }, (_, at) => post(url, json, logsOf(log(`${at}`), log(`${at}`))))
    await expect.poll(() => held.waiting.length).toBeGreaterThan(0)
    const timer = setInterval(held.letThrough, 30)
    const statuses = (await Promise.all(sent)).map((response) => response.status)
    clearInterval(timer)
    expect(statuses).toEqual(Array.from({ length: 40 }, () => 200))
    expect(await collector.count('otel_logs')).toBe(80)
    expect(held.inserts.length).toBeLessThan(15)
  })
})

describe('collector ports', () => {
  test.each(['httpPort', 'grpcPort'] as const)(
    'report a port in use (%s), and release the other one',
    async (which) => {
      await collector.start()
      const taken = collector.current()
      const free = which === 'httpPort' ? 'grpcPort' : 'httpPort'
      const options = {
        host: '127.0.0.1',
        acceptedKeys: onlyKey(ingestionKey),
        engine: collector.engine,
        retentionDays: () => 30,
        logger: pino({ level: 'silent' }),
      }
      const ports = { httpPort: 0, grpcPort: 0, [which]: taken[which] }
      await expect(startCollector({ ...options, ...ports })).rejects.toMatchObject({ port: taken[which] })
      const again = await startCollector({ ...options, httpPort: 0, grpcPort: 0 })
      expect(again[free]).toBeGreaterThan(0)
      await again.close()
    },
  )

  test('close after everything accepted is stored and answered', async () => {
    const held = holdInserts(collector.engine)
    const url = await collector.start({ engine: held })
    const answer = post(url, json, logsOf(log('last')))
    await expect.poll(() => held.waiting.length).toBe(1)
    const closed = collector.current().close()
    held.letThrough()
    expect((await answer).status).toBe(200)
    await closed
    expect(await collector.count('otel_logs')).toBe(1)
    await expect(post(url, json, '{}')).rejects.toThrow()
  })
})
