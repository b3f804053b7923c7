/** Reads a shard with GetRecords, within the limits of the service: five reads a second for each shard. */
import { setTimeout as wait } from 'node:timers/promises'
import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  type StartingPosition,
  type _Record,
} from '@aws-sdk/client-kinesis'
import { abortableSleep } from '../loads/abortableSleep.ts'
import { failWith, type KinesisStream } from './kinesisClient.ts'

/** What one read of a shard returns. */
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
  let position = start
  let iterator = await iteratorAt(stream, shardId, position, signal).catch(fail)
  let throttled = 0
  while (iterator !== undefined) {
    const began = performance.now()
    const page = await stream.client
      .send(new GetRecordsCommand({ ShardIterator: iterator, Limit: recordsAtOnce }), { abortSignal: signal })
      .catch((error: unknown) => (isTransient(error) ? String((error as Error).name) : fail(error)))
    if (page === 'ExpiredIteratorException') {
      iterator = await iteratorAt(stream, shardId, position, signal).catch(fail)
      continue
    }
    if (typeof page === 'string') {
      throttled += 1
      await abortableSleep(backoff(throttled), signal)
      continue
    }
    throttled = 0
    const { Records: records = [], MillisBehindLatest: millisBehind = 0, NextShardIterator: next } = page
    const last = records.at(-1)?.SequenceNumber
    if (last !== undefined) position = { Type: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: last }
    yield { records, millisBehind, isLast: next === undefined }
    iterator = next
    const pause = records.length === 0 && millisBehind === 0 ? msWhenIdle : msBetweenReads
    await wait(Math.max(0, pause - (performance.now() - began)), undefined, { signal, ref: false })
  }
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

/** An iterator expires after five minutes; the others mean that the stream is read faster than it allows. */
const transient = [
  'ExpiredIteratorException',
  'ProvisionedThroughputExceededException',
  'LimitExceededException',
  'KMSThrottlingException',
]
const isTransient = (error: unknown) => error instanceof Error && transient.includes(error.name)

/** Milliseconds before the next attempt, with a random part so that readers of a stream do not meet again. */
export function backoff(attempt: number): number {
  return Math.min(longestWaitMs, 500 * 2 ** Math.min(attempt, 6)) * (0.5 + Math.random() / 2)
}
