/**
 * Runs Kinesis pipes. Each shard is read by one replica; replicas beyond the number of shards have nothing to do. The
 * position in each shard is stored in the transaction that completes the load of its records.
 */
import { setMaxListeners } from 'node:events'
import type { Shard } from '@aws-sdk/client-kinesis'
import type { StreamShards } from '#contract/cloud/pipes/pipeConsumers.ts'
import type { Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { counted } from '#domain/text/words.ts'
import { checkDestination, destinationTableOf } from '../loads/destinationTable.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import { recordNotes } from '../loads/recordNotes.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { PipeRunner, Report, RunnerDependencies } from '../loads/pipeRunner.ts'
import { sizeOf, type PipeDocument } from '../model/pipeDocument.ts'
import { cpuBudget } from '../records/cpuBudget.ts'
import { errorTableOf } from '../records/errorTable.ts'
import { recordLoader, type RecordLoader } from '../records/recordLoad.ts'
import { keepResending, requestResend } from '../records/resending.ts'
import type { FramedValues } from '../schemas/framedValues.ts'
import { markUnloaded, type UnloadedRecords } from '../records/unloadedRecords.ts'
import { addPage, partsOfPage } from './addRecords.ts'
import type { Queries } from '../../store/store.ts'
import { openKinesis, type KinesisStream } from './kinesisClient.ts'
import { readShard } from './readShard.ts'
import { valuesOf } from './valuesOf.ts'
import { endsOf, passedPlaces, shardOrder, streamResend } from './resend.ts'
import { sampleStream } from './sampleStream.ts'
import { describeRecords } from '../loads/sourceSample.ts'
import { consumerName, deregisterConsumer, registerConsumer, subscribeToShard } from './subscribeToShard.ts'
import { shardBatches, type BatchLimits, type ShardBatch, type ShardBatches } from './shardBatches.ts'
import {
  formatPosition,
  latestPositions,
  parsePosition,
  positionPrefix,
  readableShards,
  startingPosition,
  type ShardPosition,
  type StartOption,
} from './shardPositions.ts'

/** How long the cleanup in the stream of a deleted pipe may take. */
const forgetMs = 20_000
/** How often new shards are looked for, besides when a shard ends. */
const listEveryMs = 15_000
/** The share of a replica's memory for the records of one batch. Another is loaded at the same time. */
const batchShare = 1 / 32
const recordsAtOnce = 100_000
/** The default of `streaming_max_insert_wait_ms`. */
const defaultWaitMs = 5000

interface KinesisRun {
  pipe: PipeDocument
  stream: KinesisStream
  /** How values are decoded; null for JSON. */
  values: FramedValues | null
  /** The consumer for enhanced fan-out; null without it. */
  consumer: string | null
  loader: RecordLoader
  unloaded: UnloadedRecords
  positions: Map<string, ShardPosition>
  replicas: Replica[]
  /** How far the last page of each shard was behind its newest record, in milliseconds. */
  lags: Map<string, number>
  /** Aborts with the failure of any part of the run. */
  signal: AbortSignal
}

interface Replica {
  batches: ShardBatches
  shards: Set<string>
  /** Waits until the replica may work again. */
  ready(signal: AbortSignal): Promise<void>
  /** Counts work of the replica, in milliseconds. */
  worked(ms: number, bytes: number): void
}

export function kinesisRunner(parts: RunnerDependencies): PipeRunner {
  const { store, engine, checkHost, meter, kinesisEndpoint, pipeWord } = parts
  const runs = new Map<string, KinesisRun>()

  async function check(pipe: PipeDocument): Promise<void> {
    await openKinesis(pipe, kinesisEndpoint, checkHost).close()
    valuesOf(pipe)
    await checkDestination(pipe, engine)
  }

  async function run(
    pipe: PipeDocument,
    report: (report: Report) => Promise<void>,
    signal: AbortSignal,
  ): Promise<null> {
    const values = valuesOf(pipe)
    const stream = openKinesis(pipe, kinesisEndpoint, checkHost)
    const failure = new AbortController()
    const inner = AbortSignal.any([signal, failure.signal])
    // Each shard waits for it.
    setMaxListeners(0, inner)
    const tasks = new Set<Promise<void>>()
    /** Keeps a part of the run. Its failure ends the others. */
    const keep = (task: Promise<void>) => {
      const kept: Promise<void> = task.catch((error: unknown) => failure.abort(error)).finally(() => tasks.delete(kept))
      tasks.add(kept)
    }
    try {
      const loader = await recordLoader(parts, pipe, stream.name, pipeWord, {
        partition: 'String',
        offset: 'String',
        describe: ({ partition, offset: sequence }, name) => `record ${sequence} of ${partition} of ${name}`,
      })
      const positions = await storedPositions(pipe, stream, inner)
      const errorTable = errorTableOf(destinationTableOf(pipe), pipeWord)
      const errors = { engine, pipeId: pipe.id, topic: stream.name, errorTable }
      const passed = passedPlaces(endsOf(positions), await stream.shards(inner))
      const unloaded = await markUnloaded({ ...errors, ...shardOrder, store }, passed)
      const replicas = Array.from({ length: sizeOf(pipe).replicas }, () => newReplica(pipe))
      const consumer = pipe.source?.kinesis?.useEnhancedFanOut
        ? await registerConsumer(stream, consumerName(pipe.id), inner)
        : null
      const run: KinesisRun = {
        pipe,
        stream,
        values,
        consumer,
        loader,
        unloaded,
        positions,
        replicas,
        lags: new Map(),
        signal: inner,
      }
      runs.set(pipe.id, run)
      for (const replica of replicas) keep(loadBatches(run, replica))
      const resending = keepResending(inner, store, pipe.id, async () => ({
        ...errors,
        store,
        loader,
        source: streamResend({ stream, values, shards: await stream.shards(inner), limits: limitsOf(pipe) }),
      }))
      keep(resending)
      await followShards(run, keep, report)
    } catch (error) {
      failure.abort(error)
    } finally {
      await Promise.all(tasks)
      runs.delete(pipe.id)
      meter.waiting(pipe.id, null)
      await stream.close()
    }
    signal.throwIfAborted()
    throw failure.signal.reason
  }

  function newReplica(pipe: PipeDocument): Replica {
    const { replicas, replicaCpuMillicores } = sizeOf(pipe)
    const budget = cpuBudget(replicaCpuMillicores)
    return {
      batches: shardBatches(limitsOf(pipe)),
      shards: new Set(),
      ready: budget.ready,
      worked(ms, bytes) {
        budget.spend(ms)
        meter.worked(pipe.id, { ms, bytes, replicas })
      },
    }
  }

  /** The stored positions. Those of a pipe that begins with the latest records are stored before it reads. */
  async function storedPositions(
    pipe: PipeDocument,
    stream: KinesisStream,
    signal: AbortSignal,
  ): Promise<Map<string, ShardPosition>> {
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

  /** Reads every shard that can be read, also those that appear later. */
  async function followShards(
    run: KinesisRun,
    keep: (task: Promise<void>) => void,
    report: (report: Report) => Promise<void>,
  ): Promise<void> {
    const { stream, positions, replicas, signal } = run
    for (;;) {
      const shards = await stream.shards(signal)
      for (const shard of readableShards(shards, positions)) {
        const id = shard.ShardId ?? ''
        if (replicas.some((replica) => replica.shards.has(id))) continue
        const [replica] = replicas.toSorted((a, b) => a.shards.size - b.shards.size)
        if (!replica) continue
        replica.shards.add(id)
        keep(readInto(replica, shard, run))
      }
      const reading = replicas.reduce((sum, replica) => sum + replica.shards.size, 0)
      const detail = [detailOf(stream, reading, replicas.length), ...(await recordNotes(store, run.pipe.id))].join('. ')
      await report({ state: 'Running', detail })
      await untilShardEnds(positions, signal)
    }
  }

  /** Waits for the end of a shard, whose children can be read then, at most until shards are listed again. */
  async function untilShardEnds(positions: ReadonlyMap<string, ShardPosition>, signal: AbortSignal): Promise<void> {
    const endedNow = () => [...positions.values()].filter((position) => 'ended' in position).length
    const before = endedNow()
    for (const until = performance.now() + listEveryMs; performance.now() < until && endedNow() === before;) {
      await abortableSleep(200, signal)
    }
  }

  async function readInto(
    replica: Replica,
    shard: Shard,
    { pipe, stream, consumer, values, positions, lags, signal }: KinesisRun,
  ): Promise<void> {
    const id = shard.ShardId ?? ''
    const start = startingPosition(positions.get(id), startOf(pipe))
    const pages =
      consumer === null ? readShard(stream, id, start, signal) : subscribeToShard(stream, consumer, id, start, signal)
    for await (const page of pages) {
      lags.set(id, page.millisBehind)
      meter.waiting(pipe.id, page.millisBehind > 0 ? currentTime() - page.millisBehind : replica.batches.oldest())
      if (page.records.length === 0 && !page.isLast) continue
      for (const part of partsOfPage(page, values)) {
        await replica.ready(signal)
        const add = (batch: ShardBatch) => {
          const began = performance.now()
          addPage(batch, shard, part, values)
          replica.worked(performance.now() - began, batch.buffer.capacity)
        }
        await replica.batches.fill(add, signal)
      }
    }
  }

  async function loadBatches(
    { pipe, loader, unloaded, positions, signal }: KinesisRun,
    replica: Replica,
  ): Promise<void> {
    for (;;) {
      const batch = await replica.batches.take(signal)
      await replica.ready(signal)
      replica.worked(await load(batch), batch.buffer.capacity)
      for (const [id, position] of batch.positions) {
        positions.set(id, position)
        if ('ended' in position) replica.shards.delete(id)
      }
      const { timestamps, readRecords } = batch.buffer
      if (readRecords > 0) meter.loaded(pipe.id, currentTime() - timestamps / readRecords)
      if (replica.batches.oldest() === null) meter.waiting(pipe.id, null)
    }

    async function load(batch: ShardBatch): Promise<number> {
      const cursors = cursorsOf(pipe.id)
      const move = async (transaction: Queries) => {
        for (const [id, position] of batch.positions) {
          await cursors.set(transaction, `${positionPrefix}${id}`, formatPosition(position))
        }
      }
      return unloaded.load(batch.buffer, move, (whenDone) => loader.load(batch.buffer, whenDone, signal))
    }
  }

  async function forget(pipe: PipeDocument): Promise<void> {
    if (!pipe.source?.kinesis?.useEnhancedFanOut) return
    const stream = openKinesis(pipe, kinesisEndpoint, checkHost)
    try {
      await deregisterConsumer(stream, consumerName(pipe.id), AbortSignal.timeout(forgetMs))
    } finally {
      await stream.close()
    }
  }

  async function sample(pipe: PipeDocument, signal: AbortSignal): Promise<Discovery> {
    const values = valuesOf(pipe)
    const stream = openKinesis(pipe, kinesisEndpoint, checkHost)
    try {
      return await describeRecords(await sampleStream(stream, values, signal), engine)
    } finally {
      await stream.close()
    }
  }

  async function shards(pipe: PipeDocument): Promise<StreamShards> {
    const run = runs.get(pipe.id)
    const stored = await positionsIn(store, pipe.id)
    const replicas = run?.replicas ?? []
    const ids = new Set([...stored.keys(), ...replicas.flatMap((replica) => [...replica.shards])])
    return {
      stream: pipe.source?.kinesis?.streamName ?? '',
      replicas: replicas.length,
      shards: [...ids].toSorted().map((shard) => {
        const position = stored.get(shard) ?? null
        const replica = replicas.findIndex(({ shards }) => shards.has(shard))
        return {
          shard,
          sequenceNumber: position && 'after' in position ? position.after : null,
          ended: position !== null && 'ended' in position,
          lagMs: replica === -1 ? null : (run?.lags.get(shard) ?? null),
          replica: replica === -1 ? null : replica,
        }
      }),
    }
  }

  const resend = async ({ id }: PipeDocument) => ({
    requestedAt: await requestResend(store, id, async (transaction) =>
      JSON.stringify(endsOf(await positionsIn(transaction, id))),
    ),
  })

  return { check, sample, run, forget, shards, resend }
}

async function positionsIn(queries: Queries, pipeId: string): Promise<Map<string, ShardPosition>> {
  const stored = await cursorsOf(pipeId).below(queries, positionPrefix)
  return new Map([...stored].map(([id, text]) => [id, parsePosition(text)]))
}

function startOf(pipe: PipeDocument): StartOption {
  const { iteratorType, timestamp } = pipe.source?.kinesis ?? {}
  // Validated when the pipe was created.
  return { type: (iteratorType ?? 'TRIM_HORIZON') as StartOption['type'], timestamp: Number(timestamp ?? 0) }
}

function limitsOf(pipe: PipeDocument): BatchLimits {
  const waitMs = pipe.settings?.['streaming_max_insert_wait_ms']
  return {
    bytes: sizeOf(pipe).replicaMemoryGb * 2 ** 30 * batchShare,
    records: recordsAtOnce,
    waitMs: typeof waitMs === 'number' ? waitMs : defaultWaitMs,
  }
}

function detailOf(stream: KinesisStream, shards: number, replicas: number): string {
  const idle = replicas - shards
  const what = `reading ${counted(shards, 'shard')} of ${stream.name}`
  return idle > 0 ? `${what}. ${idle} of ${replicas} replicas have no shard to read` : what
}
