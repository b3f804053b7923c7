/**
 * Reads a shard by enhanced fan-out: the pipe is a registered consumer of the stream, to which the service pushes records
 * with a throughput of its own. A subscription lasts five minutes and is renewed where it ended.
 */
import {
  DeregisterStreamConsumerCommand,
  DescribeStreamConsumerCommand,
  RegisterStreamConsumerCommand,
  SubscribeToShardCommand,
  type StartingPosition,
  type SubscribeToShardEvent,
} from '@aws-sdk/client-kinesis'
import { abortableSleep } from '../loads/abortableSleep.ts'
import { failWith, type KinesisStream } from './kinesisClient.ts'
import { backoff, readShard, type ShardPage } from './readShard.ts'

/** The consumer of a pipe. */
export const consumerName = (pipeId: string) => `stack-${pipeId}`
const registrationPollMs = 500
/** For how long a shard is polled while the subscription of a run that was killed still lasts. */
const inUseMs = 15_000
/** A new consumer is ready within a minute. */
const registrationPolls = 120

/** Registers the consumer of a pipe, unless it is. @returns its ARN */
export async function registerConsumer(stream: KinesisStream, name: string, signal: AbortSignal): Promise<string> {
  const { client } = stream
  const consumer = { StreamARN: await stream.arn(signal), ConsumerName: name }
  await client.send(new RegisterStreamConsumerCommand(consumer), { abortSignal: signal }).catch((error: unknown) => {
    // Registered by an earlier run.
    if (!isNamed(error, 'ResourceInUseException')) return failWith(stream.name)(error)
  })
  for (let poll = 0; poll < registrationPolls; poll++) {
    const { ConsumerDescription: found } = await client
      .send(new DescribeStreamConsumerCommand(consumer), { abortSignal: signal })
      .catch(failWith(stream.name))
    if (found?.ConsumerStatus === 'ACTIVE') return found.ConsumerARN ?? ''
    await abortableSleep(registrationPollMs, signal)
  }
  throw new Error(`${stream.name}: the consumer ${name} is not active yet`)
}

/** Removes the consumer of a deleted pipe. */
export async function deregisterConsumer(stream: KinesisStream, name: string, signal: AbortSignal): Promise<void> {
  const StreamARN = await stream.arn(signal)
  await stream.client
    .send(new DeregisterStreamConsumerCommand({ StreamARN, ConsumerName: name }), { abortSignal: signal })
    .catch(failWith(stream.name))
}

export async function* subscribeToShard(
  stream: KinesisStream,
  consumerArn: string,
  shardId: string,
  start: StartingPosition,
  signal: AbortSignal,
): AsyncGenerator<ShardPage> {
  const fail = failWith(`${stream.name}, ${shardId}`)
  let position = start
  for (let failures = 0; ;) {
    try {
      for await (const event of subscription(stream, consumerArn, shardId, position, signal)) {
        failures = 0
        const page = pageOf(event)
        // Where the next subscription continues: this event was the last one before it.
        if (event.ContinuationSequenceNumber) {
          position = { Type: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: event.ContinuationSequenceNumber }
        }
        yield page
        if (page.isLast) return
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!isTransient(error)) fail(error)
      if (!isNamed(error, 'ResourceInUseException')) {
        failures += 1
        await abortableSleep(backoff(failures), signal)
        continue
      }
      const until = performance.now() + inUseMs
      for await (const page of readShard(stream, shardId, position, signal)) {
        const last = page.records.at(-1)?.SequenceNumber
        if (last !== undefined) position = { Type: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: last }
        yield page
        if (page.isLast) return
        if (performance.now() > until) break
      }
    }
  }
}

async function* subscription(
  { client }: KinesisStream,
  ConsumerARN: string,
  ShardId: string,
  StartingPosition: StartingPosition,
  abortSignal: AbortSignal,
): AsyncGenerator<SubscribeToShardEvent> {
  const command = new SubscribeToShardCommand({ ConsumerARN, ShardId, StartingPosition })
  const { EventStream = [] } = await client.send(command, { abortSignal })
  for await (const { SubscribeToShardEvent: event, ...other } of EventStream) {
    if (event) yield event
    for (const problem of Object.values(other)) if (problem instanceof Error) throw problem
  }
}

function pageOf({
  Records,
  MillisBehindLatest,
  ContinuationSequenceNumber,
  ChildShards,
}: SubscribeToShardEvent): ShardPage {
  return {
    records: Records ?? [],
    millisBehind: MillisBehindLatest ?? 0,
    isLast: !ContinuationSequenceNumber || (ChildShards?.length ?? 0) > 0,
  }
}

const transient = [
  'ResourceInUseException',
  'LimitExceededException',
  'InternalFailureException',
  'KMSThrottlingException',
]
const isTransient = (error: unknown) => transient.some((name) => isNamed(error, name)) || isLost(error)
const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name

/** A connection that was lost in the middle of a subscription. */
const isLost = (error: unknown) =>
  error instanceof Error &&
  (error.message === 'terminated' || ('code' in error && String(error.code).startsWith('UND_ERR')))
