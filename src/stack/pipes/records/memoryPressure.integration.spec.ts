/** Records that are loaded while other statements have the memory of a real engine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '../../store/store.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { intoEvents, pipeInputs } from '../../testing/managedClient.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { destinationTableOf } from '../loads/destinationTable.ts'
import { newPipe } from '../model/newPipe.ts'
import { UsageMeter } from '../model/pipeUsage.ts'
import { RecordBuffer } from './recordBuffer.ts'
import { recordLoader } from './recordLoad.ts'

const megabyte = 2 ** 20
const memory = 600 * megabyte
let folder: string
let store: Store
let engine: Engine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pressure-'))
  store = await openStore({ file: join(folder, 'stack.db') })
  engine = await temporaryEngine({ maxMemory: memory })
})
afterAll(async () => {
  await engine.close()
  store.close()
  await rm(folder, { recursive: true, force: true })
})

/** Takes the memory of the engine, except for some. */
async function takeMemory(free: number): Promise<void> {
  await engine.command('CREATE TABLE taken (value UInt64) ENGINE = Memory')
  for (;;) {
    const [used] = await engine.query<{ value: string }>(
      "SELECT value FROM system.metrics WHERE metric = 'MemoryTracking'",
    )
    if (Number(used?.value) > memory - free - 8 * megabyte) return
    await engine.command('INSERT INTO taken SELECT number FROM numbers(1000000)')
  }
}

test('a record that finds no memory is tried again, and is not bad', { timeout: 120_000 }, async () => {
  const columns = [
    { name: 'id', type: 'UInt64' },
    { name: 'text', type: 'String' },
  ]
  const pipe = newPipe(
    'service',
    {
      ...pipeInputs.kafka,
      ...intoEvents(columns),
      scaling: { replicas: 1, replicaCpuMillicores: 1000, replicaMemoryGb: 2 },
    },
    '2026-01-02T03:04:05Z',
  )
  const loader = await recordLoader({ store, engine, meter: new UsageMeter(engine) }, pipe, 'topic', 'datapipes')
  const { database, table } = destinationTableOf(pipe)
  const records = [
    '{"id":1,"text":"small"}',
    `{"id":2,"text":"${'x'.repeat(100 * megabyte)}"}`,
    '{"id":3,"text":"small"}',
  ]
  const load = async () => {
    const batch = new RecordBuffer()
    for (const [offset, value] of records.entries()) {
      const bytes = Buffer.from(value)
      batch.addJson(0, offset, bytes, 0, bytes.length)
    }
    batch.advance(0, 0, records.length)
    await loader.load(batch, async () => undefined, new AbortController().signal)
  }
  await takeMemory(60 * megabyte)
  await expect(load()).rejects.toThrow(/memory limit exceeded|MEMORY_LIMIT_EXCEEDED/)
  await engine.command('DROP TABLE taken SYNC')
  await load()
  expect(await engine.query(`SELECT id FROM \`${database}\`.${table} ORDER BY id`)).toEqual([
    { id: '1' },
    { id: '2' },
    { id: '3' },
  ])
  expect(await engine.query("SELECT name FROM system.tables WHERE endsWith(name, '_error')")).toEqual([])
})
