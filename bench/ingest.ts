/** Measures the cost of the collector over the engine's own insert of the same rows. */
import { compare, thousands, times, type Row } from './measure.ts'
import { quiet, withStack } from './stack.ts'
import { startCollector } from '#stack/collector/collector.ts'

const records = 100_000
const batch = 1000
/** Concurrent batches, as exporters of an SDK or a collector would send them. */
const concurrency = 4

/** One OTLP request of log records in JSON, with the attributes that a web service would send. */
function otlpBatch(first: number): string {
  const at = BigInt(Date.now()) * 1_000_000n
  const text = (value: string) => ({ stringValue: value })
  return JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: text(`service-${(first / batch) % 12}`) }] },
        scopeLogs: [
          {
            scope: { name: 'bench' },
            logRecords: Array.from({ length: batch }, (_, index) => ({
              timeUnixNano: String(at + BigInt(first + index)),
              severityNumber: 9,
              severityText: 'INFO',
              body: text(`GET /products/${index} answered in ${index % 97} ms`),
              attributes: [
                { key: 'http.request.method', value: text('GET') },
                { key: 'http.response.status_code', value: { intValue: 200 + (index % 3) } },
                { key: 'url.path', value: text(`/products/${index}`) },
              ],
            })),
          },
        ],
      },
    ],
  })
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

export function ingest(): Promise<Row[]> {
  return withStack(async ({ engine, identity }) => {
    const stored: { table: string; rows: readonly object[] }[] = []
    const recording = {
      insert: (table: string, rows: readonly object[]) => {
        if (stored.length < records / batch) stored.push({ table, rows: [...rows] })
        return engine.insert(table, rows)
      },
    }
    const collector = await startCollector({
      host: '127.0.0.1',
      httpPort: 0,
      grpcPort: 0,
      ingestionKey: identity.ingestionKey,
      engine: recording,
      retentionDays: 30,
      logger: quiet,
    })
    const bodies = Array.from({ length: records / batch }, (_, index) => otlpBatch(index * batch))
    const headers = { authorization: identity.ingestionKey, 'content-type': 'application/json' }
    const send = async (index: number) => {
      const answer = await fetch(`http://127.0.0.1:${collector.httpPort}/v1/logs`, {
        method: 'POST',
        headers,
        body: bodies[index] ?? '',
      })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    }
    // The rows of the baseline, in the batches of the sender, whatever batches the collector inserted.
    await inParallel(bodies.length, send)
    const rows = stored.flatMap((insert) => insert.rows)
    const table = stored[0]?.table ?? ''
    const insert = (index: number) => engine.insert(table, rows.slice(index * batch, (index + 1) * batch))
    const { a, b, ratio } = await compare(
      () => inParallel(bodies.length, send),
      () => inParallel(bodies.length, insert),
      7,
    )
    await collector.close()
    return [
      {
        what: `OTLP over HTTP (JSON), ${thousands(records)} log records in batches of ${batch}, beside the engine's insert of the same rows`,
        result: `${thousands((records / a) * 1000)} / ${thousands((records / b) * 1000)} records/s = ${times(1 / ratio)}`,
        aim: 'at least 0.5×',
      },
    ]
  })
}
