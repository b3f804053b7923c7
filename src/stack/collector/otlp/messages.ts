/**
 * The messages of OTLP 1 (and of google.rpc for errors) that the collector reads or writes: field name, type, number.
 * One table gives the TypeScript types, the protobuf codec and the plan of the JSON reader.
 * Unused fields are omitted; both readers skip unknown fields.
 */
import type Long from 'long'
import protobuf from 'protobufjs'

const severities = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']

const enums = {
  SeverityNumber: [
    'SEVERITY_NUMBER_UNSPECIFIED',
    ...severities.flatMap((name) => ['', '2', '3', '4'].map((step) => `SEVERITY_NUMBER_${name}${step}`)),
  ],
  SpanKind: ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map((kind) => `SPAN_KIND_${kind}`),
  StatusCode: ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'],
  Temporality: ['UNSPECIFIED', 'DELTA', 'CUMULATIVE'].map((kind) => `AGGREGATION_TEMPORALITY_${kind}`),
}

const request = {
  ExportLogsRequest: { resourceLogs: 'repeated ResourceLogs 1' },
  ExportTraceRequest: { resourceSpans: 'repeated ResourceSpans 1' },
  ExportMetricsRequest: { resourceMetrics: 'repeated ResourceMetrics 1' },
} as const

const common = {
  AnyValue: {
    stringValue: 'string 1',
    boolValue: 'bool 2',
    intValue: 'int64 3',
    doubleValue: 'double 4',
    arrayValue: 'ArrayValue 5',
    kvlistValue: 'KeyValueList 6',
    bytesValue: 'bytes 7',
  },
  ArrayValue: { values: 'repeated AnyValue 1' },
  KeyValueList: { values: 'repeated KeyValue 1' },
  KeyValue: { key: 'string 1', value: 'AnyValue 2' },
  Resource: { attributes: 'repeated KeyValue 1' },
  Scope: {
    name: 'string 1',
    version: 'string 2',
    attributes: 'repeated KeyValue 3',
    droppedAttributesCount: 'uint32 4',
  },
} as const

const logs = {
  ResourceLogs: { resource: 'Resource 1', scopeLogs: 'repeated ScopeLogs 2', schemaUrl: 'string 3' },
  ScopeLogs: { scope: 'Scope 1', logRecords: 'repeated LogRecord 2', schemaUrl: 'string 3' },
  LogRecord: {
    timeUnixNano: 'fixed64 1',
    observedTimeUnixNano: 'fixed64 11',
    severityNumber: 'SeverityNumber 2',
    severityText: 'string 3',
    body: 'AnyValue 5',
    attributes: 'repeated KeyValue 6',
    flags: 'fixed32 8',
    traceId: 'bytes 9',
    spanId: 'bytes 10',
    eventName: 'string 12',
  },
} as const

const traces = {
  ResourceSpans: { resource: 'Resource 1', scopeSpans: 'repeated ScopeSpans 2', schemaUrl: 'string 3' },
  ScopeSpans: { scope: 'Scope 1', spans: 'repeated Span 2', schemaUrl: 'string 3' },
  Span: {
    traceId: 'bytes 1',
    spanId: 'bytes 2',
    traceState: 'string 3',
    parentSpanId: 'bytes 4',
    name: 'string 5',
    kind: 'SpanKind 6',
    startTimeUnixNano: 'fixed64 7',
    endTimeUnixNano: 'fixed64 8',
    attributes: 'repeated KeyValue 9',
    events: 'repeated SpanEvent 11',
    links: 'repeated SpanLink 13',
    status: 'SpanStatus 15',
  },
  SpanEvent: { timeUnixNano: 'fixed64 1', name: 'string 2', attributes: 'repeated KeyValue 3' },
  SpanLink: { traceId: 'bytes 1', spanId: 'bytes 2', traceState: 'string 3', attributes: 'repeated KeyValue 4' },
  SpanStatus: { message: 'string 2', code: 'StatusCode 3' },
} as const

