/** Deletes the sample records from the tables. */
import type { Engine } from '../telemetry/engine/engine.ts'
import { tables } from '../telemetry/tables.ts'
import { sampleLabel } from './otlpRequests.ts'
import type { Slice } from './shop.ts'

type Commands = Pick<Engine, 'command'>

const labelled = 'ResourceAttributes[{key:String}] = {value:String}'

/** Resolves when no sample record is left. */
export async function deleteSample(engine: Commands): Promise<void> {
  for (const table of Object.values(tables)) {
    await engine.command(`DELETE FROM ${table} WHERE ${labelled}`, { params: { ...sampleLabel } })
  }
}

/** Deletes the records of one slice: records of its traces at any time, and the others by their time. */
export async function deleteSlice(engine: Commands, { start, end, tracePrefix }: Slice): Promise<void> {
  for (const table of Object.values(tables)) {
    const ofSlice = table === tables.logs || table === tables.traces ? inTraceOrTime : inMinutes
    const params = { ...sampleLabel, tracePrefix, start: Math.floor(start), end: Math.floor(end) }
    await engine.command(`DELETE FROM ${table} WHERE ${labelled} AND ${ofSlice}`, { params })
  }
}

const inTraceOrTime = `(startsWith(TraceId, {tracePrefix:String}) OR (TraceId = ''
  AND Timestamp >= fromUnixTimestamp64Milli({start:Int64}) AND Timestamp < fromUnixTimestamp64Milli({end:Int64})))`

/** A data point has the end time of its minute. */
const inMinutes = `toUnixTimestamp(TimeUnix) > intDiv({start:Int64}, 1000)
  AND toUnixTimestamp(TimeUnix) <= intDiv({end:Int64}, 1000)`
