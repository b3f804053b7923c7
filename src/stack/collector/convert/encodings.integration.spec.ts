/** A request gives equal rows in JSON and in protobuf. */
import {
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer'
import { JsonLogsSerializer, JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { AggregationTemporality, AggregationType, InMemoryMetricExporter } from '@opentelemetry/sdk-metrics'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import Long from 'long'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { openEngine, type Engine } from '../../telemetry/engine/engine.ts'
import { ensureTables, tables } from '../../telemetry/tables.ts'
import { modelRows } from '../../testing/otlpModel/otlpModel.ts'
import { encode, fieldsOf, type FieldPlan, type MessageName } from '../otlp/messages.ts'
import { type Signal, signals } from '../signals.ts'
import { Batch, timeWindow } from './batch.ts'

const now = currentTime()
const window = timeWindow(now, 30)

function rowsOf(signal: Signal, body: Buffer, encoding: 'json' | 'protobuf') {
  const batch = new Batch(window)
  signal.read(body, encoding, batch)
  return { tables: Object.fromEntries(batch.take()), rejected: batch.rejected, message: batch.errorMessage }
}

/** With the bytes as text, because comparing buffers byte by byte takes seconds. */
function comparable({ tables, ...rest }: ReturnType<typeof rowsOf>) {
  const blocks = Object.entries(tables).map(([table, { data, ...block }]) => [table, block, data.toString('latin1')])
  return { ...rest, blocks }
}

let engine: Engine
const dataDir = mkdtempSync(join(tmpdir(), 'encodings-'))

beforeAll(async () => {
  engine = await openEngine({ dataDir })
  await ensureTables(engine)
  for (const copy of ['collected', 'modelled']) {
    for (const table of Object.values(tables)) {
      await engine.command(`CREATE TABLE ${copy}_${table} AS ${table} ENGINE = Memory`)
    }
  }
})
afterAll(async () => {
  await engine.close()
  rmSync(dataDir, { recursive: true })
})

/** The rows of a table, in any order that depends on the rows alone. Leaves it empty. */
async function stored(table: string): Promise<object[]> {
  const materialized = await engine.query<{ name: string }>(
    `SELECT name FROM system.columns WHERE table = {table:String} AND default_kind = 'MATERIALIZED'`,
    { params: { table } },
  )
  const columns = ['*', ...materialized.map(({ name }) => `\`${name}\``)].join(', ')
  const rows = await engine.query<object>(`SELECT ${columns} FROM ${table}`)
  await engine.command(`TRUNCATE TABLE ${table}`)
  const sorted = rows.map((row) => ({ row, text: JSON.stringify(row, sortedKeys) }))
  return sorted.toSorted((a, b) => (a.text < b.text ? -1 : 1)).map(({ row }) => row)
}

/** Maps have no order of their keys. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The rows that the engine has of requests in protobuf, by the collector and by the model, which must be the same. */
async function storedOf(signal: Signal, bodies: readonly Buffer[]) {
  const found: Record<string, object[]> = {}
  const blocks = bodies.map((body) => rowsOf(signal, body, 'protobuf'))
  const models = bodies.map((body) => modelRows(signal.name, body, now, 30))
  expect(blocks.map(({ rejected, message }) => [rejected, message])).toEqual(
    models.map(({ rejected, errorMessage }) => [rejected, errorMessage]),
  )
  for (const table of Object.values(tables)) {
    const inserted = blocks.flatMap(({ tables }) => tables[table] ?? [])
    await engine.insertBlocks(`collected_${table}`, inserted)
    await engine.insert(
      `modelled_${table}`,
      models.flatMap(({ tables }) => tables.get(table) ?? []),
    )
    const rows = await stored(`collected_${table}`)
    const expected = await stored(`modelled_${table}`)
    const different = rows.findIndex((row, at) => !isDeepStrictEqual(row, expected[at]))
    expect(rows[different]).toEqual(expected[different])
    expect(rows.length).toBe(expected.length)
    if (rows.length > 0) found[table] = rows
  }
  return found
}

/** A message with random fields omitted. */
type Plain = { [field: string]: unknown }

const scalars: Partial<Record<FieldPlan['type'], fc.Arbitrary<unknown>>> = {
  string: fc.string({ unit: 'binary', maxLength: 12 }),
  bool: fc.boolean(),
  int32: fc.integer({ min: -2, max: 30 }),
  sint32: fc.integer({ min: -1000, max: 1000 }),
  uint32: fc.integer({ min: 0, max: 3 }),
  fixed32: fc.integer({ min: 0, max: 0xffff_ffff }),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  sfixed64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => Long.fromBigInt(value, true)),
  fixed64: fc
    .oneof(
      fc.constant(0n),
      fc.bigInt({ min: 0n, max: 86_400_000_000_000n * 40n }).map((age) => BigInt(now) * 1_000_000n - age),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    )
    .map((value) => Long.fromBigInt(value, true)),
  // JSON has no negative zero.
  double: fc.oneof(
    { weight: 9, arbitrary: fc.double().map((value) => (value === 0 ? 0 : value)) },
    { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity) },
  ),
  bytes: fc.uint8Array({ maxLength: 5 }),
}

