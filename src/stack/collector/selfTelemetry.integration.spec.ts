import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Collector, startCollector } from './collector.ts'
import { type Engine, openEngine } from '../telemetry/engine/engine.ts'
import { ensureTables } from '../telemetry/tables.ts'
import { freePort } from '#node/testing/freePort.ts'
import { type SelfTelemetry, startSelfTelemetry } from '#node/selfTelemetry/selfTelemetry.ts'
import { onlyKey } from './ingestionKey.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'self-telemetry-'))
const ingestionKey = 'test-ingestion-key'
let engine: Engine
let telemetry: SelfTelemetry
let collector: Collector
let app: FastifyInstance
let url: string

beforeAll(async () => {
  engine = await openEngine({ dataDir })
  await ensureTables(engine)
  const httpPort = await freePort()
  const endpoint = `http://127.0.0.1:${httpPort}`
  const options = { interval: 50, trustCallers: true, processGauges: true }
  telemetry = startSelfTelemetry({
    serviceName: 'stack',
    collector: { endpoint, ingestionKey: () => ingestionKey },
    ...options,
  })
  const logger = pino({ level: 'info' }, telemetry.logStream ?? process.stderr)
  const ports = { host: '127.0.0.1', httpPort, grpcPort: 0 }
  collector = await startCollector({
    ...ports,
    acceptedKeys: onlyKey(ingestionKey),
    engine,
    retentionDays: () => 30,
    logger,
    telemetry,
  })
  const loggerInstance: FastifyBaseLogger = logger
  app = fastify({ loggerInstance })
  await app.register(telemetry.plugin)
  app.route({
    method: 'GET',
    url: '/things/:id',
    handler: async (request) => {
      await new Promise((resolve) => setImmediate(resolve))
      request.log.warn({ resource: 7, err: new Error('odd') }, 'seen')
      return {}
    },
  })
  app.route({
    method: 'GET',
    url: '/broken',
    handler: async () => {
      throw new Error('broken')
    },
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(async () => {
  await app.close()
  await telemetry.shutdown()
  await collector.close()
  await engine.close()
  rmSync(dataDir, { recursive: true })
})

const spans = (name: string) =>
  engine.query<{ TraceId: string; ParentSpanId: string; StatusCode: string; status: string; kind: string }>(
    `SELECT TraceId, ParentSpanId, StatusCode, SpanKind AS kind, SpanAttributes['http.response.status_code'] AS status
     FROM otel_traces WHERE ServiceName = 'stack' AND SpanName = {name:String}`,
    { params: { name } },
  )

test('a request becomes a span of its route below its caller, and its log lines have its trace ID', async () => {
  const traceId = '5b8efff798038103d269b633813fc60c'
  await fetch(`${url}/things/4711?token=secret`, { headers: { traceparent: `00-${traceId}-eee19b7ec3c1b174-01` } })
  await expect
    .poll(() => spans('GET /things/:id'))
    .toEqual([
      { TraceId: traceId, ParentSpanId: 'eee19b7ec3c1b174', StatusCode: 'Unset', status: '200', kind: 'Server' },
    ])
  const logs = () =>
    engine.query(
      `SELECT Body, SeverityText, TraceId, LogAttributes FROM otel_logs WHERE ServiceName = 'stack' AND Body = 'seen'`,
    )
  await expect
    .poll(logs)
    .toMatchObject([
      { SeverityText: 'WARN', TraceId: traceId, LogAttributes: { resource: '7', 'exception.message': 'odd' } },
    ])
  const [leaked] = await engine.query<{ count: string }>(
    `SELECT count() AS count FROM otel_traces WHERE position(toString(SpanAttributes), 'secret') > 0`,
  )
  expect(leaked?.count).toBe('0')
})

test('a failed request is an error', async () => {
  await fetch(`${url}/broken`)
  await expect.poll(() => spans('GET /broken')).toMatchObject([{ StatusCode: 'Error', status: '500' }])
})

test('reports data of other senders to the collector, but not its own', async () => {
  const send = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${collector.httpPort}/v1/logs`, {
      method: 'POST',
      headers: { authorization: ingestionKey, 'content-type': 'application/json', ...headers },
      body: '{}',
    })
  await send({})
  await expect.poll(() => spans('POST /v1/logs')).toHaveLength(1)
  // By now there were several exports of spans, metrics and logs: none of them has created a span.
  expect([await spans('POST /v1/traces'), await spans('POST /v1/metrics')]).toEqual([[], []])
})

test('reports request counts, latencies and gauges of the process', async () => {
  const names = async () => {
    const tables = ['gauge', 'sum', 'histogram'].map(
      (kind) => `SELECT MetricName FROM otel_metrics_${kind} WHERE ServiceName = 'stack'`,
    )
    const rows = await engine.query<{ MetricName: string }>(
      `SELECT DISTINCT MetricName FROM (${tables.join(' UNION ALL ')})`,
    )
    return rows.map((row) => row.MetricName).toSorted()
  }
  await expect
    .poll(names)
    .toEqual([
      'collector.requests',
      'collector.size',
      'http.server.request.duration',
      'http.server.requests',
      'nodejs.eventloop.delay.p99',
      'process.cpu.time',
      'process.cpu.utilization',
      'process.memory.usage',
      'process.uptime',
      'v8js.memory.heap.used',
    ])
  const [sum] = await engine.query<{ requests: number }>(
    `SELECT sum(Value) AS requests FROM otel_metrics_sum WHERE Attributes['http.route'] = '/things/:id'`,
  )
  expect(sum?.requests).toBe(1)
})