const metrics = {
  ResourceMetrics: { resource: 'Resource 1', scopeMetrics: 'repeated ScopeMetrics 2', schemaUrl: 'string 3' },
  ScopeMetrics: { scope: 'Scope 1', metrics: 'repeated Metric 2', schemaUrl: 'string 3' },
  Metric: {
    name: 'string 1',
    description: 'string 2',
    unit: 'string 3',
    gauge: 'Gauge 5',
    sum: 'Sum 7',
    histogram: 'Histogram 9',
    exponentialHistogram: 'ExponentialHistogram 10',
    summary: 'Summary 11',
  },
  Gauge: { dataPoints: 'repeated NumberPoint 1' },
  Sum: { dataPoints: 'repeated NumberPoint 1', aggregationTemporality: 'Temporality 2', isMonotonic: 'bool 3' },
  Histogram: { dataPoints: 'repeated HistogramPoint 1', aggregationTemporality: 'Temporality 2' },
  ExponentialHistogram: { dataPoints: 'repeated ExponentialPoint 1', aggregationTemporality: 'Temporality 2' },
  Summary: { dataPoints: 'repeated SummaryPoint 1' },
  NumberPoint: {
    attributes: 'repeated KeyValue 7',
    startTimeUnixNano: 'fixed64 2',
    timeUnixNano: 'fixed64 3',
    asDouble: 'double 4',
    asInt: 'sfixed64 6',
    exemplars: 'repeated Exemplar 5',
    flags: 'uint32 8',
  },
  HistogramPoint: {
    attributes: 'repeated KeyValue 9',
    startTimeUnixNano: 'fixed64 2',
    timeUnixNano: 'fixed64 3',
    count: 'fixed64 4',
    sum: 'double 5',
    bucketCounts: 'repeated fixed64 6',
    explicitBounds: 'repeated double 7',
    exemplars: 'repeated Exemplar 8',
    flags: 'uint32 10',
    min: 'double 11',
    max: 'double 12',
  },
  ExponentialPoint: {
    attributes: 'repeated KeyValue 1',
    startTimeUnixNano: 'fixed64 2',
    timeUnixNano: 'fixed64 3',
    count: 'fixed64 4',
    sum: 'double 5',
    scale: 'sint32 6',
    zeroCount: 'fixed64 7',
    positive: 'ExponentialBuckets 8',
    negative: 'ExponentialBuckets 9',
    flags: 'uint32 10',
    exemplars: 'repeated Exemplar 11',
    min: 'double 12',
    max: 'double 13',
  },
  ExponentialBuckets: { offset: 'sint32 1', bucketCounts: 'repeated uint64 2' },
  SummaryPoint: {
    attributes: 'repeated KeyValue 7',
    startTimeUnixNano: 'fixed64 2',
    timeUnixNano: 'fixed64 3',
    count: 'fixed64 4',
    sum: 'double 5',
    quantileValues: 'repeated QuantileValue 6',
    flags: 'uint32 8',
  },
  QuantileValue: { quantile: 'double 1', value: 'double 2' },
  Exemplar: {
    filteredAttributes: 'repeated KeyValue 7',
    timeUnixNano: 'fixed64 2',
    asDouble: 'double 3',
    asInt: 'sfixed64 6',
    spanId: 'bytes 4',
    traceId: 'bytes 5',
  },
} as const

const answers = {
  ExportLogsResponse: { partialSuccess: 'LogsPartialSuccess 1' },
  ExportTraceResponse: { partialSuccess: 'TracePartialSuccess 1' },
  ExportMetricsResponse: { partialSuccess: 'MetricsPartialSuccess 1' },
  LogsPartialSuccess: { rejectedLogRecords: 'int64 1', errorMessage: 'string 2' },
  TracePartialSuccess: { rejectedSpans: 'int64 1', errorMessage: 'string 2' },
  MetricsPartialSuccess: { rejectedDataPoints: 'int64 1', errorMessage: 'string 2' },
  RpcStatus: { code: 'int32 1', message: 'string 2', details: 'repeated Any 3' },
  Any: { typeUrl: 'string 1', value: 'bytes 2' },
  RetryInfo: { retryDelay: 'Duration 1' },
  Duration: { seconds: 'int64 1', nanos: 'int32 2' },
} as const

