/** The metrics of the shop's services, one point per minute. */
import { groupBy, type Attributes, type Labelled, attributeList, nanos } from './otlpRequests.ts'
import type { Random } from './random.ts'
import type { ServedRequest } from './recording.ts'
import { type Incident, trafficAt, troubleAt } from './rhythm.ts'
import { services } from './visits.ts'

const minute = 60_000
const delta = 1
/** Seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Metrics of the minutes that start in [start, end). */
export function measure(
  start: number,
  end: number,
  requests: readonly ServedRequest[],
  incident: Incident,
  random: Random,
): Labelled<object>[] {
  const metrics: Labelled<object>[] = []
  const byMinute = groupBy(requests, (request) => Math.floor((request.end - start) / minute))
  for (let from = start; from < end; from += minute) {
    const served = byMinute.get((from - start) / minute) ?? []
    metrics.push(...requestMetrics(from, served), ...gauges(from + minute, incident, random))
  }
  return metrics
}

function requestMetrics(from: number, served: readonly ServedRequest[]): Labelled<object>[] {
  const groups = groupBy(served, ({ service, route, status }) => `${service} ${route} ${status}`)
  return [...groups.values()].flatMap((group) => {
    const { service, route, status } = group[0]
    const point = {
      startTimeUnixNano: nanos(from),
      timeUnixNano: nanos(from + minute),
      attributes: attributeList({ 'http.route': route, 'http.response.status_code': status }),
    }
    const count = String(group.length)
    const counter = { dataPoints: [{ ...point, asInt: count }], aggregationTemporality: delta, isMonotonic: true }
    const seconds = group.map(({ duration }) => duration / 1000)
    const histogram = { dataPoints: [{ ...point, ...distribution(seconds) }], aggregationTemporality: delta }
    return [
      { service, record: { name: 'http.server.requests', unit: '{request}', sum: counter } },
      { service, record: { name: 'http.server.request.duration', unit: 's', histogram } },
    ]
  })
}

function distribution(values: readonly number[]): object {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0)
  for (const value of values) {
    const bucket = bounds.findIndex((bound) => value <= bound)
    counts[bucket === -1 ? bounds.length : bucket]! += 1
  }
  return {
    count: String(values.length),
    sum: values.reduce((sum, value) => sum + value, 0),
    min: Math.min(...values),
    max: Math.max(...values),
    bucketCounts: counts.map(String),
    explicitBounds: bounds,
  }
}

function gauges(time: number, incident: Incident, random: Random): Labelled<object>[] {
  const load = trafficAt(time) / 20
  const own = services.flatMap((service, at) => [
    gauge(service, 'process.cpu.utilization', '1', time, 0.04 + load * (0.18 + 0.04 * at) + random.next() * 0.03),
    gauge(
      service,
      'process.memory.usage',
      'By',
      time,
      Math.round((180 + 35 * at + 40 * load + 8 * random.next()) * 2 ** 20),
    ),
  ])
  const trouble = troubleAt(time, incident)
  const size = trouble > 0 ? 5 : 50
  const inUse = trouble > 0 ? size : Math.round(load * 4 + random.next() * 2)
  return [
    ...own,
    gauge('shop-payment', 'provider.pool.connections', '{connection}', time, inUse, { 'pool.state': 'used' }),
    gauge('shop-payment', 'provider.pool.connections', '{connection}', time, size - inUse, { 'pool.state': 'idle' }),
  ]
}

function gauge(
  service: string,
  name: string,
  unit: string,
  time: number,
  value: number,
  attributes: Attributes = {},
): Labelled<object> {
  const number = Number.isInteger(value) ? { asInt: String(value) } : { asDouble: value }
  const dataPoints = [{ timeUnixNano: nanos(time), attributes: attributeList(attributes), ...number }]
  return { service, record: { name, unit, gauge: { dataPoints } } }
}
