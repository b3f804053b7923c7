/** More senders than the collector has room for, and an engine that fails now and then: what was answered is stored once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../telemetry/engine/engine.ts'
import { createTestCollector, json, log, logsOf, post, type TestCollector } from '../testing/testCollector.ts'

const senders = 16
const batchesOfSender = 3
const records = 50
const limits = { maxRequestsInFlight: 5, maxRecordsInFlight: 4 * records }

let collector: TestCollector

beforeAll(async () => {
  collector = await createTestCollector()
})
afterAll(() => collector.close())

/**
 * An engine that holds its first inserts until `open`, then refuses five of them, and later every fifth one, before it stores
 * anything. Five are an insert of all batches that have room, and then each of them alone.
 */
function busyEngine(engine: Engine) {
  let count = 0
  let rows = 0
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  /** The most rows that were on their way into the engine at a time. */
  const most = { rows: 0 }
  const insertBlocks: Engine['insertBlocks'] = async (table, blocks) => {
    const given = blocks.reduce((sum, block) => sum + block.rows, 0)
    rows += given
    most.rows = Math.max(most.rows, rows)
    try {
      await opened
      count += 1
      if (count <= 5 || count % 5 === 0) throw new Error('no room')
      await engine.insertBlocks(table, blocks)
    } finally {
      rows -= given
    }
  }
  return { insertBlocks, most, open }
}

test('senders are refused before the limits are passed, and what they send again is stored once', async () => {
  const engine = busyEngine(collector.engine)
  const url = await collector.start({ engine, limits })
  const answers: { status: number; retryAfter: string | null }[] = []
  const refusals = () => answers.filter(({ status }) => status === 429)
  const send = async (batch: string): Promise<number> => {
    const response = await post(url, json, logsOf(...Array.from({ length: records }, (_, at) => log(`${batch} ${at}`))))
    answers.push({ status: response.status, retryAfter: response.headers.get('retry-after') })
    return response.status
  }
  const stored = Array.from({ length: senders }, async (_, sender) => {
    for (let at = 0; at < batchesOfSender; at++) while ((await send(`${sender}.${at}`)) !== 200) await sleep(50)
  })
  await expect.poll(() => refusals().length).toBeGreaterThanOrEqual(senders)
  // Nobody sends these again.
  const given = await Promise.all(Array.from({ length: 10 }, (_, at) => send(`given up ${at}`)))
  engine.open()
  await Promise.all(stored)

  expect(given.filter((status) => status !== 429)).toEqual([])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429, 503]))
  expect(answers.filter(({ status, retryAfter }) => status !== 200 && retryAfter !== '1')).toEqual([])
  expect(engine.most.rows).toBeLessThanOrEqual(limits.maxRecordsInFlight)
  const bodies = await collector.engine.query<{ Body: string; count: string }>(
    'SELECT Body, count() AS count FROM otel_logs GROUP BY Body',
  )
  const expected = Array.from({ length: senders * batchesOfSender * records }, (_, at) => {
    const batch = Math.floor(at / records)
    return `${Math.floor(batch / batchesOfSender)}.${batch % batchesOfSender} ${at % records}`
  })
  expect(bodies.map(({ Body }) => Body).toSorted()).toEqual(expected.toSorted())
  expect(bodies.filter(({ count }) => count !== '1')).toEqual([])
}, 120_000)
