/** Measures the cost of the chart endpoint over its query to the engine. */
import { compare, milliseconds, times, type Row } from './measure.ts'
import { withStack } from './stack.ts'

const rows = 10_000_000
const hour = 3_600_000
const end = Math.floor(Date.now() / hour) * hour
const start = end - 7 * 24 * hour

/** Seven days of log records over twelve services. */
export const fillLogs = `
INSERT INTO otel_logs (Timestamp, ServiceName, SeverityText, Body)
SELECT
  fromUnixTimestamp64Milli(toInt64({start:Int64} + intDiv(number * {length:Int64}, {rows:Int64}))),
  concat('service-', toString(cityHash64(number) % 12)),
  if(cityHash64(number, 1) % 50 = 0, 'ERROR', 'INFO'),
  concat('request ', toString(number % 1000))
FROM numbers({rows:UInt64})`

/** The same query as the request below, as section 10.6 of the reference has it. */
const question = `
SELECT count() AS value, ServiceName, toStartOfInterval(toDateTime(Timestamp), INTERVAL 1 hour) AS bucket
FROM otel_logs
WHERE Timestamp >= fromUnixTimestamp64Milli({start:Int64}) AND Timestamp <= fromUnixTimestamp64Milli({end:Int64})
GROUP BY ServiceName, bucket ORDER BY bucket`

export function series(): Promise<Row[]> {
  return withStack(async ({ engine, post, sources }) => {
    await engine.command(fillLogs, { params: { start, length: end - start, rows } })
    const logs = (await sources()).find((source) => source.kind === 'log')
    const request = {
      startTime: start,
      endTime: end,
      granularity: '1h',
      series: [{ sourceId: logs?.id, aggFn: 'count', where: '', groupBy: ['ServiceName'] }],
    }
    const { a, b, ratio } = await compare(
      () => post('/api/v2/charts/series', request),
      () => engine.query(question, { params: { start, end } }),
      15,
    )
    return [
      {
        what: `\`charts/series\` over ${rows / 1e6} M log records, hourly count by service for 7 days, beside the same SQL in the engine`,
        result: `${milliseconds(a)} / ${milliseconds(b)} = ${times(ratio)}`,
        aim: 'at most 1.1×',
      },
    ]
  })
}
