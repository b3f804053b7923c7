/**
 * Generates the telemetry of a small shop: the seven days before the sample was started, an hour at a time, newest hour first,
 * and what comes after them, ten seconds at a time.
 */
import type { Labelled } from './otlpRequests.ts'
import { type Random, createRandom } from './random.ts'
import { type Recording, type Severity, logRecord, play } from './recording.ts'
import { type Incident, incidentEvery, incidentOf, liveIncidentAt, trafficIn, troubleAt } from './rhythm.ts'
import { measure } from './shopMetrics.ts'
import { type Service, createVisit } from './visits.ts'

const minute = 60_000
const hour = 60 * minute

export const sliceCount = 7 * 24

export interface Slice {
  /** Milliseconds since 1970; records without a trace lie in [start, end). */
  start: number
  end: number
  /** The prefix of all trace IDs of this slice, and of no other. */
  tracePrefix: string
}

/** The time range of a slice. Slice 0 ends at `anchor`, when the sample was started. */
export function sliceAt(anchor: number, index: number): Slice {
  const end = anchor - index * hour
  return { start: end - hour, end, tracePrefix: `5a${index.toString(16).padStart(4, '0')}` }
}

export interface Telemetry {
  logs: Labelled<object>[]
  traces: Labelled<object>[]
  metrics: Labelled<object>[]
}

/** The telemetry of a slice: always the same for the same anchor and index. */
export function generateSlice(anchor: number, index: number): Telemetry {
  const { start, end, tracePrefix } = sliceAt(anchor, index)
  const random = createRandom(index + 1)
  const incident = incidentOf(anchor)
  const recording = visitsIn({ start, end, tracePrefix }, incident, random)
  recording.logs.push(...housekeeping(start, end, random), ...incidentLogs(start, end, incident))
  const metrics = measure(start, end, recording.requests, incident, random)
  return withIncidentVersion({ logs: recording.logs, traces: recording.spans, metrics }, incident, incidentVersion(0))
}

/** Milliseconds of a step of the sample that goes on. */
export const stepLength = 10_000
const liveTracePrefix = '5b'

/**
 * The telemetry of the ten seconds from a time on, after the sample was started: always the same for the same times. The last
 * step of a minute has the metrics of the minute.
 * @param start a multiple of `stepLength`
 */
export function generateStep(anchor: number, start: number): Telemetry {
  const incident = liveIncidentAt(start, anchor)
  const end = start + stepLength
  const { recording, random } = recordStep(start, incident)
  if (start % (5 * minute) === 0) recording.logs.push(...housekeeping(start, end, random))
  recording.logs.push(...incidentLogs(start, end, incident))
  const metrics = end % minute === 0 ? metricsOfMinute(end - minute, incident, random) : []
  const version = incidentVersion(1 + Math.floor((start - anchor) / incidentEvery))
  return withIncidentVersion({ logs: recording.logs, traces: recording.spans, metrics }, incident, version)
}

/** The release that brought an incident: each one is a version of its own, and is rolled back when the incident ends. */
const incidentVersion = (index: number): string => `4.3.${index}`

/** Reports of the payment service during an incident are of the release that brought it. */
function withIncidentVersion(telemetry: Telemetry, { start, end }: Incident, version: string): Telemetry {
  const label = (row: Labelled<object>): Labelled<object> => {
    if (row.service !== 'shop-payment') return row
    const time = timeOf(row.record)
    return time >= start && time < end ? { ...row, version } : row
  }
  const { logs, traces, metrics } = telemetry
  return { logs: logs.map(label), traces: traces.map(label), metrics: metrics.map(label) }
}

/** When a record began, milliseconds; a point of a metric is of the time before it. */
function timeOf(record: object): number {
  const { startTimeUnixNano, timeUnixNano, ...metric } = record as Timed // as `recording.ts` and `shopMetrics.ts` make them
  const own = startTimeUnixNano ?? timeUnixNano
  if (own !== undefined) return Number(BigInt(own) / 1_000_000n)
  const point = (metric.sum ?? metric.histogram ?? metric.gauge)?.dataPoints[0]
  return point ? Number(BigInt(point.timeUnixNano) / 1_000_000n) - 1 : 0
}

interface Timed {
  startTimeUnixNano?: string
  timeUnixNano?: string
  sum?: Points
  histogram?: Points
  gauge?: Points
}

interface Points {
  dataPoints: { timeUnixNano: string }[]
}

function recordStep(start: number, incident: Incident) {
  const random = createRandom(start / stepLength)
  const slice = { start, end: start + stepLength, tracePrefix: liveTracePrefix }
  return { recording: visitsIn(slice, incident, random), random }
}

/** A request that ends after the minute in which it began is counted in that minute. */
function metricsOfMinute(start: number, incident: Incident, random: Random): Labelled<object>[] {
  const end = start + minute
  const steps = Array.from({ length: minute / stepLength }, (_, at) => recordStep(start + at * stepLength, incident))
  const requests = steps.flatMap(({ recording }) => recording.requests)
  const counted = requests.map((request) => ({ ...request, end: Math.min(request.end, end - 1) }))
  return measure(start, end, counted, incident, random)
}

/** The visits that begin in a range, as they come by themselves. */
function visitsIn({ start, end, tracePrefix }: Slice, incident: Incident, random: Random): Recording {
  const recording: Recording = { spans: [], logs: [], requests: [] }
  for (let time = start; ;) {
    time += (-Math.log(1 - random.next()) / trafficIn(incident, time)) * minute
    if (time >= end) return recording
    const traceId = tracePrefix + random.hex(16).slice(tracePrefix.length)
    play(createVisit(random, troubleAt(time, incident)), time, { id: traceId, random, into: recording })
  }
}

/** Log records of services without requests, from every fifth minute. */
function housekeeping(start: number, end: number, random: Random): Labelled<object>[] {
  const logs: Labelled<object>[] = []
  const say = (time: number, service: Service, severity: Severity, text: string) =>
    logs.push({ service, record: logRecord({ time }, severity, text) })
  for (let time = start; time < end; time += 5 * minute) {
    const soon = time + random.next() * minute
    say(soon, 'shop-catalog', 'INFO', `stock synchronised with the warehouse: ${random.below(240)} changes`)
    say(soon + 900, 'shop-cart', 'DEBUG', `${random.below(40)} carts expired`)
    if (random.chance(0.2))
      say(soon + 2000, 'shop-shipping', 'WARN', `carrier tariff is ${2 + random.below(9)} hours old`)
  }
  return logs
}

/** The cause of the incident, logged just before it, and its end. */
function incidentLogs(start: number, end: number, incident: Incident): Labelled<object>[] {
  const changes = [
    { time: incident.start, text: 'configuration reloaded: provider.pool.size 50 -> 5', by: 'deploy/1847', to: 5 },
    { time: incident.end, text: 'configuration reloaded: provider.pool.size 5 -> 50', by: 'rollback/1848', to: 50 },
  ]
  return changes
    .filter(({ time }) => time >= start && time < end)
    .map(({ time, text, by, to }) => ({
      service: 'shop-payment',
      record: logRecord({ time }, 'WARN', text, { 'config.changed_by': by, 'pool.size': to }),
    }))
}
