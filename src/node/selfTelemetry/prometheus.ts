/** The metrics of this process in Prometheus' text format, beside their export over OTLP. */
import type { Attributes } from '@opentelemetry/api'
import {
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  MetricReader,
} from '@opentelemetry/sdk-metrics'
import { formatExposition, type MetricFamily } from '#domain/exposition.ts'

/** Collects when it is asked. Values count from the start of the process. */
class PullReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

export interface Scraper {
  /** To be given to the meter provider. */
  reader: MetricReader
  /** @returns the metrics as text */
  scrape(): Promise<string>
}

export function createScraper(): Scraper {
  const reader = new PullReader()
  return {
    reader,
    scrape: async () => {
      const { resourceMetrics } = await reader.collect()
      return formatExposition(resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics.flatMap(familyOf)))
    },
  }
}

/**
 * The attributes that become labels. All have few values. Those of others are added up, so that no name of a record or
 * a person can become a label.
 */
const labels: Readonly<Record<string, string>> = {
  'http.route': 'route',
  'http.response.status_code': 'status',
  'rpc.grpc.status_code': 'grpc_status',
  'webhook.service': 'service',
  variant: 'variant',
  outcome: 'outcome',
  status: 'status',
  state: 'state',
}

const units: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

type Sample = MetricFamily['samples'][number]

/** None for an instrument of a kind that this product does not use. */
function familyOf(metric: MetricData): MetricFamily[] {
  const { name, unit, description: help } = metric.descriptor
  const base = `${name.replaceAll(/\W/g, '_')}${units[unit] ?? ''}`
  switch (metric.dataPointType) {
    case DataPointType.GAUGE:
      return [{ name: base, type: 'gauge', help, samples: summed(metric.dataPoints) }]
    case DataPointType.SUM:
      return metric.isMonotonic
        ? [{ name: `${base}_total`, type: 'counter', help, samples: summed(metric.dataPoints) }]
        : [{ name: base, type: 'gauge', help, samples: summed(metric.dataPoints) }]
    case DataPointType.HISTOGRAM: {
      const samples = byLabels(metric.dataPoints).flatMap(([found, values]) => histogramSamples(found, values))
      return [{ name: base, type: 'histogram', help, samples }]
    }
    default:
      return []
  }
}

function summed(points: readonly DataPoint<number>[]): Sample[] {
  return byLabels(points).map(([found, values]) => ({ labels: found, value: sum(values) }))
}

function histogramSamples(found: Record<string, string>, values: readonly Histogram[]): Sample[] {
  // All values of an instrument have the same boundaries.
  const boundaries = values[0]?.buckets.boundaries ?? []
  const upTo = boundaries.map((boundary, at) => ({
    suffix: '_bucket' as const,
    labels: { ...found, le: String(boundary) },
    value: sum(values.map(({ buckets }) => sum(buckets.counts.slice(0, at + 1)))),
  }))
  const count = sum(values.map((value) => value.count))
  return [
    ...upTo,
    { suffix: '_bucket', labels: { ...found, le: '+Inf' }, value: count },
    { suffix: '_sum', labels: found, value: sum(values.map((value) => value.sum ?? 0)) },
    { suffix: '_count', labels: found, value: count },
  ]
}

/** The values of the points with the same labels. */
function byLabels<Value>(points: readonly DataPoint<Value>[]): [Record<string, string>, Value[]][] {
  const groups = new Map<string, [Record<string, string>, Value[]]>()
  for (const { attributes, value } of points) {
    const found = labelsOf(attributes)
    const key = JSON.stringify(Object.entries(found).toSorted())
    const group = groups.get(key)
    if (group) group[1].push(value)
    else groups.set(key, [found, [value]])
  }
  return [...groups.values()]
}

function labelsOf(attributes: Attributes): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      const label = labels[name]
      if (label === undefined || value === undefined) return []
      return [[label, name === 'http.route' ? routeClass(String(value)) : String(value)]]
    }),
  )
}

/** The pattern of a route without its parameters, such as `/api/v2/alerts`. */
function routeClass(pattern: string): string {
  if (!pattern.startsWith('/')) return pattern
  const fixed = pattern.split('/').filter((segment) => segment !== '' && !/[:*{]/.test(segment))
  return `/${fixed.join('/')}`
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