/** One of these fields is set: a `oneof` of the protocol. */
const choices: Partial<Record<MessageName, string[]>> = {
  AnyValue: fieldsOf('AnyValue').map(({ name }) => name),
  Metric: ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'],
  NumberPoint: ['asDouble', 'asInt'],
  Exemplar: ['asDouble', 'asInt'],
}

/** The depth of a record (or a metric) below request, resource and scope. */
const recordDepth = 3

function arbitraryMessage(name: MessageName, depth = 0): fc.Arbitrary<Plain> {
  const chosen = choices[name] ?? []
  const fields = fieldsOf(name).map((field) => [field.name, arbitraryField(field, depth)] as const)
  const always = fields.filter(([field]) => !chosen.includes(field))
  const options = fields.filter(([field]) => chosen.includes(field))
  // All levels down to the records are present; of a record, any part can be missing.
  const plain = fc.record(Object.fromEntries(always), depth < recordDepth ? {} : { requiredKeys: [] })
  if (options.length === 0) return plain
  const choice = fc.oneof(...options.map(([field, value]) => value.map((one): Plain => ({ [field]: one }))))
  return fc.tuple(plain, choice).map(([plain, choice]) => ({ ...plain, ...choice }))
}

/** Mostly with the length of such an ID. */
function arbitraryId(length: number): fc.Arbitrary<Uint8Array> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.uint8Array({ minLength: length, maxLength: length }) },
    { weight: 1, arbitrary: fc.constantFrom(new Uint8Array(length), new Uint8Array(5), new Uint8Array()) },
  )
}

const ids: Record<string, fc.Arbitrary<Uint8Array>> = {
  traceId: arbitraryId(16),
  spanId: arbitraryId(8),
  parentSpanId: arbitraryId(8),
}

function arbitraryField({ name, type, repeated }: FieldPlan, depth: number): fc.Arbitrary<unknown> {
  const value =
    ids[name] ?? scalars[type] ?? (depth > 7 ? fc.constant({}) : arbitraryMessage(type as MessageName, depth + 1))
  return repeated ? fc.array(value, { minLength: depth < recordDepth ? 1 : 0, maxLength: 3, size: 'max' }) : value
}

/** The JSON of a message; `loose` uses the alternative notation where the mapping allows two. */
function jsonOf(name: MessageName, message: Plain, loose: boolean): Plain {
  const fields = new Map(fieldsOf(name).map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(message).map(([key, value]) => {
      const field = fields.get(key)!
      const spell = (one: unknown) => jsonValue(name, field, one, loose)
      const spelledKey = loose ? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key
      return [spelledKey, Array.isArray(value) ? value.map(spell) : spell(value)]
    }),
  )
}

function jsonValue(name: MessageName, field: FieldPlan, value: unknown, loose: boolean): unknown {
  if (Long.isLong(value)) {
    const safe = value.greaterThan(-(2 ** 53)) && value.lessThan(2 ** 53)
    return loose && safe ? value.toNumber() : value.toString()
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString(name === 'AnyValue' ? 'base64' : 'hex')
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return String(value)
    return (loose && field.labels?.[value]) || value
  }
  return typeof value === 'object' ? jsonOf(field.type as MessageName, value as Plain, loose) : value
}

const requests: Record<Signal['name'], MessageName> = {
  logs: 'ExportLogsRequest',
  traces: 'ExportTraceRequest',
  metrics: 'ExportMetricsRequest',
}

