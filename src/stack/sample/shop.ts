/** Generates seven days of a small shop, an hour at a time, newest hour first. */
import type { Labelled } from './otlpRequests.ts'
import { type Random, createRandom } from './random.ts'
import { type Recording, type Severity, logRecord, play } from './recording.ts'
import { type Incident, incidentOf, trafficAt, troubleAt } from './rhythm.ts'
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
  const recording: Recording = { spans: [], logs: [], requests: [] }
  for (let time = start; ;) {
    time += (-Math.log(1 - random.next()) / trafficAt(time)) * minute
    if (time >= end) break
    const traceId = tracePrefix + random.hex(16).slice(tracePrefix.length)
    play(createVisit(random, troubleAt(time, incident)), time, traceId, random, recording)
  }
  recording.logs.push(...housekeeping(start, end, random), ...incidentLogs(start, end, incident))
  return {
    logs: recording.logs,
    traces: recording.spans,
    metrics: measure(start, end, recording.requests, incident, random),
  }
}

/** Log records of services without requests. */
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
