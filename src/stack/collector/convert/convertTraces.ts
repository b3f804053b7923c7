/** Converts spans to rows of otel_traces. */
import { lists, maps, nanoseconds, text, uint64 } from '../../telemetry/native/columns.ts'
import { tables } from '../../telemetry/tables.ts'
import { Fields } from '../otlp/fields.ts'
import { eachMessage, eachScope, recordsTag } from '../otlp/parts.ts'
import { tagsOf, type WireReader } from '../otlp/wireReader.ts'
import { AttributeList } from './attributes.ts'
import type { Batch } from './batch.ts'
import { writeShared } from './sharedColumns.ts'

const columns = () => ({
  Timestamp: nanoseconds(),
  TraceId: text(),
  SpanId: text(),
  ParentSpanId: text(),
  TraceState: text(),
  SpanName: text(),
  SpanKind: text(),
  ServiceName: text(),
  ResourceAttributes: maps(),
  ScopeName: text(),
  ScopeVersion: text(),
  SpanAttributes: maps(),
  Duration: uint64(),
  StatusCode: text(),
  StatusMessage: text(),
  'Events.Timestamp': lists(nanoseconds()),
  'Events.Name': lists(text()),
  'Events.Attributes': lists(maps()),
  'Links.TraceId': lists(text()),
  'Links.SpanId': lists(text()),
  'Links.TraceState': lists(text()),
  'Links.Attributes': lists(maps()),
})
type SpanColumns = ReturnType<typeof columns>

const tags = tagsOf('Span')
const statusTags = tagsOf('SpanStatus')
const eventTags = tagsOf('SpanEvent')
const linkTags = tagsOf('SpanLink')

const kinds = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer']
const statusCodes = ['Unset', 'Ok', 'Error']

/** The readers of one request. */
interface Readers {
  wire: WireReader
  /** The fields of the span, and those of a message in it. */
  span: Fields
  inner: Fields
  attributes: AttributeList
}

export function convertTraces(wire: WireReader, batch: Batch): void {
  const rows = batch.rowsOf(tables.traces, columns)
  const readers = { wire, span: new Fields(wire), inner: new Fields(wire), attributes: new AttributeList(wire) }
  const { span, attributes } = readers
  eachScope(wire, (scope, shared) => {
    const before = rows.count
    eachMessage(wire, scope, recordsTag, (start, end) => {
      span.read(start, end)
      const reason = reasonAgainst(span)
      if (reason) return batch.reject(reason)
      if (!batch.readTime(wire, span, tags.startTimeUnixNano)) return
      writeSpan(rows.columns, readers)
      rows.count += 1
    })
    writeShared(rows.columns, wire, shared, attributes, rows.count - before)
  })
}

function reasonAgainst(span: Fields): string | undefined {
  if (!span.hasId(tags.traceId, 16)) return 'span without a valid trace ID'
  if (!span.hasId(tags.spanId, 8)) return 'span without a valid span ID'
  return span.fixed64(tags.startTimeUnixNano) ? undefined : 'span without a start time'
}

/** The start time is in the reader. */
function writeSpan(columns: SpanColumns, readers: Readers): void {
  const { wire, span, inner, attributes } = readers
  columns.Timestamp.data.uint64(wire.low, wire.high)
  writeDuration(columns, readers)
  span.writeId(tags.traceId, 16, columns.TraceId.data)
  span.writeId(tags.spanId, 8, columns.SpanId.data)
  span.writeId(tags.parentSpanId, 8, columns.ParentSpanId.data)
  span.writeText(tags.traceState, columns.TraceState.data)
  span.writeText(tags.name, columns.SpanName.data)
  columns.SpanKind.data.string(kinds[span.int32(tags.kind)] ?? 'Unspecified')
  attributes.writeRow(span, tags.attributes, columns.SpanAttributes)
  inner.read(span.startOf(tags.status), span.endOf(tags.status))
  columns.StatusCode.data.string(statusCodes[inner.int32(statusTags.code)] ?? 'Unset')
  inner.writeText(statusTags.message, columns.StatusMessage.data)
  writeEvents(columns, readers)
  writeLinks(columns, readers)
}

/** In nanoseconds. Zero if a clock was set back between start and end, or the span has no end. */
function writeDuration({ Duration }: SpanColumns, { wire, span }: Readers): void {
  const { low: startLow, high: startHigh } = wire
  span.fixed64(tags.endTimeUnixNano)
  const low = wire.low - startLow
  const high = wire.high - startHigh - (low < 0 ? 1 : 0)
  if (high < 0) Duration.data.uint64(0, 0)
  else Duration.data.uint64(low, high)
}

function writeEvents(columns: SpanColumns, { wire, span, inner, attributes }: Readers): void {
  const { 'Events.Timestamp': times, 'Events.Name': names, 'Events.Attributes': maps } = columns
  let count = 0
  if (span.has(tags.events)) {
    eachMessage(wire, span, tags.events, (start, end) => {
      inner.read(start, end)
      // The column ends in 2262; a later time counts as none.
      inner.fixed64(eventTags.timeUnixNano)
      if (wire.high < 0x8000_0000) times.items.data.uint64(wire.low, wire.high)
      else times.items.data.uint64(0, 0)
      inner.writeText(eventTags.name, names.items.data)
      attributes.writeRow(inner, eventTags.attributes, maps.items)
      count += 1
    })
  }
  for (const column of [times, names, maps]) column.endRow(count)
}

function writeLinks(columns: SpanColumns, { wire, span, inner, attributes }: Readers): void {
  const { 'Links.TraceId': traceIds, 'Links.SpanId': spanIds } = columns
  const { 'Links.TraceState': states, 'Links.Attributes': maps } = columns
  let count = 0
  if (span.has(tags.links)) {
    eachMessage(wire, span, tags.links, (start, end) => {
      inner.read(start, end)
      inner.writeId(linkTags.traceId, 16, traceIds.items.data)
      inner.writeId(linkTags.spanId, 8, spanIds.items.data)
      inner.writeText(linkTags.traceState, states.items.data)
      attributes.writeRow(inner, linkTags.attributes, maps.items)
      count += 1
    })
  }
  for (const column of [traceIds, spanIds, states, maps]) column.endRow(count)
}
