/** Kinesis pipes against a server: every record once, whatever happens to the process and to the shards. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PipeCreate } from '#contract/pipeInputs.ts'
import { pipeInputs } from '../../testing/managedClient.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../testing/pipeProcess.ts'
import { kinesisRegion, startKinesis, type KinesisServer } from '../../testing/streams/kinesisServer.ts'

let server: KinesisServer
let dataDir: string
let pipes: PipeProcess
beforeAll(async () => {
  server = await startKinesis()
}, 60_000)
afterAll(() => server.stop())
const start = () => startPipeProcess(dataDir, join(dataDir, 'files'), server.endpoint)
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kinesis-'))
  await mkdir(join(dataDir, 'files'))
  pipes = await start()
})
afterEach(async () => {
  await pipes.kill()
  await rm(dataDir, { recursive: true, force: true })
})

const table = `${pipeDatabase}.events`
const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => JSON.stringify({ id: first + at, text: `row ${first + at}` }))

function pipeOf(streamName: string, more: object = {}): PipeCreate {
  return {
    ...pipeInputs.kinesis,
    source: {
      kinesis: {
        format: 'JSONEachRow',
        streamName,
        region: kinesisRegion,
        iteratorType: 'TRIM_HORIZON',
        authentication: 'IAM_USER',
        accessKey: { accessKeyId: 'reader', secretKey: 'secret' },
        ...more,
      },
    },
    scaling: { replicas: 2, replicaCpuMillicores: 1000, replicaMemoryGb: 1 },
    settings: { streaming_max_insert_wait_ms: 500 },
  }
}

const summary = async () =>
  (
    await pipes
      .query<{ rows: string; ids: string; sum: string }>(
        `SELECT count() AS rows, uniqExact(id) AS ids, sum(id) AS sum FROM ${table}`,
      )
      .catch(() => [])
  )[0]

/** The table has each number from 0 once. */
async function everyRowOnce(count: number): Promise<void> {
  const expected = { rows: String(count), ids: String(count), sum: String((count * (count - 1)) / 2) }
  await expect.poll(summary, { timeout: 60_000, interval: 200 }).toEqual(expected)
}

test('every record once, with kills, a split and a merge while it reads', { timeout: 180_000 }, async () => {
  await server.createStream('orders', 2)
  const all = rowsFrom(0, 4000)
  await server.put('orders', all.slice(0, 1000))
  await pipes.create(pipeOf('orders'))
  const changes = [
    () => server.split('orders', 'shardId-000000000000'),
    () => server.merge('orders', 'shardId-000000000002', 'shardId-000000000003'),
    () => server.split('orders', 'shardId-000000000001'),
  ]
  for (const [at, change] of changes.entries()) {
    await wait(Math.random() * 1500)
    await pipes.kill()
    pipes = await start()
    await change()
    await server.put('orders', all.slice(1000 * (at + 1), 1000 * (at + 2)))
  }
  await pipes.kill()
  pipes = await start()
  await everyRowOnce(4000)
  expect(await pipes.states()).toMatchObject([
    { state: 'Running', stateDetail: expect.stringContaining('reading 3 shards') },
  ])
})
