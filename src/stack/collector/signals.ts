/** The three signals of OTLP: their paths, and how their requests are converted to rows. */
import Long from 'long'
import type { Batch } from './convert/batch.ts'
import { convertLogs } from './convert/convertLogs.ts'
import { convertMetrics } from './convert/convertMetrics.ts'
import { convertTraces } from './convert/convertTraces.ts'
import { wireFromJson } from './otlp/otlpJson.ts'
import { encode } from './otlp/messages.ts'
import type { Encoding } from './otlp/pieces.ts'
import type { RequestName } from './otlp/shapes.ts'
import { WireReader } from './otlp/wireReader.ts'

export type { Encoding }

export interface Signal {
  name: 'logs' | 'traces' | 'metrics'
  httpPath: string
  grpcPath: string
  request: RequestName
  /** Adds the rows of an encoded request to a batch. Throws if the bytes are not such a request. */
  read(body: Buffer, encoding: Encoding, batch: Batch): void
  /** The response's bytes. They are empty unless some records were rejected. */
  encodeResponse(batch: Batch, encoding: Encoding): Buffer
}

const logs: Signal = {
  name: 'logs',
  httpPath: '/v1/logs',
  grpcPath: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  request: 'ExportLogsRequest',
  read: (body, encoding, batch) => convertLogs(readerOf('ExportLogsRequest', body, encoding), batch),
  encodeResponse: (batch, encoding) =>
    encodeResponse(batch, encoding, 'rejectedLogRecords', (rejectedLogRecords, errorMessage) =>
      encode('ExportLogsResponse', { partialSuccess: { rejectedLogRecords, errorMessage } }),
    ),
}

const traces: Signal = {
  name: 'traces',
  httpPath: '/v1/traces',
  grpcPath: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  request: 'ExportTraceRequest',
  read: (body, encoding, batch) => convertTraces(readerOf('ExportTraceRequest', body, encoding), batch),
  encodeResponse: (batch, encoding) =>
    encodeResponse(batch, encoding, 'rejectedSpans', (rejectedSpans, errorMessage) =>
      encode('ExportTraceResponse', { partialSuccess: { rejectedSpans, errorMessage } }),
    ),
}

const metrics: Signal = {
  name: 'metrics',
  httpPath: '/v1/metrics',
  grpcPath: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  request: 'ExportMetricsRequest',
  read: (body, encoding, batch) => convertMetrics(readerOf('ExportMetricsRequest', body, encoding), batch),
  encodeResponse: (batch, encoding) =>
    encodeResponse(batch, encoding, 'rejectedDataPoints', (rejectedDataPoints, errorMessage) =>
      encode('ExportMetricsResponse', { partialSuccess: { rejectedDataPoints, errorMessage } }),
    ),
}

export const signals: readonly Signal[] = [logs, traces, metrics]

/** Requests in JSON are read from the wire format too, so that there is one way from a request to the tables. */
function readerOf(name: RequestName, body: Buffer, encoding: Encoding): WireReader {
  return new WireReader(encoding === 'json' ? wireFromJson(name, body) : body)
}

function encodeResponse(
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
