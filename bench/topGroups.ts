/** Measures charts by fields with many values: the largest groups with all others as one, beside the same chart without groups. */
import { end, hour } from './support/logs.ts'
import { median, milliseconds, times, type Row } from './support/measure.ts'
import { withStack, type BenchStack } from './support/stack.ts'

const rows = 10_000_000
const start = end - 28 * 24 * hour

/** Four weeks of records. Of the fields, the first values are the commonest by far. */
const fill = `
INSERT INTO otel_logs (Timestamp, ServiceName, Body, TraceId, SeverityNumber)
SELECT
  fromUnixTimestamp64Milli(toInt64({start:Int64} + intDiv(number * {length:Int64}, {rows:Int64}))),
  concat('service-', toString(cityHash64(number) % 12)),
  concat('route-', toString(toUInt32(10000 * pow(cityHash64(number, 1) % 1000000 / 1e6, 3)))),
  concat('user-', toString(toUInt32(1000000 * pow(cityHash64(number, 2) % 10000000 / 1e7, 2)))),
  cityHash64(number, 3) % 24
FROM numbers({rows:UInt64})`

const fields = [
  { field: 'ServiceName', values: '12' },
  { field: 'Body', values: '10,000' },
  { field: 'TraceId', values: '1,000,000' },
]
const aggregates = [
  { name: 'count', aggFn: 'count' },
  { name: '95th percentile', aggFn: 'quantile', level: 0.95, field: 'SeverityNumber' },
]

export function topGroups(): Promise<Row[]> {
  return withStack(async ({ engine, post, sources }) => {
    await engine.command(fill, { params: { start, length: end - start, rows } })
    const logs = (await sources()).find(({ kind }) => kind === 'log')
    const measured: Row[] = []
    for (const { field, values } of fields) {
      for (const { name, ...aggregate } of aggregates) {
        const series = { sourceId: logs?.id, ...aggregate, where: '' }
        const ask = (groupBy: string[], topGroups?: number) =>
          timed(post, { startTime: start, endTime: end, series: [{ ...series, groupBy }], topGroups })
        const taken = { alone: [] as number[], all: [] as string[], ten: [] as number[], thousand: [] as number[] }
        for (let round = 0; round < 3; round++) {
          taken.alone.push((await ask([])).ms)
          const { ms, refused } = await ask([field])
          taken.all.push(`${refused ? 'refused after ' : ''}${milliseconds(ms)}`)
          const [ten, thousand] = [await ask([field], 10), await ask([field], 1000)]
          if (ten.refused || thousand.refused) throw new Error(`refused: ${name} by ${field}`)
          taken.ten.push(ten.ms)
          taken.thousand.push(thousand.ms)
        }
        const [alone, ten, thousand] = [median(taken.alone), median(taken.ten), median(taken.thousand)]
        measured.push({
          what: `${name} by ${values} values over ${rows / 1e6} M records of 28 days: all groups; the largest 10 and all others; 1,000; beside the same without groups`,
          result: `${taken.all.at(-1)}; ${milliseconds(ten)} = ${times(ten / alone)}; ${milliseconds(thousand)} = ${times(thousand / alone)}; ${milliseconds(alone)}`,
          aim: 'for comparison',
        })
      }
    }
    return measured
  })
}

async function timed(post: BenchStack['post'], query: object): Promise<{ ms: number; refused: boolean }> {
  const begun = performance.now()
  const refused = await post('/api/v2/charts/series', query).then(
    () => false,
    () => true,
  )
  return { ms: performance.now() - begun, refused }
}
