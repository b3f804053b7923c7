/** Measures the cost of the chart endpoint over its query to the engine. */
import { end, fillLogs, rows, start } from './support/logs.ts'
import { compare, milliseconds, times, type Row } from './support/measure.ts'
import { withStack } from './support/stack.ts'

/** The statement of the request below, as docs/DEPLOYMENTS.md#chart-series has it. */
const question = `
SELECT count() AS value, ServiceName, toStartOfInterval(toDateTime(Timestamp), INTERVAL 1 hour) AS bucket
FROM otel_logs
WHERE Timestamp >= fromUnixTimestamp64Milli({start:Int64}) AND Timestamp <= fromUnixTimestamp64Milli({end:Int64})
GROUP BY ServiceName, bucket ORDER BY bucket`

export function series(): Promise<Row[]> {
  return withStack(async ({ engine, post, sources }) => {
    await fillLogs(engine)
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
        what: `\`charts/series\` over ${rows / 1e6} M log records, hourly count by service for 7 days, beside the engine's SQL`,
        result: `${milliseconds(a)} / ${milliseconds(b)} = ${times(ratio)}`,
        aim: '1.1×',
      },
    ]
  })
}
