/** Ready dashboards for common OpenTelemetry sources. */
import type { ChartSeries } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { httpServiceTiles } from './httpServices.ts'
import { collectorTiles, hostTiles, kubernetesTiles } from './infrastructure.ts'
import type { TileInput } from './templateTiles.ts'

export interface DashboardTemplate {
  id: string
  name: string
  /** Its content and telemetry. */
  detail: string
  kind: 'trace' | 'metric'
  /** The telemetry without which its charts are empty, as a count. */
  needs: Omit<ChartSeries, 'sourceId'>
  tiles(sourceId: string): TileInput[]
}

const count = (where: string) => ({ aggFn: 'count' as const, where, whereLanguage: 'lucene' as const, groupBy: [] })
const points = (metricDataType: 'gauge' | 'sum', metricName: string) => ({ ...count(''), metricDataType, metricName })

export const templates: readonly DashboardTemplate[] = [
  {
    id: 'http',
    name: 'HTTP services',
    detail: 'Requests, failures and latency, from spans of HTTP servers',
    kind: 'trace',
    needs: count(
      'SpanKind:"Server" AND (SpanAttributes.http.request.method:* OR SpanAttributes.http.method:* OR SpanAttributes.http.route:*)',
    ),
    tiles: httpServiceTiles,
  },
  {
    id: 'hosts',
    name: 'Hosts',
    detail: 'Load, memory, disks and network, from the hostmetrics receiver',
    kind: 'metric',
    needs: points('sum', 'system.memory.usage'),
    tiles: hostTiles,
  },
  {
    id: 'kubernetes',
    name: 'Kubernetes',
    detail: 'Nodes, pods and deployments, from kubeletstats and k8s_cluster',
    kind: 'metric',
    needs: points('gauge', 'k8s.pod.memory.usage'),
    tiles: kubernetesTiles,
  },
  {
    id: 'collector',
    name: 'OpenTelemetry Collector',
    detail: 'What a collector receives, sends and drops, from its own metrics',
    kind: 'metric',
    needs: points('sum', 'otelcol_process_uptime'),
    tiles: collectorTiles,
  },
]

/** The source whose telemetry a template shows: the first of its kind. */
export const sourceOf = ({ kind }: DashboardTemplate, sources: readonly Source[]): Source | undefined =>
  sources.find((source) => source.kind === kind && !source.disabled)
