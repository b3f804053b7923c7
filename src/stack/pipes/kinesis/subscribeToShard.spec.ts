/** Enhanced fan-out with the events that the service documents: the server of the integration tests sends no end of a shard. */
import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ResourceInUseException,
  SubscribeToShardCommand,
  type StartingPosition,
  type SubscribeToShardEvent,
} from '@aws-sdk/client-kinesis'
import { expect, test } from 'vitest'
import type { KinesisStream } from './kinesisClient.ts'
import { subscribeToShard } from './subscribeToShard.ts'

const record = (number: number) => ({ SequenceNumber: String(number), Data: Buffer.from('{}'), PartitionKey: 'k' })
const event = (numbers: number[], more: Partial<SubscribeToShardEvent> = {}): SubscribeToShardEvent => ({
  Records: numbers.map(record),
  ContinuationSequenceNumber: String(numbers.at(-1) ?? 0),
  MillisBehindLatest: 0,
  ...more,
})
/** The shard was split: there is nothing to continue from. */
const split = (numbers: number[]): SubscribeToShardEvent => ({
  Records: numbers.map(record),
  ContinuationSequenceNumber: undefined,
  MillisBehindLatest: 0,
  ChildShards: ['1', '2'].map((id) => ({
    ShardId: `shardId-00000000000${id}`,
    ParentShards: ['shardId-000000000000'],
    HashKeyRange: { StartingHashKey: '0', EndingHashKey: '1' },
  })),
})

async function* eventsOf(events: readonly SubscribeToShardEvent[]) {
  for (const event of events) yield { SubscribeToShardEvent: event }
}

/** Reads a shard to its end. Each subscription has its events, or is refused. */
async function read(subscriptions: (SubscribeToShardEvent[] | Error)[]) {
  const positions: (StartingPosition | undefined)[] = []
  const client = new KinesisClient({ region: 'eu-central-1' })
  client.send = async (command: unknown) => {
    if (command instanceof SubscribeToShardCommand) {
      positions.push(command.input.StartingPosition)
      const next = subscriptions.shift()
      if (next instanceof Error) throw next
      return { EventStream: eventsOf(next ?? []) }
    }
    if (command instanceof GetShardIteratorCommand) return { ShardIterator: 'first' }
    if (command instanceof GetRecordsCommand) return { Records: [record(4)], MillisBehindLatest: 0 }
    throw new Error('not expected')
  }
  const stream = { name: 'clicks', client, arn: async () => 'arn' }
  const pages = []
  const start: StartingPosition = { Type: 'TRIM_HORIZON' }
  for await (const page of subscribeToShard(
    stream as unknown as KinesisStream, // what it uses of a stream
    'arn',
    'shardId-000000000000',
    start,
    new AbortController().signal,
  )) {
    pages.push([page.records.map(({ SequenceNumber }) => Number(SequenceNumber)), page.isLast])
  }
  return { pages, positions, left: subscriptions.length }
}

test('a subscription is renewed where it ended, and a shard that is split meanwhile is read to its end', async () => {
  const { pages, positions, left } = await read([
    [event([1, 2]), event([3])],
    [event([4]), split([5, 6])],
    [event([7])],
  ])
  expect(pages).toEqual([
    [[1, 2], false],
    [[3], false],
    [[4], false],
    [[5, 6], true],
  ])
  expect(positions).toEqual([{ Type: 'TRIM_HORIZON' }, { Type: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: '3' }])
  expect(left).toBe(1)
})

test('a shard that ends without further records is left, too', async () => {
  expect((await read([[event([1])], [split([])]])).pages).toEqual([
    [[1], false],
    [[], true],
  ])
})

test('while another subscription of the consumer lasts, the shard is polled, also to its end', async () => {
  const inUse = new ResourceInUseException({ message: 'another active subscription', $metadata: {} })
  const { pages, positions } = await read([[event([3])], inUse])
  expect(pages).toEqual([
    [[3], false],
    [[4], true],
  ])
  expect(positions).toHaveLength(2)
})