describe.each(signals)('$name', (signal) => {
  const request = requests[signal.name]

  test('a request gives the same rows in both encodings', () => {
    let [accepted, refused] = [0, 0]
    fc.assert(
      fc.property(arbitraryMessage(request), fc.boolean(), (message, loose) => {
        const protobuf = rowsOf(signal, encode(request, message), 'protobuf')
        const json = rowsOf(signal, Buffer.from(JSON.stringify(jsonOf(request, message, loose))), 'json')
        expect(comparable(json)).toEqual(comparable(protobuf))
        accepted += Object.values(protobuf.tables).reduce((sum, { rows }) => sum + rows, 0)
        refused += protobuf.rejected
      }),
      { numRuns: 120 },
    )
    // The generator is useless if all of its requests are empty or rejected.
    expect(Math.min(accepted, refused)).toBeGreaterThan(20)
  })

  test('a request is stored as by the model', async () => {
    const bodies = fc.sample(arbitraryMessage(request), 80).map((message) => encode(request, message))
    const rows = Object.values(await storedOf(signal, bodies)).flat()
    expect(rows.length).toBeGreaterThan(20)
  })

  test('any bytes give rows or an error', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('json' as const, 'protobuf' as const),
        (bytes, encoding) => {
          try {
            rowsOf(signal, Buffer.from(bytes), encoding)
          } catch (error) {
            expect(error).toBeInstanceOf(Error)
          }
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('data of the OpenTelemetry SDK', () => {
  const both = async (at: number, protobuf: Uint8Array | undefined, json: Uint8Array | undefined) => {
    const body = Buffer.from(protobuf ?? [])
    const rows = rowsOf(signals[at]!, body, 'protobuf')
    expect(comparable(rowsOf(signals[at]!, Buffer.from(json ?? []), 'json'))).toEqual(comparable(rows))
    expect(rows.rejected).toBe(0)
    return storedOf(signals[at]!, [body])
  }

  test('log records', async () => {
    const exporter = new InMemoryLogRecordExporter()
    const logs = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] })
    logs.getLogger('scope', '1.2').emit({
      body: { order: 7, lines: ['a', 2.5] },
      severityNumber: 13,
      timestamp: now,
      attributes: { flag: true, big: 2 ** 40, list: ['x', 'y'] },
      eventName: 'order.placed',
    })
    const records = exporter.getFinishedLogRecords()
    const tables = await both(
      0,
      ProtobufLogsSerializer.serializeRequest(records),
      JsonLogsSerializer.serializeRequest(records),
    )
    expect(tables).toMatchObject({
      otel_logs: [
        {
          Body: '{"lines":["a",2.5],"order":7}',
          SeverityText: 'WARN',
          SeverityNumber: 13,
          ScopeName: 'scope',
          ScopeVersion: '1.2',
          LogAttributes: { flag: 'true', big: '1099511627776', list: '["x","y"]' },
          EventName: 'order.placed',
        },
      ],
    })
  })

  test('spans', async () => {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const tracer = provider.getTracer('scope')
    const parent = tracer.startSpan('GET /', { kind: SpanKind.SERVER }, ROOT_CONTEXT)
    const child = tracer.startSpan(
      'SELECT',
      { kind: SpanKind.CLIENT, links: [{ context: parent.spanContext() }] },
      trace.setSpan(context.active(), parent),
    )
    child.recordException(new Error('gone'))
    child.setStatus({ code: SpanStatusCode.ERROR, message: 'gone' })
    child.end()
    parent.end()
    const spans = exporter.getFinishedSpans()
    const tables = await both(
      1,
      ProtobufTraceSerializer.serializeRequest(spans),
      JsonTraceSerializer.serializeRequest(spans),
    )
    const { traceId, spanId } = parent.spanContext()
    const spansByName = tables['otel_traces']?.toSorted((_, b) => ('SpanName' in b && b.SpanName === 'SELECT' ? 1 : -1))
    expect(spansByName).toMatchObject([
      {
        TraceId: traceId,
        ParentSpanId: spanId,
        SpanName: 'SELECT',
        SpanKind: 'Client',
        StatusCode: 'Error',
        StatusMessage: 'gone',
        'Events.Name': ['exception'],
        'Events.Attributes': [{ 'exception.message': 'gone' }],
        'Links.SpanId': [spanId],
      },
      { SpanId: spanId, ParentSpanId: '', SpanName: 'GET /', SpanKind: 'Server', StatusCode: 'Unset' },
    ])
  })

  test('metrics of every type of the SDK', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
    const views = [{ instrumentName: 'size', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } as const }]
    const provider = new MeterProvider({ readers: [reader], views })
    const meter = provider.getMeter('scope')
    meter.createCounter('requests', { unit: '{request}', description: 'How many' }).add(3, { route: '/' })
    meter.createGauge('level').record(0.5)
    meter.createHistogram('latency', { advice: { explicitBucketBoundaries: [1, 10] } }).record(4)
    meter.createHistogram('size').record(1000)
    await provider.forceFlush()
    const metrics = exporter.getMetrics()[0]!
    await provider.shutdown()
    const tables = await both(
      2,
      ProtobufMetricsSerializer.serializeRequest(metrics),
      JsonMetricsSerializer.serializeRequest(metrics),
    )
    expect(tables).toMatchObject({
      otel_metrics_sum: [
        {
          MetricName: 'requests',
          MetricUnit: '{request}',
          MetricDescription: 'How many',
          Attributes: { route: '/' },
          Value: 3,
          AggregationTemporality: 2,
          IsMonotonic: true,
        },
      ],
      otel_metrics_gauge: [{ MetricName: 'level', Value: 0.5 }],
      otel_metrics_histogram: [
        { Count: '1', Sum: 4, Min: 4, Max: 4, BucketCounts: ['0', '1', '0'], ExplicitBounds: [1, 10] },
      ],
      otel_metrics_exponential_histogram: [{ Count: '1', Sum: 1000, ZeroCount: '0', PositiveBucketCounts: ['1'] }],
    })
  })
})
