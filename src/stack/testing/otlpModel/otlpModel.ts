/**
 * The slow way from an export request to rows, to compare the collector with: the library decodes the request to
 * objects, and each record becomes an object with the columns of its table.
 */
import { decode, type Message, type MessageName } from '../../collector/otlp/messages.ts'
import { wireFromJson } from '../../collector/otlp/otlpJson.ts'
import type { Signal } from '../../collector/signals.ts'
import { Batch, timeWindow } from './modelBatch.ts'
import { modelLogs } from './modelLogs.ts'
import { modelMetrics } from './modelMetrics.ts'
import { modelTraces } from './modelTraces.ts'

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
