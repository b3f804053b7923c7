/**
 * A run of a Kinesis pipe: its replicas read the shards of the stream into batches, and load them. Each shard is read by one
 * replica; replicas beyond the number of shards have nothing to do.
 */
import { setMaxListeners } from 'node:events'
import type { Shard } from '@aws-sdk/client-kinesis'
import { currentTime } from '#node/clock/wallClock.ts'
import { counted } from '#domain/text/words.ts'
import type { Queries } from '../../store/store.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import type { Report, RunnerDependencies } from '../loads/pipeRunner.ts'
import { recordNotes } from '../loads/recordNotes.ts'
import { sizeOf, type PipeDocument } from '../model/pipeDocument.ts'
import { cpuBudget } from '../records/cpuBudget.ts'
import type { RecordLoader } from '../records/recordLoad.ts'
import { keepResending, type ResendDependencies } from '../records/resending.ts'
import type { UnloadedRecords } from '../records/unloadedRecords.ts'
import type { FramedValues } from '../schemas/framedValues.ts'
import { addPage, partsOfPage } from './addRecords.ts'
import type { KinesisStream } from './kinesisClient.ts'
import { readShard } from './readShard.ts'
import { streamResend } from './resend.ts'
import { shardBatches, type BatchLimits, type ShardBatch, type ShardBatches } from './shardBatches.ts'
import {
  formatPosition,
  positionPrefix,
  readableShards,
  startingPosition,
  startOf,
  type ShardPosition,
} from './shardPositions.ts'
import { subscribeToShard } from './subscribeToShard.ts'

/** How often new shards are looked for, besides when a shard ends. */
const listEveryMs = 15_000
/** The share of a replica's memory for the records of one batch. Another is loaded at the same time. */
const batchShare = 1 / 32
const recordsAtOnce = 100_000
/** The default of `streaming_max_insert_wait_ms`. */
const defaultWaitMs = 5000

/** The sources and targets of a run. The caller opens them, and closes the stream after the run. */
interface OpenedStream {
  pipe: PipeDocument
  stream: KinesisStream
  /** How values are decoded; null for JSON. */
  values: FramedValues | null
  /** The consumer for enhanced fan-out; null without it. */
  consumer: string | null
  /** The stored positions, by shard. */
  positions: Map<string, ShardPosition>
  loader: RecordLoader
  unloaded: UnloadedRecords
  /** Where records go that cannot be loaded. */
  errors: Omit<ResendDependencies, 'store' | 'loader'>
}

interface Replica {
  batches: ShardBatches
  shards: Set<string>
  /** Waits until the replica may work again. */
  ready(signal: AbortSignal): Promise<void>
  /** Counts work of the replica, in milliseconds. */
  worked(ms: number, bytes: number): void
}

export class KinesisRun {
  readonly #dependencies: RunnerDependencies
  readonly #opened: OpenedStream
  readonly #tasks: RunTasks
  readonly #replicas: readonly Replica[]
  /** How far the last page of each shard was behind its newest record, in milliseconds. */
  readonly #lags = new Map<string, number>()

  constructor(dependencies: RunnerDependencies, opened: OpenedStream, tasks: RunTasks) {
    this.#dependencies = dependencies
    this.#opened = opened
    this.#tasks = tasks
    this.#replicas = Array.from({ length: sizeOf(opened.pipe).replicas }, () => this.#newReplica())
  }

  get replicas(): number {
    return this.#replicas.length
  }

  /** The shards that are being read. */
  get shards(): string[] {
    return this.#replicas.flatMap((replica) => [...replica.shards])
  }

