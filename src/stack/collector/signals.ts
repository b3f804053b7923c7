/** The three signals of OTLP: their paths, and how their requests are converted to rows. */
import Long from 'long'
import type { Batch } from './convert/batch.ts'
import { convertLogs } from './convert/convertLogs.ts'
import { convertMetrics } from './convert/convertMetrics.ts'
import { convertTraces } from './convert/convertTraces.ts'
import { decodeJson } from './otlp/otlpJson.ts'
import { decode, encode } from './otlp/messages.ts'
import type { Encoding } from './otlp/pieces.ts'
import type { RequestName } from './otlp/shapes.ts'

export type { Encoding }

export interface Signal {
  name: 'logs' | 'traces' | 'metrics'
  httpPath: string
  grpcPath: string
  request: RequestName
  /** Throws if the bytes are not such a request. */
  check(body: Buffer, encoding: Encoding): void
  /** Adds the rows of an encoded request to a batch. Throws if the bytes are not such a request. */
  read(body: Buffer, encoding: Encoding, batch: Batch): void
  /** The response's bytes. They are empty unless some records were rejected. */
  answer(batch: Batch, encoding: Encoding): Buffer
}

const logs: Signal = {
  name: 'logs',
  httpPath: '/v1/logs',
  grpcPath: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  request: 'ExportLogsRequest',
  check: (body, encoding) => void decodeRequest('ExportLogsRequest', body, encoding),
  read: (body, encoding, batch) => convertLogs(decodeRequest('ExportLogsRequest', body, encoding), batch),
  answer: (batch, encoding) =>
    answer(batch, encoding, 'rejectedLogRecords', (rejectedLogRecords, errorMessage) =>
      encode('ExportLogsResponse', { partialSuccess: { rejectedLogRecords, errorMessage } }),
    ),
}

const traces: Signal = {
  name: 'traces',
  httpPath: '/v1/traces',
  grpcPath: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  request: 'ExportTraceRequest',
  check: (body, encoding) => void decodeRequest('ExportTraceRequest', body, encoding),
  read: (body, encoding, batch) => convertTraces(decodeRequest('ExportTraceRequest', body, encoding), batch),
  answer: (batch, encoding) =>
    answer(batch, encoding, 'rejectedSpans', (rejectedSpans, errorMessage) =>
      encode('ExportTraceResponse', { partialSuccess: { rejectedSpans, errorMessage } }),
    ),
}

const metrics: Signal = {
  name: 'metrics',
  httpPath: '/v1/metrics',
  grpcPath: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  request: 'ExportMetricsRequest',
  check: (body, encoding) => void decodeRequest('ExportMetricsRequest', body, encoding),
  read: (body, encoding, batch) => convertMetrics(decodeRequest('ExportMetricsRequest', body, encoding), batch),
  answer: (batch, encoding) =>
    answer(batch, encoding, 'rejectedDataPoints', (rejectedDataPoints, errorMessage) =>
      encode('ExportMetricsResponse', { partialSuccess: { rejectedDataPoints, errorMessage } }),
    ),
}

export const signals: readonly Signal[] = [logs, traces, metrics]

function decodeRequest<N extends RequestName>(name: N, body: Buffer, encoding: Encoding) {
  return encoding === 'json' ? decodeJson(name, body.toString('utf8')) : decode(name, body)
}

function answer(
  { rejected, errorMessage }: Batch,
  encoding: Encoding,
  countField: string,
  toProtobuf: (rejected: Long, errorMessage: string) => Buffer,
): Buffer {
  if (encoding === 'protobuf') {
    return rejected === 0 ? Buffer.alloc(0) : toProtobuf(Long.fromNumber(rejected), errorMessage)
  }
  // 64-bit integers are text in the JSON of protobuf.
  const partialSuccess = { [countField]: String(rejected), errorMessage }
  return Buffer.from(JSON.stringify(rejected === 0 ? {} : { partialSuccess }))
}
