/** Queries that are written for the tables of the collector's ClickHouse exporter find the rows of ours. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import type { Engine } from './engine/engine.ts'
import { EngineError } from './engine/engineError.ts'
import { ensureExporterNames, traceTimesView } from './exporterNames.ts'
import { ensureTables, tables } from './tables.ts'

let engine: Engine

beforeAll(async () => void (engine = await temporaryEngine()))
afterAll(() => engine.close())
beforeEach(async () => {
  await engine.command(`TRUNCATE TABLE ${tables.logs}`)
  await engine.command(`TRUNCATE TABLE ${tables.traces}`)
})

const today = currentIsoTime().slice(0, 10)
const at = (second: number) => `${today} 10:00:${String(second).padStart(2, '0')}.250000000`

async function addSpans(): Promise<void> {
  const spans = [
    ['a', 'a1', 5],
    ['a', 'a2', 9],
    ['b', 'b1', 7],
    ['', 'none', 1],
  ] as const
  const rows = spans.map(([TraceId, SpanId, second]) => ({
    Timestamp: at(second),
    TraceId,
    SpanId,
    ServiceName: 'shop',
  }))
  await engine.insert(tables.traces, rows)
}

/** As Grafana asks for the spans of a trace: first for its times, so that only those are read. */
const spansOfTrace = `
  WITH {trace:String} AS trace_id,
    (SELECT min(Start) FROM otel_traces_trace_id_ts WHERE TraceId = trace_id) AS trace_start,
    (SELECT max(End) + 1 FROM otel_traces_trace_id_ts WHERE TraceId = trace_id) AS trace_end
  SELECT TraceId AS traceID, SpanId AS spanID FROM otel_traces
  WHERE traceID = trace_id AND Timestamp >= trace_start AND Timestamp <= trace_end ORDER BY spanID LIMIT 1000`

test('a trace is found by its times', async () => {
  await addSpans()
  const spans = await engine.query(spansOfTrace, { params: { trace: 'a' } })
  expect(spans).toEqual([
    { traceID: 'a', spanID: 'a1' },
    { traceID: 'a', spanID: 'a2' },
  ])
  expect(await engine.query(spansOfTrace, { params: { trace: 'missing' } })).toEqual([])
  const times = `SELECT TraceId, toString(Start) AS start, toString(End) AS end FROM ${traceTimesView} ORDER BY TraceId`
  expect(await engine.query(times)).toEqual([
    { TraceId: 'a', start: `${today} 10:00:05`, end: `${today} 10:00:09` },
    { TraceId: 'b', start: `${today} 10:00:07`, end: `${today} 10:00:07` },
  ])
})

test('the times of one trace are read by the index of trace IDs', async () => {
  await addSpans()
  const plan = await engine.query<{ explain: string }>(
    `EXPLAIN indexes = 1 SELECT min(Start) FROM ${traceTimesView} WHERE TraceId = 'a'`,
  )
  expect(plan.map(({ explain }) => explain).join('\n')).toContain('Name: by_trace')
})

test('logs are found by TimestampTime, and only the parts of that time are read', async () => {
  const rows = [3, 4].map((second) => ({ Timestamp: at(second), Body: `at ${second}` }))
  await engine.insert(tables.logs, rows)
  const where = `WHERE TimestampTime >= toDateTime('${today} 10:00:04') AND TimestampTime <= toDateTime('${today} 10:00:05')`
  const found = await engine.query(`SELECT Body, toString(TimestampTime) AS time FROM ${tables.logs} ${where}`)
  expect(found).toEqual([{ Body: 'at 4', time: `${today} 10:00:04` }])
  const plan = await engine.query<{ explain: string }>(`EXPLAIN indexes = 1 SELECT Body FROM ${tables.logs} ${where}`)
  expect(plan.map(({ explain }) => explain).join('\n')).toMatch(/Min-?Max\s+Keys:\s+Timestamp/)
})

test('logs are found by the exporter’s columns of resource attributes', async () => {
  const ResourceAttributes = { 'k8s.pod.name': 'shop-1', 'deployment.environment.name': 'prod' }
  await engine.insert(tables.logs, [
    { Timestamp: at(3), Body: 'found', ResourceAttributes },
    { Timestamp: at(4), Body: 'other' },
  ])
  const found = await engine.query(
    `SELECT Body, \`__otel_materialized_deployment.environment.name\` AS stage FROM ${tables.logs}
     WHERE \`__otel_materialized_k8s.pod.name\` = 'shop-1'`,
  )
  expect(found).toEqual([{ Body: 'found', stage: 'prod' }])
})

