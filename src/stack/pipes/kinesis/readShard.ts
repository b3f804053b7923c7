/** Reads a shard with GetRecords, within the limits of the service: five reads a second for each shard. */
import { setTimeout as wait } from 'node:timers/promises'
import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetRecordsCommandOutput,
  type StartingPosition,
  type _Record,
} from '@aws-sdk/client-kinesis'
import { abortableSleep } from '../loads/abortableSleep.ts'
import { failWith, type KinesisStream } from './kinesisClient.ts'

/** The result of one read of a shard. */
export interface ShardPage {
  records: readonly _Record[]
  /** How far behind the newest record of the shard the last record of the page is. */
  millisBehind: number
  /** Whether the shard was split or merged, and this was its last page. */
  isLast: boolean
}

const msBetweenReads = 200
/** When a shard has nothing new: other readers of the stream share its five reads a second. */
const msWhenIdle = 1000
const recordsAtOnce = 10_000
const longestWaitMs = 10_000

export async function* readShard(
  stream: KinesisStream,
  shardId: string,
  start: StartingPosition,
  signal: AbortSignal,
): AsyncGenerator<ShardPage> {
  const fail = failWith(`${stream.name}, ${shardId}`)
  const iteratorFrom = (at: StartingPosition) =>
    afterThrottling(() => iteratorAt(stream, shardId, at, signal), signal).catch(fail)
  let position = start
  let iterator = await iteratorFrom(position)
  while (iterator !== undefined) {
    const began = performance.now()
    const page = await pageAt(stream, iterator, recordsAtOnce, signal).catch(fail)
    if (page === 'expired') {
      iterator = await iteratorFrom(position)
      continue
    }
    const { Records: records = [], MillisBehindLatest: millisBehind = 0, NextShardIterator: next } = page
    const last = records.at(-1)?.SequenceNumber
    if (last !== undefined) position = { Type: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: last }
    yield { records, millisBehind, isLast: next === undefined }
    iterator = next
    const pause = records.length === 0 && millisBehind === 0 ? msWhenIdle : msBetweenReads
    await wait(Math.max(0, pause - (performance.now() - began)), undefined, { signal, ref: false })
  }
}

/**
 * The first records of a shard from a sequence number on.
 * @param limit how many at most
 * @returns none if the stream does not have that place any more, such as a shard that has expired
 */
export async function recordsFrom(
  stream: KinesisStream,
  shardId: string,
  sequence: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly _Record[]> {
  const fail = failWith(`${stream.name}, ${shardId}`)
  const start: StartingPosition = { Type: 'AT_SEQUENCE_NUMBER', SequenceNumber: sequence }
  const firstIterator = () =>
    afterThrottling(() => iteratorAt(stream, shardId, start, signal), signal).catch((error: unknown) =>
      hasName(error, ...gone) ? undefined : fail(error),
    )
  let iterator = await firstIterator()
  while (iterator !== undefined) {
    const page = await pageAt(stream, iterator, limit, signal).catch(fail)
    if (page !== 'expired') {
      if (page.Records?.length) return page.Records
      // A page may be empty although there are records after it.
      if (page.MillisBehindLatest === 0) break
    }
    // An iterator that expired had not returned a record yet: the next one begins at the same place.
    iterator = page === 'expired' ? await firstIterator() : page.NextShardIterator
    await abortableSleep(msBetweenReads, signal)
  }
  return []
}

/** One read of a shard. An iterator is good for five minutes: reads may be throttled for longer. */
async function pageAt(
  { client }: KinesisStream,
  iterator: string,
  limit: number,
  signal: AbortSignal,
): Promise<GetRecordsCommandOutput | 'expired'> {
  const read = new GetRecordsCommand({ ShardIterator: iterator, Limit: limit })
  return afterThrottling(() => client.send(read, { abortSignal: signal }), signal).catch((error: unknown) => {
    if (hasName(error, 'ExpiredIteratorException')) return 'expired'
    throw error
  })
}

async function iteratorAt(
  { client, name }: KinesisStream,
  ShardId: string,
  position: StartingPosition,
  abortSignal: AbortSignal,
): Promise<string | undefined> {
  const { Type, SequenceNumber, Timestamp } = position
  const answer = await client.send(
    new GetShardIteratorCommand({
      StreamName: name,
      ShardId,
      ShardIteratorType: Type,
      ...(SequenceNumber !== undefined && { StartingSequenceNumber: SequenceNumber }),
      ...(Timestamp && { Timestamp }),
    }),
    { abortSignal },
  )
  return answer.ShardIterator
}

/** The stream is read faster than it allows. */
const throttling = ['ProvisionedThroughputExceededException', 'LimitExceededException', 'KMSThrottlingException']
/** There is no such shard, or no such sequence number in it. */
const gone = ['ResourceNotFoundException', 'InvalidArgumentException']
const hasName = (error: unknown, ...names: readonly string[]) => error instanceof Error && names.includes(error.name)

/** Repeats a request for as long as the stream throttles it. */
async function afterThrottling<Answer>(request: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request()
    } catch (error) {
      if (!hasName(error, ...throttling)) throw error
      await abortableSleep(backoff(attempt), signal)
    }
  }
}

/** Milliseconds before the next attempt, with a random part so that readers of a stream do not meet again. */
export function backoff(attempt: number): number {
  return Math.min(longestWaitMs, 500 * 2 ** Math.min(attempt, 6)) * (0.5 + Math.random() / 2)
}
