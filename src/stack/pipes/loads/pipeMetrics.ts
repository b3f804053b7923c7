/** The metrics of services and pipes, with the names of docs/DEPLOYMENTS.md#metrics. */
import { formatExposition, type MetricFamily } from '#domain/exposition.ts'
import { pipeKind } from '#contract/cloud/pipeKinds.ts'
import { metricNames } from '#contract/cloud/prometheus.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import type { CdcScaling } from '#contract/cloud/pipes/pipeScaling.ts'
import type { LoadTotals } from './loadTotals.ts'
import { readModel, type ModelReading } from '../model/simulatedThroughput.ts'
import { anchored, familyOf, settledPipe, sizeOf, type PipeDocument } from '../model/pipeDocument.ts'
import type { UsageReading } from '../model/pipeUsage.ts'

export interface ServiceReport {
  service: Service
  pipes: PipeReport[]
  /** The shared size of its database pipes; null without database pipes. */
  cdcScaling: CdcScaling | null
  /** Counters and gauges of the service's engine. */
  engine: EngineMetric[]
  /** Where that engine runs; null if it has several servers. */
  hostname: string | null
}

/** A metric of the engine with the name that Prometheus gets: `ClickHouseProfileEvents_Query`. */
export type EngineMetric = { name: string; type: 'counter' | 'gauge'; value: number; help: string }

export interface PipeReport {
  pipe: PipeDocument
  /** Totals and usage of a pipe; null for a simulated pipe. */
  measured: Measured | null
}

interface Measured {
  totals: LoadTotals
  /** Null without an engine. */
  usage: UsageReading | null
  /** The limits of its statements; null if unknown. */
  limits: { cpuMillicores: number | null; memoryBytes: number | null }
}

/** States in which a service has all metrics. In others it only has its information. */
const scrapedStates: readonly string[] = ['running', 'degraded', 'partially_running']

/** The engine's metrics in a filtered scrape. */
const essential: ReadonlySet<string> = new Set([
  metricNames.queries,
  metricNames.failedQueries,
  metricNames.selectedRows,
  metricNames.insertedRows,
  metricNames.runningQueries,
  metricNames.engineMemory,
])

type Metric = { name: string; type: MetricFamily['type']; help: string }

const metrics = {
  serviceInfo: { name: metricNames.serviceInfo, type: 'gauge', help: 'Information about the service, always 1' },
  pipeInfo: { name: metricNames.pipeInfo, type: 'gauge', help: 'Information about the data pipe, always 1' },
  fetchedEvents: { name: metricNames.fetchedEvents, type: 'counter', help: 'Records read from the source' },
  sentEvents: { name: metricNames.sentEvents, type: 'counter', help: 'Records written to the table' },
  fetchedBytes: { name: metricNames.fetchedBytes, type: 'counter', help: 'Bytes read from the source' },
  sentBytes: { name: metricNames.sentBytes, type: 'counter', help: 'Bytes written to the table' },
  fetchedBytesCompressed: {
    name: metricNames.fetchedBytesCompressed,
    type: 'counter',
    help: 'Compressed bytes read from the source',
  },
  errors: { name: metricNames.errors, type: 'counter', help: 'Errors while moving data' },
  latency: { name: metricNames.latency, type: 'gauge', help: 'Milliseconds from production to insertion' },
  sourceLag: { name: metricNames.sourceLag, type: 'gauge', help: "Mebibytes of the source's log still to be fetched" },
  cpuUsage: { name: metricNames.cpuUsage, type: 'gauge', help: 'Used millicores of one replica' },
  cpuLimit: { name: metricNames.cpuLimit, type: 'gauge', help: 'Millicores of one replica' },
  memoryUsage: { name: metricNames.memoryUsage, type: 'gauge', help: 'Used memory bytes of one replica' },
  memoryLimit: { name: metricNames.memoryLimit, type: 'gauge', help: 'Memory bytes of one replica' },
  cdcCpuUsage: { name: metricNames.cdcCpuUsage, type: 'gauge', help: 'Millicores used by the database pipes' },
  cdcMemoryUsage: { name: metricNames.cdcMemoryUsage, type: 'gauge', help: 'Memory bytes used by the database pipes' },
  cdcCpuLimit: { name: metricNames.cdcCpuLimit, type: 'gauge', help: 'Millicores shared by the database pipes' },
  cdcMemoryLimit: {
    name: metricNames.cdcMemoryLimit,
    type: 'gauge',
    help: 'Memory bytes shared by the database pipes',
  },
} as const satisfies Record<string, Metric>

/** The text of one scrape. `filtered` leaves out metrics of the engine that no dashboard needs. */
export function exposition(
  reports: readonly ServiceReport[],
  organizationId: string,
  filtered: boolean,
  now: number,
): string {
  const families = new Map<string, MetricFamily>()
  const add = ({ name, type, help }: Metric, labels: Record<string, string>, value: number) => {
    const family = families.get(name) ?? { name, type, help, samples: [] }
    family.samples.push({ labels, value })
    families.set(name, family)
  }
  for (const report of reports) addService(report, organizationId, filtered, now, add)
  return formatExposition([...families.values()])
}

type Add = (metric: Metric, labels: Record<string, string>, value: number) => void