/** The columns of the exporter's tables, as queries name them. */
const exporterColumns: Record<keyof typeof tables, string> = {
  logs: `Timestamp TimestampTime TraceId SpanId TraceFlags SeverityText SeverityNumber ServiceName Body ResourceSchemaUrl
    ResourceAttributes ScopeSchemaUrl ScopeName ScopeVersion ScopeAttributes LogAttributes EventName
    __otel_materialized_k8s.cluster.name __otel_materialized_k8s.container.name __otel_materialized_k8s.deployment.name
    __otel_materialized_k8s.namespace.name __otel_materialized_k8s.node.name __otel_materialized_k8s.pod.name
    __otel_materialized_k8s.pod.uid __otel_materialized_deployment.environment.name`,
  traces: `Timestamp TraceId SpanId ParentSpanId TraceState SpanName SpanKind ServiceName ResourceAttributes ScopeName
    ScopeVersion SpanAttributes Duration StatusCode StatusMessage Events.Timestamp Events.Name Events.Attributes
    Links.TraceId Links.SpanId Links.TraceState Links.Attributes ResourceAttributeItems SpanAttributeItems`,
  gauge: 'Value Exemplars.Value',
  sum: 'Value AggregationTemporality IsMonotonic Exemplars.Value',
  histogram: 'Count Sum BucketCounts ExplicitBounds Min Max AggregationTemporality Exemplars.Value',
  exponentialHistogram: `Count Sum Scale ZeroCount PositiveOffset PositiveBucketCounts NegativeOffset NegativeBucketCounts
    Min Max AggregationTemporality Exemplars.Value`,
  summary: 'Count Sum ValueAtQuantiles.Quantile ValueAtQuantiles.Value',
}
const pointColumns = `ResourceAttributes ResourceSchemaUrl ScopeName ScopeVersion ScopeAttributes ScopeDroppedAttrCount
  ScopeSchemaUrl ServiceName MetricName MetricDescription MetricUnit Attributes StartTimeUnix TimeUnix Flags`
const exemplarColumns = 'Exemplars.FilteredAttributes Exemplars.TimeUnix Exemplars.SpanId Exemplars.TraceId'

test.each(Object.entries(exporterColumns))('the table of %s has each column of the exporter', async (kind, own) => {
  const isMetric = kind !== 'logs' && kind !== 'traces'
  const expected = [own, isMetric ? pointColumns : '', own.includes('Exemplars') ? exemplarColumns : '']
  const found = await engine.query<{ name: string }>(
    'SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String}',
    { params: { table: new Map<string, string>(Object.entries(tables)).get(kind) ?? '' } },
  )
  const names = new Set(found.map(({ name }) => name))
  const missing = expected.flatMap((list) => list.match(/\S+/g) ?? []).filter((name) => !names.has(name))
  expect(missing).toEqual([])
})

test('tables of an earlier version get them, with their rows', async () => {
  await engine.command(`DROP VIEW ${traceTimesView}`)
  await engine.command(`ALTER TABLE ${tables.logs} DROP COLUMN TimestampTime`)
  await addSpans()
  await ensureTables(engine)
  await ensureTables(engine)
  expect(await engine.query(spansOfTrace, { params: { trace: 'b' } })).toEqual([{ traceID: 'b', spanID: 'b1' }])
})

test('what an exporter has created is kept', async () => {
  await engine.command(`DROP VIEW ${traceTimesView}`)
  await engine.command(
    `CREATE TABLE ${traceTimesView} (TraceId String, Start DateTime, End DateTime) ENGINE = MergeTree ORDER BY TraceId`,
  )
  await engine.command(`INSERT INTO ${traceTimesView} VALUES ('kept', now(), now())`)
  await ensureExporterNames(engine, tables)
  expect(await engine.query(`SELECT TraceId FROM ${traceTimesView}`)).toEqual([{ TraceId: 'kept' }])
  await engine.command(`DROP TABLE ${traceTimesView} SYNC`)
  await ensureExporterNames(engine, tables)
})

test('on a server whose user may not create them, the stack starts without them', async () => {
  const refusing = (kind: 'embedded' | 'remote', code: number) => ({
    ...engine,
    kind,
    command: async () => {
      throw new EngineError(code, 'REFUSED', 'refused')
    },
  })
  await ensureExporterNames(refusing('remote', 497), tables)
  await expect(ensureExporterNames(refusing('remote', 60), tables)).rejects.toThrow('refused')
  await expect(ensureExporterNames(refusing('embedded', 497), tables)).rejects.toThrow('refused')
})
