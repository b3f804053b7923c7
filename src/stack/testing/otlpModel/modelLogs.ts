/** Converts log records to rows of otel_logs. */
import type { LogRow } from '../../telemetry/tableRows.ts'
import { tables } from '../../telemetry/tables.ts'
import type { Message } from '../../collector/otlp/messages.ts'
import { instantText } from './instants.ts'
import { attributeMap, valueText } from './attributeValues.ts'
import { type Batch, idText, resourceColumns, scopeColumns } from './modelBatch.ts'

export function modelLogs(request: Message<'ExportLogsRequest'>, batch: Batch): void {
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
