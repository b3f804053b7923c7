/** Reads the samples of each pipe and service from one scrape: docs/DEPLOYMENTS.md#metrics. */
import { parseExposition } from '#domain/exposition.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { metricNames } from '#contract/cloud/prometheus.ts'
import type { ServiceSample } from '#contract/console/sampling/serviceSamples.ts'

/** The values of one pipe in one scrape. */
type Reading = Omit<PipeSample, 'at' | 'pace'>
/** The values of one service in one scrape. */
type ServiceReading = Omit<ServiceSample, 'at' | 'pace'>

/** All values of one scrape, by ID. */
export interface Scrape {
  pipes: ReadonlyMap<string, Reading>
  services: ReadonlyMap<string, ServiceReading>
}
type Measure = keyof Reading

/**
 * Alternative metrics for each value: the first group that is reported is used. Counters are summed over a group and over
 * replicas; gauges are averaged.
 */
const measures: Record<Measure, { oneOf: readonly (readonly string[])[]; adds: boolean }> = {
  fetchedEvents: { oneOf: [[metricNames.fetchedEvents]], adds: true },
  sentEvents: { oneOf: [[metricNames.sentEvents]], adds: true },
  fetchedBytes: {
    // Database pipes count the initial load separately.
    oneOf: [[metricNames.fetchedBytes], [metricNames.fetchedBytesCompressed, metricNames.fetchedBytesInitialLoad]],
    adds: true,
  },
  errors: { oneOf: [[metricNames.errors]], adds: true },
  latency: { oneOf: [[metricNames.latency]], adds: false },
  sourceLag: { oneOf: [[metricNames.sourceLag]], adds: false },
  cpu: { oneOf: [[metricNames.cpuUsage]], adds: false },
  cpuLimit: { oneOf: [[metricNames.cpuLimit]], adds: false },
  memory: { oneOf: [[metricNames.memoryUsage]], adds: false },
  memoryLimit: { oneOf: [[metricNames.memoryLimit]], adds: false },
}

/** Metrics of a service that apply to each of its database pipes. */
const shared: readonly (readonly [Measure, string])[] = [
  ['cpu', metricNames.cdcCpuUsage],
  ['cpuLimit', metricNames.cdcCpuLimit],
  ['memory', metricNames.cdcMemoryUsage],
  ['memoryLimit', metricNames.cdcMemoryLimit],
]

/** Source types, as the label spells them, that share the size of the service. */
const isDatabase = (source: string | undefined) => /postgres|mysql|maria|mongo|bigquery/i.test(source ?? '')

/** Metrics of services. Those of their replicas are added. */
const serviceMeasures = {
  queries: metricNames.queries,
  failedQueries: metricNames.failedQueries,
  selectedRows: metricNames.selectedRows,
  insertedRows: metricNames.insertedRows,
  runningQueries: metricNames.runningQueries,
  memory: metricNames.engineMemory,
} as const satisfies Partial<Record<keyof ServiceReading, string>>

/** The values of a scrape. Values that are not numbers are left out. */
export function readSamples(text: string): Scrape {
  const pipes = new Map<string, { service: string; source: string | undefined }>()
  const services = new Map<string, string | null>()
  const values = new Map<string, number[]>()
  const replicaMemory = new Map<string, number>()
  const key = (metric: string, id: string) => `${metric} ${id}`
  for (const { name, labels, value } of parseExposition(text)) {
    const { clickpipe_id: pipe, clickhouse_service: service = '' } = labels
    if (name === metricNames.serviceInfo) services.set(service, labels.clickhouse_cluster_status ?? null)
    if (pipe !== undefined) pipes.set(pipe, { service, source: labels.clickpipe_source })
    if (!Number.isFinite(value)) continue
    if (name === metricNames.engineMemory && labels.hostname !== undefined)
      replicaMemory.set(service, Math.max(value, replicaMemory.get(service) ?? 0))
    const sampleKey = key(name, pipe ?? service)
    const list = values.get(sampleKey)
    if (list) list.push(value)
    else values.set(sampleKey, [value])
  }
  const read = (names: readonly string[], id: string, adds: boolean): number | null => {
    const found = names.flatMap((name) => values.get(key(name, id)) ?? [])
    if (found.length === 0) return null
    const sum = found.reduce((total, value) => total + value, 0)
    return adds ? sum : sum / found.length
  }
  const ofPipes = new Map(
    [...pipes].map(([id, { service, source }]) => {
      const own = Object.entries(measures).map(([measure, { oneOf, adds }]) => [
        measure,
        oneOf.map((names) => read(names, id, adds)).find((value) => value !== null) ?? null,
      ])
      // Object.fromEntries loses the type of its keys: they are those of `measures`.
      const reading = Object.fromEntries(own) as Reading
      if (isDatabase(source)) {
        for (const [measure, name] of shared) reading[measure] ??= read([name], service, false)
      }
      return [id, reading]
    }),
  )
  const ofServices = new Map(
    [...services].map(([id, status]) => {
      const own = Object.entries(serviceMeasures).map(([measure, name]) => [measure, read([name], id, true)])
      const ofReplica = { status, replicaMemory: replicaMemory.get(id) ?? null }
      // Object.fromEntries loses the type of its keys: they are those of `serviceMeasures`.
      return [id, { ...ofReplica, ...Object.fromEntries(own) } as ServiceReading]
    }),
  )
  return { pipes: ofPipes, services: ofServices }
}
