/** Metrics of services and pipes as Prometheus text: docs/DEPLOYMENTS.md#metrics. `exposition.ts` reads it. */
import { z } from 'zod'
import { pathId, resource } from '../wire/kernel.ts'

/** `true` returns only the metrics that dashboards need. Sent as text, as deployments declare it. */
const query = z.object({ filtered_metrics: z.enum(['true', 'false']).optional() })

/** The names of the metrics that the console reads and the stack serves. */
export const metricNames = {
  serviceInfo: 'ClickHouse_ServiceInfo',
  queries: 'ClickHouseProfileEvents_Query',
  failedQueries: 'ClickHouseProfileEvents_FailedQuery',
  selectedRows: 'ClickHouseProfileEvents_SelectedRows',
  insertedRows: 'ClickHouseProfileEvents_InsertedRows',
  runningQueries: 'ClickHouseMetrics_Query',
  engineMemory: 'ClickHouseMetrics_MemoryTracking',
  pipeInfo: 'ClickPipes_Info',
  fetchedEvents: 'ClickPipes_FetchedEvents_Total',
  sentEvents: 'ClickPipes_SentEvents_Total',
  fetchedBytes: 'ClickPipes_FetchedBytes_Total',
  sentBytes: 'ClickPipes_SentBytes_Total',
  fetchedBytesCompressed: 'ClickPipes_FetchedBytesCompressed_Total',
  sentBytesCompressed: 'ClickPipes_SentBytesCompressed_Total',
  fetchedBytesInitialLoad: 'ClickPipes_FetchedBytesInitialLoad_Total',
  fetchedEventsPerTable: 'ClickPipes_FetchedEvents_PerTable',
  errors: 'ClickPipes_Errors_Total',
  latency: 'ClickPipes_Latency',
  sourceLag: 'ClickPipes_SourceReplicationLatency_MiB',
  cpuUsage: 'ClickPipes_Replica_CPUUsage',
  cpuLimit: 'ClickPipes_Replica_CPULimit',
  memoryUsage: 'ClickPipes_Replica_MemoryUsage',
  memoryLimit: 'ClickPipes_Replica_MemoryLimit',
  cdcCpuUsage: 'ClickPipes_CDC_CPUUsage',
  cdcCpuLimit: 'ClickPipes_CDC_CPULimit',
  cdcMemoryUsage: 'ClickPipes_CDC_MemoryUsage',
  cdcMemoryLimit: 'ClickPipes_CDC_MemoryLimit',
} as const

export const prometheus = resource('prometheus', {
  organization: {
    method: 'GET',
    scope: 'organization',
    path: '/prometheus',
    variants: ['managed'],
    format: 'text',
    query,
    result: z.string(),
  },
  service: {
    method: 'GET',
    scope: 'organization',
    path: '/services/{serviceId}/prometheus',
    variants: ['managed'],
    format: 'text',
    params: z.object({ serviceId: pathId }),
    query,
    result: z.string(),
  },
})
