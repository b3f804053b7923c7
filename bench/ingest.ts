/** Measures the cost of the collector over the engine's own insert of the same rows. */
import { otlpBatch } from './support/logBatch.ts'
import { compare, thousands, times, type Row } from './support/measure.ts'
import { quiet, withStack } from './support/stack.ts'
import type { Engine } from '#stack/telemetry/engine/engine.ts'
import type { NativeBlock } from '#stack/telemetry/native/nativeBlock.ts'
import { startCollector } from '#stack/collector/collector.ts'
import { onlyKey } from '../src/stack/collector/ingestionKey.ts'

const records = 100_000
const batch = 1000
/** Concurrent batches, as exporters of an SDK or a collector would send them. */
const concurrency = 4

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

export function ingest(): Promise<Row[]> {
  return withStack(async ({ engine, identity }) => {
    const stored: { table: string; block: NativeBlock }[] = []
    const recording: Pick<Engine, 'insertBlocks'> = {
      insertBlocks: (table, blocks) => {
        if (stored.length < records / batch) stored.push(...blocks.map((block) => ({ table, block })))
        return engine.insertBlocks(table, blocks)
      },
    }
    const collector = await startCollector({
      host: '127.0.0.1',
      httpPort: 0,
      grpcPort: 0,
      acceptedKeys: onlyKey(identity.ingestionKey),
      engine: recording,
      retentionDays: () => 30,
      logger: quiet,
    })
    const bodies = Array.from({ length: records / batch }, (_, index) => otlpBatch(index * batch, batch))
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
    const insert = (index: number) => {
      const { table, block } = stored[index]!
      return engine.insertBlocks(table, [block])
    }
    const { a, b, ratio } = await compare(
      () => inParallel(bodies.length, send),
      () => inParallel(bodies.length, insert),
      7,
    )
    await collector.close()
    return [
      {
        what: `OTLP (JSON), ${thousands(records)} records in batches of ${batch}, beside the engine's insert`,
        result: `${thousands((records / a) * 1000)} / ${thousands((records / b) * 1000)} records/s = ${times(1 / ratio)}`,
        aim: 'at least 0.5×',
      },
    ]
  })
}
