/** Metrics of services and pipes as Prometheus text: docs/DEPLOYMENTS.md#metrics. */
import { availableParallelism, hostname } from 'node:os'
import type { Handlers } from '#contract/wire/kernel.ts'
import type { prometheus } from '#contract/cloud/prometheus.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { systemTable } from '../telemetry/engine/dialect.ts'
import type { StackContext } from './context.ts'
import { totalsOf } from '../pipes/loads/loadTotals.ts'
import { exposition, type EngineMetric, type PipeReport, type ServiceReport } from '../pipes/loads/pipeMetrics.ts'
import { threadsOf } from '../pipes/objectStorage/objectStorageSettings.ts'
import { familyOf, isSimulated, settledPipe, sizeOf, type PipeDocument } from '../pipes/model/pipeDocument.ts'
import { pipeRows } from '../pipes/model/pipeRows.ts'
import { cdcScalingNow } from './cdcScaling.ts'
import { settledService, type ServiceDocument } from '../documents/serviceDocument.ts'
import { serviceNow, serviceRows } from '../documents/serviceRows.ts'

export const prometheusHandlers: Handlers<typeof prometheus, StackContext> = {
  async organization({ query }, context) {
    const now = currentTime()
    const services = (await serviceRows.all(context.store)).map((document) => settledService(document, now))
    return scrape(services, query.filtered_metrics === 'true', context)
  },

  async service({ params, query }, context) {
    const service = await serviceNow(context.store, params.serviceId)
    return scrape([service], query.filtered_metrics === 'true', context)
  },
}

async function scrape(services: ServiceDocument[], filtered: boolean, context: StackContext): Promise<string> {
  const pipes = await pipeRows.all(context.store)
  const reports = await Promise.all(services.map((service) => report(service, pipes, context)))
  return exposition(reports, context.identity.organizationId, filtered, currentTime())
}

async function report(
  service: ServiceDocument,
  all: readonly PipeDocument[],
  context: StackContext,
): Promise<ServiceReport> {
  const pipes = all.filter((pipe) => pipe.serviceId === service.id)
  const isOwn = service.id === context.identity.serviceId
  return {
    service,
    pipes: await Promise.all(pipes.map((pipe) => pipeReport(pipe, context))),
    cdcScaling: pipes.some((pipe) => familyOf(pipe) === 'database')
      ? (await cdcScalingNow(context.store, service.id)).size
      : null,
    // The other services share this engine: what each of them uses is not measured.
    engine: isOwn ? await engineMetrics(context) : [],
    // The metrics of a cluster are of all its servers together.
    hostname: context.engine?.kind === 'embedded' ? hostname() : null,
  }
}

async function pipeReport(pipe: PipeDocument, { store, cloud: { meter }, engine }: StackContext): Promise<PipeReport> {
  if (isSimulated(pipe)) return { pipe, measured: null }
  const [totals, usage] = [await totalsOf(store, pipe.id), meter?.read(pipe.id) ?? null]
  if (familyOf(pipe) === 'streaming') {
    const { replicaCpuMillicores, replicaMemoryGb } = sizeOf(settledPipe(pipe, currentTime()))
    const limits = { cpuMillicores: replicaCpuMillicores, memoryBytes: replicaMemoryGb * 2 ** 30 }
    return { pipe, measured: { totals, usage, limits } }
  }
  // The number of cores of a cluster is unknown.
  const cores = engine?.kind === 'embedded' ? availableParallelism() : null
  const limits = {
    cpuMillicores: cores && Math.min(cores, threadsOf(pipe)) * 1000,
    memoryBytes: (await meter?.memoryLimit()) ?? null,
  }
  return { pipe, measured: { totals, usage, limits } }
}

/** The engine's counters since its start, and its gauges, of all replicas; none without an engine. */
async function engineMetrics({ engine, signal }: StackContext): Promise<EngineMetric[]> {
  if (!engine) return []
  const rows = await engine.query<{ name: string; type: 'counter' | 'gauge'; value: string; help: string }>(
    `SELECT concat('ClickHouseProfileEvents_', event) AS name, 'counter' AS type, toString(sum(value)) AS value, any(description) AS help
     FROM ${systemTable(engine.dialect, 'events')} GROUP BY event
     UNION ALL
     SELECT concat('ClickHouseMetrics_', metric) AS name, 'gauge', toString(sum(value)), any(description)
     FROM ${systemTable(engine.dialect, 'metrics')} GROUP BY metric
     ORDER BY name`,
    { signal },
  )
  return rows.map(({ name, type, value, help }) => ({ name, type, value: Number(value), help }))
}
