/** The log records of the benches that query the engine: seven days over twelve services. */
import type { Engine } from '#stack/telemetry/engine/engine.ts'

export const rows = 10_000_000
export const hour = 3_600_000
export const end = Math.floor(Date.now() / hour) * hour
export const start = end - 7 * 24 * hour

const fill = `
INSERT INTO otel_logs (Timestamp, ServiceName, SeverityText, Body)
SELECT
  fromUnixTimestamp64Milli(toInt64({start:Int64} + intDiv(number * {length:Int64}, {rows:Int64}))),
  concat('service-', toString(cityHash64(number) % 12)),
  if(cityHash64(number, 1) % 50 = 0, 'ERROR', 'INFO'),
  concat('request ', toString(number % 1000))
FROM numbers({rows:UInt64})`

/** @param until epoch milliseconds after the last record */
export function fillLogs(engine: Pick<Engine, 'command'>, until = end): Promise<void> {
  return engine.command(fill, { params: { start: until - (end - start), length: end - start, rows } })
}
