/** Hosts, Kubernetes and the OpenTelemetry Collector itself, from the metrics that their receivers send by default. */
import { formats, metric, type SeriesInput, tile, type TileInput } from './templateTiles.ts'

const host = `ResourceAttributes['host.name']`
const used = 'Attributes.state:"used"'

/** Metrics of the collector's `hostmetrics` receiver. */
export function hostTiles(sourceId: string): TileInput[] {
  const load = metric('gauge', 'avg', 'system.cpu.load_average.1m', { alias: 'Load' })
  const memory = metric('sum', 'avg', 'system.memory.usage', { where: used, alias: 'Memory used' })
  const byHost = (select: SeriesInput[], more: object = {}) => ({
    displayType: 'line',
    sourceId,
    select,
    groupBy: host,
    ...more,
  })
  return [
    tile('Load average (1 minute)', [0, 0, 12, 7], byHost([load])),
    tile('Memory used', [12, 0, 12, 7], byHost([memory], { numberFormat: formats.bytes })),
    tile('Network traffic', [0, 7, 12, 7], {
      ...byHost([metric('sum', 'increase', 'system.network.io')], { numberFormat: formats.bytes }),
      groupBy: `${host}, Attributes['direction']`,
    }),
    tile('Disk traffic', [12, 7, 12, 7], {
      ...byHost([metric('sum', 'increase', 'system.disk.io')], { numberFormat: formats.bytes }),
      groupBy: `${host}, Attributes['direction']`,
    }),
    tile('File systems', [0, 14, 12, 8], {
      displayType: 'table',
      sourceId,
      select: [metric('sum', 'avg', 'system.filesystem.usage', { where: used, alias: 'Used' })],
      groupBy: `${host}, Attributes['mountpoint']`,
      orderBy: '"Used" DESC',
      numberFormat: formats.bytes,
      groupByColumnsOnLeft: true,
    }),
    tile('Network errors', [12, 14, 12, 8], byHost([metric('sum', 'increase', 'system.network.errors')])),
  ]
}

/** Metrics of the collector's `kubeletstats` and `k8s_cluster` receivers. */
export function kubernetesTiles(sourceId: string): TileInput[] {
  const node = `ResourceAttributes['k8s.node.name']`
  const pod = `ResourceAttributes['k8s.namespace.name'], ResourceAttributes['k8s.pod.name']`
  const deployment = `ResourceAttributes['k8s.namespace.name'], ResourceAttributes['k8s.deployment.name']`
  const line = (groupBy: string, name: string, more: object = {}) => ({
    displayType: 'line',
    sourceId,
    select: [metric('gauge', 'avg', name)],
    groupBy,
    seriesLimit: 10,
    ...more,
  })
  return [
    tile('CPU of nodes', [0, 0, 12, 7], line(node, 'k8s.node.cpu.usage')),
    tile('Memory of nodes', [12, 0, 12, 7], line(node, 'k8s.node.memory.usage', { numberFormat: formats.bytes })),
    tile('CPU of pods', [0, 7, 12, 7], line(pod, 'k8s.pod.cpu.usage')),
    tile('Memory of pods', [12, 7, 12, 7], line(pod, 'k8s.pod.memory.usage', { numberFormat: formats.bytes })),
    tile('Container restarts', [0, 14, 12, 8], {
      displayType: 'table',
      sourceId,
      select: [metric('gauge', 'max', 'k8s.container.restarts', { alias: 'Restarts' })],
      groupBy: `${pod}, ResourceAttributes['k8s.container.name']`,
      orderBy: '"Restarts" DESC',
      groupByColumnsOnLeft: true,
    }),
    tile('Deployments', [12, 14, 12, 8], {
      displayType: 'table',
      sourceId,
      select: [
        metric('gauge', 'last_value', 'k8s.deployment.desired', { alias: 'Desired' }),
        metric('gauge', 'last_value', 'k8s.deployment.available', { alias: 'Available' }),
      ],
      groupBy: deployment,
      groupByColumnsOnLeft: true,
    }),
  ]
}

/** Internal metrics of collectors that report themselves over OTLP. */
export function collectorTiles(sourceId: string): TileInput[] {
  const signals = [
    ['spans', 'Spans'],
    ['log_records', 'Log records'],
    ['metric_points', 'Metric points'],
  ] as const
  const ofSignals = (prefix: string) => ({
    displayType: 'line',
    sourceId,
    select: signals.map(([name, alias]) => metric('sum', 'increase', `otelcol_${prefix}_${name}`, { alias })),
    numberFormat: formats.count,
  })
  return [
    tile('Accepted', [0, 0, 12, 7], ofSignals('receiver_accepted')),
    tile('Refused by receivers', [12, 0, 12, 7], ofSignals('receiver_refused')),
    tile('Sent', [0, 7, 12, 7], ofSignals('exporter_sent')),
    tile('Failed to send', [12, 7, 12, 7], ofSignals('exporter_send_failed')),
    tile('Queues of exporters', [0, 14, 12, 7], {
      displayType: 'line',
      sourceId,
      select: [
        metric('gauge', 'max', 'otelcol_exporter_queue_size', { alias: 'Size' }),
        metric('gauge', 'max', 'otelcol_exporter_queue_capacity', { alias: 'Capacity' }),
      ],
      groupBy: `Attributes['exporter']`,
    }),
    tile('Memory', [12, 14, 12, 7], {
      displayType: 'line',
      sourceId,
      select: [metric('gauge', 'max', 'otelcol_process_memory_rss', { alias: 'Resident memory' })],
      groupBy: `ResourceAttributes['service.instance.id']`,
      numberFormat: formats.bytes,
    }),
  ]
}
