/** Converts spans to rows of otel_traces. */
import Long from 'long'
import type { SpanRow } from '../../telemetry/tableRows.ts'
import { tables } from '../../telemetry/tables.ts'
import type { Message } from '../../collector/otlp/messages.ts'
import { instant, instantText } from './instants.ts'
import { attributeMap } from './attributeValues.ts'
import { type Batch, idText, resourceColumns, scopeColumns, Unstorable } from './modelBatch.ts'

const kinds = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer']
const statusCodes = ['Unset', 'Ok', 'Error']

export function modelTraces(request: Message<'ExportTraceRequest'>, batch: Batch): void {
  const rows = batch.rowsOf(tables.traces)
  for (const { resource, scopeSpans, schemaUrl } of request.resourceSpans) {
    const { ServiceName, ResourceAttributes } = resourceColumns(resource, schemaUrl)
    for (const { scope, spans, schemaUrl } of scopeSpans) {
      const { ScopeName, ScopeVersion } = scopeColumns(scope, schemaUrl)
      const shared = { ServiceName, ResourceAttributes, ScopeName, ScopeVersion }
      for (const span of spans) batch.add(rows, () => spanRow(span, shared, batch))
    }
  }
}

type Shared = Pick<SpanRow, 'ServiceName' | 'ResourceAttributes' | 'ScopeName' | 'ScopeVersion'>

function spanRow(span: Message<'Span'>, shared: Shared, batch: Batch): SpanRow {
  const { events, links, status, startTimeUnixNano: start, endTimeUnixNano: end } = span
  const TraceId = idText(span.traceId, 16)
  const SpanId = idText(span.spanId, 8)
  if (!TraceId) throw new Unstorable('span without a valid trace ID')
  if (!SpanId) throw new Unstorable('span without a valid span ID')
  if (start.isZero()) throw new Unstorable('span without a start time')
  return {
    Timestamp: instantText(batch.time(start)),
    TraceId,
    SpanId,
    ParentSpanId: idText(span.parentSpanId, 8),
    TraceState: span.traceState,
    SpanName: span.name,
    SpanKind: kinds[span.kind] ?? 'Unspecified',
    ServiceName: shared.ServiceName,
    ResourceAttributes: shared.ResourceAttributes,
    ScopeName: shared.ScopeName,
    ScopeVersion: shared.ScopeVersion,
    SpanAttributes: attributeMap(span.attributes),
    Duration: duration(start, end),
    StatusCode: statusCodes[status?.code ?? 0] ?? 'Unset',
    StatusMessage: status?.message ?? '',
    'Events.Timestamp': events.map((event) => eventTime(event.timeUnixNano)),
    'Events.Name': events.map((event) => event.name),
    'Events.Attributes': events.map((event) => attributeMap(event.attributes)),
    'Links.TraceId': links.map((link) => idText(link.traceId, 16)),
    'Links.SpanId': links.map((link) => idText(link.spanId, 8)),
    'Links.TraceState': links.map((link) => link.traceState),
    'Links.Attributes': links.map((link) => attributeMap(link.attributes)),
  }
}

/** Nanoseconds. Zero if a clock was set back between start and end, or the span has no end. */
function duration(start: Long, end: Long): string {
  return (end.lessThan(start) ? Long.UZERO : end.subtract(start)).toString()
}

/** The column ends in 2262; a later time counts as none. */
function eventTime(time: Long): string {
  return instantText(time.toSigned().isNegative() ? { seconds: 0, nanos: 0 } : instant(time))
}
