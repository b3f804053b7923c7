/**
 * The slow way from an export request to rows, to compare the collector with: the library decodes the request to
 * objects, and each record becomes an object with the columns of its table.
 */
import { decode, type Message, type MessageName } from '../../collector/otlp/messages.ts'
import { wireFromJson } from '../../collector/otlp/otlpJson.ts'
import type { Signal } from '../../collector/signals.ts'
import { Batch, idText, resourceColumns, scopeColumns, timeWindow } from './modelBatch.ts'
import { modelMetrics } from './modelMetrics.ts'
import { modelTraces } from './modelTraces.ts'
import type { LogRow } from '../../telemetry/tableRows.ts'
import { tables } from '../../telemetry/tables.ts'
import { instantText } from './instants.ts'
import { attributeMap, valueText } from './attributeValues.ts'

/** The rows of a request in protobuf by table, and how many of its records are rejected, and why. */
export function modelRows(signal: Signal['name'], body: Uint8Array, now: number, retentionDays: number) {
  const batch = new Batch(timeWindow(now, retentionDays))
  if (signal === 'logs') modelLogs(decode('ExportLogsRequest', body), batch)
  else if (signal === 'traces') modelTraces(decode('ExportTraceRequest', body), batch)
  else modelMetrics(decode('ExportMetricsRequest', body), batch)
  return { tables: batch.take(), rejected: batch.rejected, errorMessage: batch.errorMessage }
}

/** A message in JSON as the library's object. */
export function decodeJson<N extends MessageName>(name: N, text: string): Message<N> {
  return decode(name, wireFromJson(name, text))
}

/** Converts log records to rows of otel_logs. */
function modelLogs(request: Message<'ExportLogsRequest'>, batch: Batch): void {
  const rows = batch.rowsOf(tables.logs)
  for (const { resource, scopeLogs, schemaUrl } of request.resourceLogs) {
    const resourceShared = resourceColumns(resource, schemaUrl)
    for (const { scope, logRecords, schemaUrl } of scopeLogs) {
      const shared = { ...resourceShared, ...scopeColumns(scope, schemaUrl) }
      for (const record of logRecords) batch.add(rows, () => logRow(record, shared, batch))
    }
  }
}

type Shared = ReturnType<typeof resourceColumns> & ReturnType<typeof scopeColumns>

function logRow(record: Message<'LogRecord'>, shared: Shared, batch: Batch): LogRow {
  return {
    Timestamp: instantText(batch.time(record.timeUnixNano, record.observedTimeUnixNano)),
    TraceId: idText(record.traceId, 16),
    SpanId: idText(record.spanId, 8),
    // The lowest eight bits are the W3C trace flags; the others are reserved.
    TraceFlags: record.flags & 0xff,
    SeverityText: record.severityText || severityName(record.severityNumber),
    SeverityNumber: severityInRange(record.severityNumber),
    ServiceName: shared.ServiceName,
    Body: valueText(record.body),
    ResourceSchemaUrl: shared.ResourceSchemaUrl,
    ResourceAttributes: shared.ResourceAttributes,
    ScopeSchemaUrl: shared.ScopeSchemaUrl,
    ScopeName: shared.ScopeName,
    ScopeVersion: shared.ScopeVersion,
    ScopeAttributes: shared.ScopeAttributes,
    LogAttributes: attributeMap(record.attributes),
    EventName: record.eventName,
  }
}

const severityNames = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']

/** The short name of a severity number without text; each name covers four numbers, from 1. */
function severityName(number: number): string {
  return severityNames[Math.floor((number - 1) / 4)] ?? ''
}

/** The column has eight bits; OTLP knows 1 to 24, and 0 for none. */
function severityInRange(number: number): number {
  return number >= 0 && number <= 255 ? number : 0
}
