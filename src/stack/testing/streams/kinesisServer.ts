/** A Kinesis server in a process of its own (`kinesis-local`), with a client that writes to it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  KinesisClient,
  ListShardsCommand,
  MergeShardsCommand,
  PutRecordsCommand,
  SplitShardCommand,
  type Shard,
} from '@aws-sdk/client-kinesis'
import { Agent } from 'undici'
import { guardedHandler } from '../../pipes/kinesis/guardedHandler.ts'
import { freePort } from '#node/testing/freePort.ts'

/** Writes to the streams of a server, and changes them. */
export interface KinesisWriter {
  createStream(name: string, shards: number): Promise<void>
  /** Writes records, spread over the shards. */
  put(stream: string, records: readonly (string | Uint8Array)[]): Promise<void>
  shards(stream: string): Promise<Shard[]>
  /** Splits a shard in the middle. Resolves when its children are there. */
  split(stream: string, shardId: string): Promise<void>
  merge(stream: string, shardId: string, neighbour: string): Promise<void>
  close(): Promise<void>
}

export interface KinesisServer extends KinesisWriter {
  /** `http://127.0.0.1:…` */
  endpoint: string
  stop(): Promise<void>
}

const script = createRequire(import.meta.url).resolve('kinesis-local')

export const kinesisRegion = 'eu-central-1'
/** The maximum of records in a PutRecords request. */
const recordsAtOnce = 500
/** How long the server takes to change a stream. */
const changeMs = '50ms'
const changes = [
  'CREATE_STREAM',
  'SPLIT_SHARD',
  'MERGE_SHARDS',
  'REGISTER_STREAM_CONSUMER',
  'DEREGISTER_STREAM_CONSUMER',
]

export async function startKinesis(port?: number): Promise<KinesisServer> {
  const used = port ?? (await freePort())
  const child = spawn(process.execPath, [script], {
    // Its certificate is there.
    cwd: dirname(script),
    stdio: 'ignore',
    env: {
      ...process.env,
      KINESIS_MOCK_PLAIN_PORT: String(used),
      KINESIS_MOCK_TLS_PORT: String(await freePort()),
      AWS_REGION: kinesisRegion,
      LOG_LEVEL: 'ERROR',
      ...Object.fromEntries(changes.map((name) => [`${name}_DURATION`, changeMs])),
    },
  })
  const gone = once(child, 'exit')
  // Also when this process ends without `stop`.
  const endWithProcess = () => child.kill('SIGKILL')
  process.once('exit', endWithProcess)
  while (!(await isListening(used))) {
    if (child.exitCode !== null) throw new Error('the Kinesis server did not start')
    await wait(50)
  }
  const endpoint = `http://127.0.0.1:${used}`
  const writer = kinesisWriter(endpoint)
  return {
    ...writer,
    endpoint,
    async stop() {
      child.kill('SIGKILL')
      process.removeListener('exit', endWithProcess)
      await writer.close()
      await gone
    },
  }
}

export function kinesisWriter(endpoint: string): KinesisWriter {
  const agent = new Agent()
  const client = new KinesisClient({
    region: kinesisRegion,
    endpoint,
    credentials: { accessKeyId: 'writer', secretAccessKey: 'secret' },
    requestHandler: guardedHandler(agent),
  })
  const shards = async (stream: string) =>
    (await client.send(new ListShardsCommand({ StreamName: stream }))).Shards ?? []
  const isActive = async (stream: string) => {
    const { StreamDescriptionSummary: summary } = await client.send(
      new DescribeStreamSummaryCommand({ StreamName: stream }),
    )
    return summary?.StreamStatus === 'ACTIVE'
  }
  const untilChanged = async (stream: string, before: number) => {
    while ((await shards(stream)).length === before || !(await isActive(stream))) await wait(20)
  }

  return {
    shards,
    async createStream(name, count) {
      await client.send(new CreateStreamCommand({ StreamName: name, ShardCount: count }))
      while (!(await isActive(name).catch(() => false))) await wait(20)
    },
    async put(stream, records) {
      for (let at = 0; at < records.length; at += recordsAtOnce) {
        let left = records.slice(at, at + recordsAtOnce).map((data, index) => ({
          PartitionKey: `${at + index}`,
          Data: Buffer.from(data),
        }))
        while (left.length > 0) {
          const { Records = [] } = await client.send(new PutRecordsCommand({ StreamName: stream, Records: left }))
          left = left.filter((_, index) => Records[index]?.ErrorCode !== undefined)
        }
      }
    },
    async split(stream, shardId) {
      const all = await shards(stream)
      const range = all.find((shard) => shard.ShardId === shardId)?.HashKeyRange
      const middle = (BigInt(range?.StartingHashKey ?? 0) + BigInt(range?.EndingHashKey ?? 0)) / 2n
      await client.send(
        new SplitShardCommand({ StreamName: stream, ShardToSplit: shardId, NewStartingHashKey: String(middle) }),
      )
      await untilChanged(stream, all.length)
    },
    async merge(stream, shardId, neighbour) {
      const before = (await shards(stream)).length
      await client.send(
        new MergeShardsCommand({ StreamName: stream, ShardToMerge: shardId, AdjacentShardToMerge: neighbour }),
      )
      await untilChanged(stream, before)
    },
    async close() {
      client.destroy()
      await agent.destroy()
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
