/** The incident of the sample that the tour of the console follows, with the trace of a payment that failed in it. */
import { setImmediate as turn } from 'node:timers/promises'
import { type Incident, incidentEvery, incidentOf, liveIncidentAt } from './rhythm.ts'
import { generateSlice, generateStep, sliceCount, stepLength } from './shop.ts'
import type { Labelled } from './otlpRequests.ts'

/** Times are milliseconds since 1970. */
export interface FollowedIncident extends Incident {
  /** The trace of the first payment that failed because no connection was free. */
  traceId: string
  failedAt: number
}

const hour = 3_600_000
/** Failed payments after which the alert has fired in any case. */
const enoughFailures = 5
/** Milliseconds after the end of an incident until the alert has evaluated all of it. */
const evaluationDelay = 20 * 60_000

/**
 * Finds it by generating their telemetry again, some milliseconds each.
 *
 * The newest incident of the last day with enough failed payments, or else the one before the sample was started. Null once
 * that one is more than seven days old.
 *
 * @param sentUntil until when the telemetry after `anchor` was sent
 */
export async function followedIncident(anchor: number, sentUntil: number): Promise<FollowedIncident | null> {
  for (let time = sentUntil; time > Math.max(anchor, sentUntil - 24 * hour); time -= incidentEvery) {
    const incident = liveIncidentAt(time, anchor)
    if (incident.end + evaluationDelay > sentUntil) continue
    // Other requests come in between.
    await turn()
    const failures = failedPayments(logsOf(incident, anchor))
    if (failures[0] && failures.length >= enoughFailures) return { ...incident, ...failures[0] }
  }
  const incident = incidentOf(anchor)
  if (sentUntil - incident.start > sliceCount * hour) return null
  const slice = (anchor - incident.start) / hour - 1
  const [first] = failedPayments(generateSlice(anchor, slice).logs)
  return first ? { ...incident, ...first } : null
}

/** The logs of an incident after the sample was started. */
function logsOf({ start, end }: Incident, anchor: number): Labelled<object>[] {
  const first = Math.ceil(start / stepLength)
  return Array.from({ length: Math.floor(end / stepLength) - first }, (_, at) => first + at).flatMap(
    (step) => generateStep(anchor, step * stepLength).logs,
  )
}

/** The first one first. */
function failedPayments(logs: readonly Labelled<object>[]): Pick<FollowedIncident, 'traceId' | 'failedAt'>[] {
  return logs
    .flatMap(({ record }) => {
      const { timeUnixNano, traceId, body } = record as {
        // as `logRecord` makes it
        timeUnixNano: string
        traceId?: string
        body: { stringValue: string }
      }
      if (!traceId || !body.stringValue.startsWith('no connection to the payment provider')) return []
      return [{ traceId, failedAt: Number(BigInt(timeUnixNano) / 1_000_000n) }]
    })
    .toSorted((a, b) => a.failedAt - b.failedAt)
}
