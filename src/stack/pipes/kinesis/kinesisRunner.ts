/**
 * Runs Kinesis pipes. The position in each shard is stored in the transaction that completes the load of its records
 * (`kinesisRun.ts`).
 */
import type { ResendRequest, StreamShards } from '#contract/cloud/pipes/pipeConsumers.ts'
import type { Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Queries } from '../../store/store.ts'
import { checkDestination, destinationTableOf } from '../loads/destinationTable.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import type { PipeRunner, Report, RunnerDependencies } from '../loads/pipeRunner.ts'
import { describeRecords } from '../loads/sourceSample.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { errorTableOf } from '../records/errorTable.ts'
import { recordLoader } from '../records/recordLoad.ts'
import { requestResend } from '../records/resending.ts'
import { markUnloaded } from '../records/unloadedRecords.ts'
import type { FramedValues } from '../schemas/framedValues.ts'
import { openKinesis, type KinesisStream } from './kinesisClient.ts'
import { KinesisRun, RunTasks } from './kinesisRun.ts'
import { endsOf, passedPlaces, shardOrder } from './resend.ts'
import { sampleStream } from './sampleStream.ts'
import {
  formatPosition,
  latestPositions,
  parsePosition,
  positionPrefix,
  startOf,
  type ShardPosition,
} from './shardPositions.ts'
import { consumerName, deregisterConsumer, registerConsumer } from './subscribeToShard.ts'
import { valuesOf } from './valuesOf.ts'

/** How long the cleanup in the stream of a deleted pipe may take. */
const forgetMs = 20_000

export class KinesisRunner implements PipeRunner {
  readonly #dependencies: RunnerDependencies
  /** The running pipes, by ID. */
  readonly #runs = new Map<string, KinesisRun>()

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies
  }

  async check(pipe: PipeDocument): Promise<void> {
    await this.#open(pipe).close()
    valuesOf(pipe)
    await checkDestination(pipe, this.#dependencies.engine)
  }

  async sample(pipe: PipeDocument, signal: AbortSignal): Promise<Discovery> {
    const values = valuesOf(pipe)
    const stream = this.#open(pipe)
    try {
      return await describeRecords(await sampleStream(stream, values, signal), this.#dependencies.engine)
    } finally {
      await stream.close()
    }
  }

  async run(pipe: PipeDocument, report: (report: Report) => Promise<void>, signal: AbortSignal): Promise<null> {
    const values = valuesOf(pipe)
    const stream = this.#open(pipe)
    const tasks = new RunTasks(signal)
    try {
      const run = await this.#begin(pipe, stream, values, tasks)
      this.#runs.set(pipe.id, run)
      await run.run(report)
    } catch (error) {
      tasks.fail(error)
    } finally {
      await tasks.ended()
      this.#runs.delete(pipe.id)
      this.#dependencies.meter.waiting(pipe.id, null)
      await stream.close()
    }
    signal.throwIfAborted()
    throw tasks.failure
  }

  async shards(pipe: PipeDocument): Promise<StreamShards> {
    const run = this.#runs.get(pipe.id)
    const stored = await positionsIn(this.#dependencies.store, pipe.id)
    const ids = new Set([...stored.keys(), ...(run?.shards ?? [])])
    return {
      stream: pipe.source?.kinesis?.streamName ?? '',
      replicas: run?.replicas ?? 0,
      shards: [...ids].toSorted().map((shard) => {
        const position = stored.get(shard) ?? null
        const reader = run?.readerOf(shard)
        return {
          shard,
          sequenceNumber: position && 'after' in position ? position.after : null,
          ended: position !== null && 'ended' in position,
          lagMs: reader?.lagMs ?? null,
          replica: reader?.replica ?? null,
        }
      }),
    }
  }

  async resend({ id }: PipeDocument): Promise<ResendRequest> {
    const requestedAt = await requestResend(this.#dependencies.store, id, async (transaction) =>
      JSON.stringify(endsOf(await positionsIn(transaction, id))),
    )
    return { requestedAt }
  }

  async forget(pipe: PipeDocument): Promise<void> {
    if (!pipe.source?.kinesis?.useEnhancedFanOut) return
    const stream = this.#open(pipe)
    try {
      await deregisterConsumer(stream, consumerName(pipe.id), AbortSignal.timeout(forgetMs))
    } finally {
      await stream.close()
    }
  }

  #open(pipe: PipeDocument): KinesisStream {
    const { kinesisEndpoint, checkHost } = this.#dependencies
    return openKinesis(pipe, kinesisEndpoint, checkHost)
  }

  /** Prepares the table, the positions and the consumer of a run. */
  async #begin(
    pipe: PipeDocument,
    stream: KinesisStream,
    values: FramedValues | null,
    tasks: RunTasks,
  ): Promise<KinesisRun> {
    const { store, engine, pipeWord } = this.#dependencies
    const { signal } = tasks
    const loader = await recordLoader(this.#dependencies, pipe, stream.name, pipeWord, {
      partition: 'String',
      offset: 'String',
      describe: ({ partition, offset: sequence }, name) => `record ${sequence} of ${partition} of ${name}`,
    })
    const positions = await this.#startingPositions(pipe, stream, signal)
    const errorTable = errorTableOf(destinationTableOf(pipe), pipeWord)
    const errors = { engine, pipeId: pipe.id, topic: stream.name, errorTable }
    const passed = passedPlaces(endsOf(positions), await stream.shards(signal))
    const unloaded = await markUnloaded({ ...errors, ...shardOrder, store }, passed)
    const consumer = pipe.source?.kinesis?.useEnhancedFanOut
      ? await registerConsumer(stream, consumerName(pipe.id), signal)
      : null
    const opened = { pipe, stream, values, consumer, positions, loader, unloaded, errors }
    return new KinesisRun(this.#dependencies, opened, tasks)
  }

  /** The stored positions. Those of a pipe that begins with the latest records are stored before it reads. */
  async #startingPositions(
    pipe: PipeDocument,
    stream: KinesisStream,
    signal: AbortSignal,
  ): Promise<Map<string, ShardPosition>> {
    const { store } = this.#dependencies
    const cursors = cursorsOf(pipe.id)
    const stored = await positionsIn(store, pipe.id)
    if (stored.size > 0 || startOf(pipe).type !== 'LATEST') return stored
    const positions = latestPositions(await stream.shards(signal), currentTime())
    await store.write(async (transaction) => {
      for (const [id, position] of positions) {
        await cursors.set(transaction, `${positionPrefix}${id}`, formatPosition(position))
      }
    })
    return positions
  }
}

async function positionsIn(queries: Queries, pipeId: string): Promise<Map<string, ShardPosition>> {
  const stored = await cursorsOf(pipeId).below(queries, positionPrefix)
  return new Map([...stored].map(([id, text]) => [id, parsePosition(text)]))
}