export const messageTable = { ...request, ...common, ...logs, ...traces, ...metrics, ...answers }
type Table = typeof messageTable

interface Scalars {
  string: string
  bool: boolean
  int32: number
  uint32: number
  sint32: number
  fixed32: number
  int64: Long
  uint64: Long
  fixed64: Long
  sfixed64: Long
  double: number
  bytes: Uint8Array
}

type Value<T> = T extends keyof Scalars
  ? Scalars[T]
  : T extends keyof typeof enums
    ? number
    : T extends MessageName
      ? Message<T>
      : never
type FieldValue<S> = S extends `repeated ${infer T} ${number}`
  ? readonly Value<T>[]
  : S extends `${infer T} ${number}`
    ? T extends MessageName
      ? Message<T> | null
      : Value<T>
    : never

export type MessageName = keyof Table
/** A decoded message. An absent field reads as its default (zero, empty, null for a message): ask `has` where that matters. */
export type Message<N extends MessageName> = { readonly [F in keyof Table[N]]: FieldValue<Table[N][F]> }

/** A field as declared in the table. An enumeration is encoded as a number; `labels` are its names in JSON. */
export interface FieldPlan {
  name: string
  number: number
  type: keyof Scalars | MessageName
  repeated: boolean
  labels?: readonly string[]
}

const types = new Map<MessageName, protobuf.Type>()
const root = new protobuf.Root()
// Object.keys loses the type of the keys, which are those of the table.
for (const name of Object.keys(messageTable) as MessageName[]) {
  const type = new protobuf.Type(name)
  for (const field of fieldsOf(name)) {
    type.add(new protobuf.Field(field.name, field.number, field.type, field.repeated ? 'repeated' : undefined))
  }
  root.add(type)
  types.set(name, type)
}
root.resolveAll()

function typeOf(name: MessageName): protobuf.Type {
  const type = types.get(name)
  if (!type) throw new TypeError(`${name} is not in the table`)
  return type
}

/** The fields of a message, in the order of the table. */
export function fieldsOf(name: MessageName): FieldPlan[] {
  return Object.entries(messageTable[name]).map(([field, declaration]: [string, string]) => {
    const words = declaration.split(' ')
    const [type = '', number] = words.slice(-2)
    const labels = isEnum(type) ? enums[type] : undefined
    return {
      name: field,
      number: Number(number),
      // `Value` above rejects every other type when a reader is compiled.
      type: (labels ? 'int32' : type) as FieldPlan['type'],
      repeated: words.length === 3,
      ...(labels && { labels }),
    }
  })
}

/** Reads the wire format. Throws if the bytes are not such a message. */
export function decode<N extends MessageName>(name: N, bytes: Uint8Array): Message<N> {
  const reader = protobuf.Reader.create(bytes)
  reader.discardUnknown = true
  // The reflected type was built from the table that `Message` is derived from.
  return typeOf(name).decode(reader) as unknown as Message<N>
}

/** Writes the wire format, with the given fields only. */
export function encode<N extends MessageName>(name: N, message: Partial<Message<N>>): Buffer {
  return Buffer.from(typeOf(name).encode(message).finish())
}

/** Whether the sender set a field: distinguishes a set 0 from a missing field, and the members of a `oneof`. */
export function has<M extends object>(message: M, field: keyof M): boolean {
  return Object.hasOwn(message, field)
}

function isEnum(type: string): type is keyof typeof enums {
  return type in enums
}
