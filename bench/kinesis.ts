/** Kinesis pipes beside what the Kinesis server of the tests hands out to a reader that does nothing else. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { GetRecordsCommand, GetShardIteratorCommand, KinesisClient } from '@aws-sdk/client-kinesis'
import { Agent } from 'undici'
import { guardedHandler } from '../src/stack/pipes/kinesis/guardedHandler.ts'
import { intoEvents } from '../src/stack/testing/managedClient.ts'
import { pipeDatabase, startPipeProcess } from '../src/stack/testing/pipeProcess.ts'
import { kinesisRegion, startKinesis, type KinesisServer } from '../src/stack/testing/streams/kinesisServer.ts'
import { times, type Row } from './support/measure.ts'

const count = 20_000
const shards = 8
const stream = 'burst'
const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'service', type: 'LowCardinality(String)' },
  { name: 'text', type: 'String' },
]
const value = (id: number) =>
  JSON.stringify({ id, service: `checkout-${id % 17}`, text: `user ${id * 7919} paid order ${id * 31} in the shop` })

export async function kinesis(): Promise<Row[]> {
  const server = await startKinesis()
  const rows: Row[] = []
  try {
    await server.createStream(stream, shards)
    await server.put(
      stream,
      Array.from({ length: count }, (_, id) => value(id)),
    )
    for (const replicas of [1, 2, 4]) {
      // Before each, so that a slow machine affects both.
      const own = await serverRate(server)
      const { perSecond, ms } = await pipeLoad(server, replicas)
      rows.push({
        what: `Kinesis pipe, burst of 20 k records in ${shards} shards, ${replicas === 1 ? '1 replica' : `${replicas} replicas`} of 2 cores, beside a reader that drops what the server of the tests hands out`,
        result: `${inThousands(perSecond)} / ${inThousands(own)} records/s = ${times(perSecond / own)}; all loaded after ${(ms / 1000).toFixed(1)} s`,
        aim: 'at least 0.5×; the server is the limit, not AWS',
      })
    }
    return rows
  } finally {
    await server.stop()
  }
}

const inThousands = (value: number) => `${(value / 1000).toFixed(1)} k`

/** Records per second that the server hands out when all shards are read at once, one read of each after the other. */
async function serverRate(server: KinesisServer): Promise<number> {
  const agent = new Agent()
  const client = new KinesisClient({
    region: kinesisRegion,
    endpoint: server.endpoint,
    credentials: { accessKeyId: 'reader', secretAccessKey: 'secret' },
    requestHandler: guardedHandler(agent),
  })
  try {
    const begun = performance.now()
    const found = await Promise.all((await server.shards(stream)).map(({ ShardId }) => readAll(client, ShardId)))
    const read = found.reduce((sum, records) => sum + records, 0)
    if (read !== count) throw new Error(`the server has ${read} records`)
    return (count / (performance.now() - begun)) * 1000
  } finally {
    client.destroy()
    await agent.destroy()
  }
}

async function readAll(client: KinesisClient, ShardId: string | undefined): Promise<number> {
  const first = new GetShardIteratorCommand({ StreamName: stream, ShardId, ShardIteratorType: 'TRIM_HORIZON' })
  let { ShardIterator } = await client.send(first)
  for (let read = 0; ;) {
    const page = await client.send(new GetRecordsCommand({ ShardIterator, Limit: 10_000 }))
    read += page.Records?.length ?? 0
    if (page.MillisBehindLatest === 0 || page.NextShardIterator === undefined) return read
    ShardIterator = page.NextShardIterator
  }
}

/** @returns records per second and milliseconds, both from the creation of the pipe until its table has every record */
async function pipeLoad(server: KinesisServer, replicas: number): Promise<{ perSecond: number; ms: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-kinesis-'))
  const pipes = await startPipeProcess(dataDir, dataDir, server.endpoint)
  try {
    const begun = performance.now()
    await pipes.create({
      name: 'Bench',
      source: {
        kinesis: {
          format: 'JSONEachRow',
          streamName: stream,
          region: kinesisRegion,
          iteratorType: 'TRIM_HORIZON',
          authentication: 'IAM_USER',
          accessKey: { accessKeyId: 'reader', secretKey: 'secret' },
        },
      },
      ...intoEvents(columns),
      settings: { streaming_max_insert_wait_ms: 500 },
      scaling: { replicas, replicaCpuMillicores: 2000, replicaMemoryGb: 2 },
    })
    const rows = async () =>
      // The table is not there at once.
      (await pipes.query<{ rows: string }>(`SELECT count() AS rows FROM ${pipeDatabase}.events`).catch(() => []))[0]
    for (let loaded = 0; loaded < count; loaded = Number((await rows())?.rows ?? 0)) await wait(20)
    const ms = performance.now() - begun
    return { perSecond: (count / ms) * 1000, ms }
  } finally {
    await pipes.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}
