/** A Kinesis server in a process of its own (`kinesis-local`), with a client that writes to it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CreateStreamCommand,
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

export interface KinesisServer {
  /** `http://127.0.0.1:…` */
  endpoint: string
  client: KinesisClient
  createStream(name: string, shards: number): Promise<void>
  /** Writes records, one for each text, spread over the shards. */
  put(stream: string, texts: readonly (string | Uint8Array)[]): Promise<void>
  shards(stream: string): Promise<Shard[]>
  /** Splits a shard in the middle, or merges it with its neighbour. Resolves when its children are there. */
  split(stream: string, shardId: string): Promise<void>
  merge(stream: string, shardId: string, neighbour: string): Promise<void>
  stop(): Promise<void>
}

const script = createRequire(import.meta.url).resolve('kinesis-local')

export const kinesisRegion = 'eu-central-1'
/** What PutRecords takes at once. */
const recordsAtOnce = 500
const changeMs = '50ms'

export async function startKinesis(): Promise<KinesisServer> {
  const [port, tlsPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [script], {
    // Its certificate is there.
    cwd: dirname(script),
    stdio: 'ignore',
    env: {
      ...process.env,
      KINESIS_MOCK_PLAIN_PORT: String(port),
      KINESIS_MOCK_TLS_PORT: String(tlsPort),
      AWS_REGION: kinesisRegion,
      LOG_LEVEL: 'ERROR',
      ...Object.fromEntries(
        ['CREATE_STREAM', 'SPLIT_SHARD', 'MERGE_SHARDS', 'REGISTER_STREAM_CONSUMER', 'DEREGISTER_STREAM_CONSUMER'].map(
          (name) => [`${name}_DURATION`, changeMs],
        ),
      ),
    },
  })
  const gone = once(child, 'exit')
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error('the Kinesis server did not start')
    await wait(50)
  }
  const endpoint = `http://127.0.0.1:${port}`
  const agent = new Agent()
  const client = new KinesisClient({
    region: kinesisRegion,
    endpoint,
    credentials: { accessKeyId: 'writer', secretAccessKey: 'secret' },
    requestHandler: guardedHandler(agent),
  })
  const shards = async (stream: string) =>
    (await client.send(new ListShardsCommand({ StreamName: stream }))).Shards ?? []
  const untilChanged = async (stream: string, before: number) => {
    while ((await shards(stream)).length === before) await wait(20)
  }

  return {
    endpoint,
    client,
    shards,
    async createStream(name, count) {
      await client.send(new CreateStreamCommand({ StreamName: name, ShardCount: count }))
      while ((await shards(name).catch(() => [])).length < count) await wait(20)
    },
    async put(stream, texts) {
      for (let at = 0; at < texts.length; at += recordsAtOnce) {
        let left = texts.slice(at, at + recordsAtOnce).map((text, index) => ({
          PartitionKey: `${at + index}`,
          Data: Buffer.from(text),
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
    async stop() {
      client.destroy()
      await agent.destroy()
      child.kill('SIGKILL')
      await gone
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