  /** The number of the replica that reads a shard, and how far it is behind, in milliseconds; null if none reads it. */
  readerOf(shard: string): { replica: number; lagMs: number | null } | null {
    const replica = this.#replicas.findIndex(({ shards }) => shards.has(shard))
    return replica === -1 ? null : { replica, lagMs: this.#lags.get(shard) ?? null }
  }

  /** Reads and loads, without end. @throws an error of following the shards; an error of loading aborts the run by its signal */
  async run(report: (report: Report) => Promise<void>): Promise<never> {
    for (const replica of this.#replicas) this.#tasks.add(this.#loadBatches(replica))
    this.#tasks.add(this.#keepResending())
    return this.#followShards(report)
  }

  #newReplica(): Replica {
    const { id } = this.#opened.pipe
    const { replicas, replicaCpuMillicores } = sizeOf(this.#opened.pipe)
    const budget = cpuBudget(replicaCpuMillicores)
    return {
      batches: shardBatches(limitsOf(this.#opened.pipe)),
      shards: new Set(),
      ready: budget.ready,
      worked: (ms, bytes) => {
        budget.spend(ms)
        this.#dependencies.meter.worked(id, { ms, bytes, replicas })
      },
    }
  }

  /** Reads every shard that can be read, also those that appear later. */
  async #followShards(report: (report: Report) => Promise<void>): Promise<never> {
    const { pipe, stream, positions } = this.#opened
    const { signal } = this.#tasks
    for (;;) {
      const shards = await stream.shards(signal)
      for (const shard of readableShards(shards, positions)) this.#assign(shard)
      const sentences = [
        detailOf(stream, this.shards.length, this.replicas),
        ...(await recordNotes(this.#dependencies.store, pipe.id)),
      ]
      await report({ state: 'Running', detail: sentences.join('. ') })
      await this.#untilShardEnds()
    }
  }

  /** Gives a shard that nobody reads to the replica with the fewest. */
  #assign(shard: Shard): void {
    const id = shard.ShardId ?? ''
    if (this.#replicas.some((replica) => replica.shards.has(id))) return
    const [replica] = this.#replicas.toSorted((a, b) => a.shards.size - b.shards.size)
    if (!replica) return
    replica.shards.add(id)
    this.#tasks.add(this.#readInto(replica, shard))
  }

  /** Waits for the end of a shard, whose children can be read then, at most until shards are listed again. */
  async #untilShardEnds(): Promise<void> {
    const { positions } = this.#opened
    const endedNow = () => [...positions.values()].filter((position) => 'ended' in position).length
    const before = endedNow()
    for (const until = performance.now() + listEveryMs; performance.now() < until && endedNow() === before;) {
      await abortableSleep(200, this.#tasks.signal)
    }
  }

  async #readInto(replica: Replica, shard: Shard): Promise<void> {
    const { pipe, stream, consumer, values, positions } = this.#opened
    const { signal } = this.#tasks
    const { meter } = this.#dependencies
    const id = shard.ShardId ?? ''
    const start = startingPosition(positions.get(id), startOf(pipe))
    const pages =
      consumer === null ? readShard(stream, id, start, signal) : subscribeToShard(stream, consumer, id, start, signal)
    for await (const page of pages) {
      this.#lags.set(id, page.millisBehind)
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

  async #loadBatches(replica: Replica): Promise<void> {
    const { pipe, positions } = this.#opened
    const { signal } = this.#tasks
    const { meter } = this.#dependencies
    for (;;) {
      const batch = await replica.batches.take(signal)
      await replica.ready(signal)
      replica.worked(await this.#load(batch), batch.buffer.capacity)
      for (const [id, position] of batch.positions) {
        positions.set(id, position)
        if ('ended' in position) replica.shards.delete(id)
      }
      const { timestamps, readRecords } = batch.buffer
      if (readRecords > 0) meter.loaded(pipe.id, currentTime() - timestamps / readRecords)
      if (replica.batches.oldest() === null) meter.waiting(pipe.id, null)
    }
  }

  /** Loads a batch, and moves the positions with it. @returns the milliseconds that the engine worked */
  async #load({ buffer, positions }: ShardBatch): Promise<number> {
    const { pipe, loader, unloaded } = this.#opened
    const cursors = cursorsOf(pipe.id)
    const move = async (transaction: Queries) => {
      for (const [id, position] of positions) {
        await cursors.set(transaction, `${positionPrefix}${id}`, formatPosition(position))
      }
    }
    return unloaded.load(buffer, move, (whenDone) => loader.load(buffer, whenDone, this.#tasks.signal))
  }

  #keepResending(): Promise<void> {
    const { pipe, stream, values, loader, errors } = this.#opened
    const { store } = this.#dependencies
    const { signal } = this.#tasks
    return keepResending(signal, store, pipe.id, async () => ({
      ...errors,
      store,
      loader,
      source: streamResend({ stream, values, shards: await stream.shards(signal), limits: limitsOf(pipe) }),
    }))
  }
}

/** The parts of a run that go on at the same time. The failure of any of them ends the others. */
export class RunTasks {
  readonly #failure = new AbortController()
  readonly #running = new Set<Promise<void>>()
  /** Fires when the run is stopped, and with the first failure. */
  readonly signal: AbortSignal

  constructor(stopped: AbortSignal) {
    this.signal = AbortSignal.any([stopped, this.#failure.signal])
    // Each shard waits for it.
    setMaxListeners(0, this.signal)
  }

  /** The first failure. */
  get failure(): unknown {
    return this.#failure.signal.reason
  }

  add(task: Promise<void>): void {
    const running: Promise<void> = task
      .catch((error: unknown) => this.fail(error))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  fail(error: unknown): void {
    this.#failure.abort(error)
  }

  /** Resolves once every part has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running)
  }
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
