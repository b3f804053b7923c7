/** Records visits over time: the telemetry that the services of the shop would report. */
import { type Attributes, type Labelled, attributeList, nanos } from './otlpRequests.ts'
import type { Random } from './random.ts'
import { type Operation, type Service, fails } from './visits.ts'

export interface ServedRequest {
  service: Service
  route: string
  status: number
  /** Milliseconds since 1970. */
  end: number
  /** Milliseconds. */
  duration: number
}

/** The telemetry of one time slice. */
export interface Recording {
  spans: Labelled<object>[]
  logs: Labelled<object>[]
  requests: ServedRequest[]
}

const spanKinds = { internal: 1, server: 2, client: 3 }
const severityNumbers = { DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17 }
export type Severity = keyof typeof severityNumbers

export interface Moment {
  time: number
  traceId?: string
  spanId?: string
}

export function logRecord(at: Moment, severity: Severity, text: string, attributes: Attributes = {}): object {
  return {
    timeUnixNano: nanos(at.time),
    observedTimeUnixNano: nanos(at.time),
    severityNumber: severityNumbers[severity],
    severityText: severity,
    body: { stringValue: text },
    attributes: attributeList(attributes),
    ...(at.traceId && { traceId: at.traceId, spanId: at.spanId }),
  }
}

interface Trace {
  id: string
  random: Random
  /** Collects the telemetry. */
  into: Recording
}

/** Runs an operation and the operations that it waits for, one after the other. @returns the end time */
export function play(operation: Operation, start: number, trace: Trace, parentSpanId = ''): number {
  const { id: traceId, random, into } = trace
  const { service, kind, own } = operation
  const spanId = random.hex(8)
  let time = start + own / 2
  for (const call of operation.calls) time = play(call, time, trace, spanId)
  const end = time + own / 2
  const moment = { time: end, traceId, spanId }
  const log = (severity: Severity, text: string, attributes?: Attributes) =>
    into.logs.push({ service, record: logRecord(moment, severity, text, attributes) })

  if (operation.failure) log('ERROR', operation.failure, operation.attributes)
  if (operation.says) log(operation.says.severity, operation.says.text, operation.says.attributes)
  if (kind === 'server') {
    const status = statusOf(operation)
    const access = `${operation.name} ${status} in ${Math.round(end - start)} ms`
    log(status < 500 ? 'INFO' : 'ERROR', access, { ...operation.attributes, 'http.response.status_code': status })
    into.requests.push({ service, route: operation.name, status, end, duration: end - start })
  }
  into.spans.push({ service, record: spanRecord(operation, { start, end, traceId, spanId, parentSpanId }) })
  return end
}

interface Played {
  start: number
  end: number
  traceId: string
  spanId: string
  parentSpanId: string
}

function spanRecord(operation: Operation, { start, end, traceId, spanId, parentSpanId }: Played): object {
  const failed = fails(operation)
  const status: Attributes = operation.kind === 'server' ? { 'http.response.status_code': statusOf(operation) } : {}
  return {
    traceId,
    spanId,
    ...(parentSpanId && { parentSpanId }),
    name: operation.name,
    kind: spanKinds[operation.kind],
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(end),
    attributes: attributeList({ ...operation.attributes, ...status }),
    status: failed ? { code: 2, message: operation.failure ?? '' } : {},
    ...(operation.failure && { events: [exceptionEvent(operation.failure, end)] }),
  }
}

function exceptionEvent(message: string, time: number): object {
  return { timeUnixNano: nanos(time), name: 'exception', attributes: attributeList({ 'exception.message': message }) }
}

/** 500 for an own error, 503 if something inside was unavailable, 502 if another service failed. */
function statusOf(operation: Operation): number {
  if (operation.failure) return 500
  const broken = operation.calls.find(fails)
  if (!broken) return operation.attributes['http.request.method'] === 'POST' ? 201 : 200
  return broken.kind === 'internal' ? 503 : 502
}
