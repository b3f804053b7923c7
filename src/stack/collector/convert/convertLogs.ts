/** Converts log records to rows of otel_logs. */
import { maps, nanoseconds, text, uint8 } from '../../telemetry/native/columns.ts'
import { tables } from '../../telemetry/tables.ts'
import { Fields } from '../otlp/fields.ts'
import { eachMessage, eachScope, recordsTag } from '../otlp/parts.ts'
import { tagsOf, type WireReader } from '../otlp/wireReader.ts'
import { AttributeList } from './attributes.ts'
import type { Batch } from './batch.ts'
import { writeShared } from './sharedColumns.ts'
import { writeValue } from './values.ts'

const columns = () => ({
  Timestamp: nanoseconds(),
  TraceId: text(),
  SpanId: text(),
  TraceFlags: uint8(),
  SeverityText: text(),
  SeverityNumber: uint8(),
  ServiceName: text(),
  Body: text(),
  ResourceSchemaUrl: text(),
  ResourceAttributes: maps(),
  ScopeSchemaUrl: text(),
  ScopeName: text(),
  ScopeVersion: text(),
  ScopeAttributes: maps(),
  LogAttributes: maps(),
  EventName: text(),
})
type LogColumns = ReturnType<typeof columns>

const tags = tagsOf('LogRecord')

export function convertLogs(wire: WireReader, batch: Batch): void {
  const rows = batch.rowsOf(tables.logs, columns)
  const record = new Fields(wire)
  const attributes = new AttributeList(wire)
  eachScope(wire, (scope, shared) => {
    const before = rows.count
    eachMessage(wire, scope, recordsTag, (start, end) => {
      record.read(start, end)
      if (!batch.readTime(wire, record, tags.timeUnixNano, tags.observedTimeUnixNano)) return
      writeRecord(rows.columns, wire, record, attributes)
      rows.count += 1
    })
    writeShared(rows.columns, wire, shared, attributes, rows.count - before)
  })
}

/** The time is in the reader. */
function writeRecord(columns: LogColumns, wire: WireReader, record: Fields, attributes: AttributeList): void {
  columns.Timestamp.data.uint64(wire.low, wire.high)
  record.writeId(tags.traceId, 16, columns.TraceId.data)
  record.writeId(tags.spanId, 8, columns.SpanId.data)
  // The lowest eight bits are the W3C trace flags; the others are reserved.
  columns.TraceFlags.data.uint8(record.fixed32(tags.flags) & 0xff)
  const severity = record.int32(tags.severityNumber)
  if (record.startOf(tags.severityText) < record.endOf(tags.severityText)) {
    record.writeText(tags.severityText, columns.SeverityText.data)
  } else columns.SeverityText.data.string(severityName(severity))
  columns.SeverityNumber.data.uint8(severityInRange(severity))
  writeValue(columns.Body.data, wire, record.startOf(tags.body), record.endOf(tags.body))
  attributes.writeRow(record, tags.attributes, columns.LogAttributes)
  record.writeText(tags.eventName, columns.EventName.data)
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