function addService(report: ServiceReport, organizationId: string, filtered: boolean, now: number, add: Add): void {
  const { service, pipes, cdcScaling, engine } = report
  const labels = {
    clickhouse_org: organizationId,
    clickhouse_service: service.id,
    clickhouse_service_name: service.name ?? '',
  }
  const isScraped = scrapedStates.includes(service.state ?? '')
  const info = {
    clickhouse_cluster_status: service.state ?? '',
    clickhouse_version: service.dbVersion ?? '',
    scrape: isScraped ? 'full' : 'partial',
  }
  add(metrics.serviceInfo, { ...labels, ...info }, 1)
  if (!isScraped) return
  for (const pipe of pipes) addPipe(pipe, labels, now, add)
  if (cdcScaling) {
    const database = pipes.filter(({ pipe }) => familyOf(pipe) === 'database').map(({ measured }) => measured?.usage)
    addKnown(metrics.cdcCpuUsage, labels, sumOf(database.map((usage) => usage?.cpuMillicores ?? null)), add)
    addKnown(metrics.cdcMemoryUsage, labels, sumOf(database.map((usage) => usage?.memoryBytes ?? null)), add)
    add(metrics.cdcCpuLimit, labels, cdcScaling.replicaCpuMillicores)
    add(metrics.cdcMemoryLimit, labels, cdcScaling.replicaMemoryGb * 2 ** 30)
  }
  const host: Record<string, string> = report.hostname === null ? {} : { hostname: report.hostname }
  for (const { name, type, value, help } of engine) {
    if (!filtered || essential.has(name)) add({ name, type, help }, { ...labels, ...host }, value)
  }
}

function addPipe({ pipe, measured }: PipeReport, service: Record<string, string>, now: number, add: Add): void {
  const labels = {
    ...service,
    clickpipe_id: pipe.id,
    clickpipe_name: pipe.name,
    clickpipe_source: sourceLabel(pipe),
  }
  add(metrics.pipeInfo, { ...labels, clickpipe_state: settledPipe(pipe, now).state }, 1)
  if (measured) addMeasured(pipe, measured, labels, add)
  else addReading(readingOf(pipe, now), sizeOf(settledPipe(pipe, now)), labels, add)
}

/** The type of the source, such as `confluent` or `s3`, if it has one. */
function sourceLabel({ source }: PipeDocument): string {
  const kind = pipeKind({ source }) ?? ''
  const arm = Object.entries(source ?? {}).find(([name]) => name === kind)?.[1]
  const type = typeof arm === 'object' && arm !== null && 'type' in arm ? arm.type : undefined
  return typeof type === 'string' ? type : kind
}

/** The values of a pipe. Unknown ones are left out. */
function addMeasured(
  pipe: PipeDocument,
  { totals, usage, limits }: Measured,
  labels: Record<string, string>,
  add: Add,
): void {
  add(metrics.errors, labels, totals.errors)
  const isStream = familyOf(pipe) === 'streaming'
  add(metrics.fetchedEvents, labels, isStream ? totals.readRecords : totals.rows)
  add(metrics.sentEvents, labels, totals.rows)
  addKnown(metrics.sourceLag, labels, usage?.sourceLagMib ?? null, add)
  if (familyOf(pipe) === 'database') return
  if (isStream) {
    add(metrics.fetchedBytes, labels, totals.readBytes)
    add(metrics.sentBytes, labels, totals.sentBytes)
  }
  add(metrics.fetchedBytesCompressed, labels, totals.bytes)
  addKnown(metrics.latency, labels, usage?.latencyMs ?? null, add)
  addKnown(metrics.cpuUsage, labels, usage?.cpuMillicores ?? null, add)
  addKnown(metrics.cpuLimit, labels, limits.cpuMillicores, add)
  addKnown(metrics.memoryUsage, labels, usage?.memoryBytes ?? null, add)
  addKnown(metrics.memoryLimit, labels, limits.memoryBytes, add)
}

function addKnown(metric: Metric, labels: Record<string, string>, value: number | null, add: Add): void {
  if (value !== null) add(metric, labels, Math.round(value))
}

/** Null if one of them is unknown. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0)
}

/** The values of a simulated pipe at a time. */
function readingOf(document: PipeDocument, now: number): ModelReading {
  const pipe = anchored(settledPipe(document, now), now)
  const model = pipe.internal.model ?? { at: now, fetchedBytes: 0, sentBytes: 0, backlog: 0 }
  const wait = pipe.settings?.['streaming_max_insert_wait_ms']
  return readModel(pipe.id, model, sizeOf(pipe), pipe.state === 'Running', typeof wait === 'number' ? wait : 5000)
}

function addReading(
  reading: ModelReading,
  size: { replicaCpuMillicores: number; replicaMemoryGb: number },
  labels: Record<string, string>,
  add: Add,
): void {
  add(metrics.errors, labels, 0)
  add(metrics.fetchedEvents, labels, reading.fetchedEvents)
  add(metrics.sentEvents, labels, reading.sentEvents)
  add(metrics.fetchedBytes, labels, Math.floor(reading.fetchedBytes))
  add(metrics.fetchedBytesCompressed, labels, Math.floor(reading.fetchedBytes / compression))
  add(metrics.sentBytes, labels, Math.floor(reading.sentBytes))
  addKnown(metrics.latency, labels, reading.latencyMs, add)
  add(metrics.cpuUsage, labels, Math.round(reading.cpuMillicores))
  add(metrics.cpuLimit, labels, size.replicaCpuMillicores)
  add(metrics.memoryUsage, labels, Math.round(reading.memoryBytes))
  add(metrics.memoryLimit, labels, size.replicaMemoryGb * 2 ** 30)
}

/** The compression ratio of records in the model. */
const compression = 4
