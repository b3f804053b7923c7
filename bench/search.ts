/** Measures the cost of a search over its query to the engine. */
import { end, fillLogs, hour, rows } from './support/logs.ts'
import { compare, milliseconds, time, times, type Row } from './support/measure.ts'
import { withStack } from './support/stack.ts'

/** The newest rows as a person would write it, without the time of the sorting key. */
const question = `
SELECT Timestamp, ServiceName, SeverityText, Body
FROM otel_logs
WHERE Timestamp >= fromUnixTimestamp64Milli({start:Int64}) AND Timestamp <= fromUnixTimestamp64Milli({end:Int64})
ORDER BY Timestamp DESC LIMIT 100`

export function search(): Promise<Row[]> {
  return withStack(async ({ engine, post, sources }) => {
    await fillLogs(engine)
    const logs = (await sources()).find((source) => source.kind === 'log')
    const start = end - hour
    const request = {
      sourceId: logs?.id,
      startTime: new Date(start).toISOString(),
      endTime: new Date(end).toISOString(),
      maxResults: 100,
    }
    const ask = () => post('/api/v2/search', request)
    const cold = await time(ask)
    const { a, b, ratio } = await compare(ask, () => engine.query(question, { params: { start, end } }), 25)
    return [
      {
        what: `\`search\` over ${rows / 1e6} M log records, the newest 100 of the last hour, beside the engine's SQL; the first time`,
        result: `${milliseconds(a)} / ${milliseconds(b)} = ${times(ratio)}; ${milliseconds(cold)}`,
        aim: '1.1×',
      },
    ]
  })
}
