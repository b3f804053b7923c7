/** Deletes sample records from the tables, and nothing else. */
import type { Engine } from '../telemetry/engine.ts'
import { telemetryTables } from '../telemetry/tables.ts'
import { sampleLabel } from './otlp.ts'
import type { Slice } from './shop.ts'

type Commands = Pick<Engine, 'command'>

const labelled = 'ResourceAttributes[{key:String}] = {value:String}'

/** Resolves when no sample record is left. */
export async function deleteSample(engine: Commands): Promise<void> {
  for (const table of telemetryTables) {
    await engine.command(`DELETE FROM ${table} WHERE ${labelled}`, { params: { ...sampleLabel } })
  }
}

/** Deletes what one slice has stored: records of its traces wherever they end, and the others by its time. */
export async function deleteSlice(engine: Commands, { start, end, tracePrefix }: Slice): Promise<void> {
  const range = { ...sampleLabel, start: start / 1000, end: end / 1000 }
  for (const table of telemetryTables) {
    const traced = table === 'otel_logs' || table === 'otel_traces'
    const time = traced ? 'Timestamp' : 'TimeUnix'
    const inTime = `toUnixTimestamp64Milli(toDateTime64(${time}, 3)) BETWEEN {start:Int64} AND {end:Int64}`
    const ofSlice = traced ? `(startsWith(TraceId, {tracePrefix:String}) OR (TraceId = '' AND ${inTime}))` : inTime
    const params = { ...range, tracePrefix }
    await engine.command(`DELETE FROM ${table} WHERE ${labelled} AND ${ofSlice}`, { params })
  }
}
