/**
 * A replica of a Kafka pipe: a consumer that reads its partitions of the group and loads them in batches. While the engine
 * loads a batch, the replica reads the next one, and begins its load too if both are small. Loads are completed in order.
 */
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { CpuBudget } from '../records/cpuBudget.ts'
import { RecordBuffer } from '../records/recordBuffer.ts'
import { byLeader, problemOf, type Cluster, type Topic } from './cluster.ts'
import type { FetchedPartition } from './fetchResponse.ts'
import type { Assignment, GroupMember } from './groupMember.ts'
import type { BatchLimits } from './kafkaSettings.ts'
import { OrderedLoads } from './orderedLoads.ts'
import type { PartitionProgress } from './partitionProgress.ts'
import type { ReadPartition } from './readPartition.ts'
import type { ResponseBuffers } from './responseFrames.ts'

export interface ReplicaOptions {
  /** The number of the replica. */
  number: number
  cluster: Pick<Cluster, 'fetch' | 'endOf'>
  /** The memory of its responses. */
  buffers: ResponseBuffers
  topic(): Promise<Topic>
  member: Pick<GroupMember, 'assignment' | 'commit'>
  progress: PartitionProgress
  budget: CpuBudget
  limits: BatchLimits
  readPartition: ReadPartition
  /**
   * Loads a batch.
   * @param turn resolves when the loads before are complete, and rejects if one has failed
   * @returns how long the engine worked, in milliseconds
   */
  load(batch: RecordBuffer, signal: AbortSignal, turn: () => Promise<void>): Promise<number>
  /** Handles a partition whose offset the broker does not have. */
  outOfRange(topic: Topic, partition: number, offset: number): Promise<void>
  /** Called when a batch was loaded, or when there is nothing to load. */
  healthy(): void
  /** Reports work in milliseconds of one thread, and the bytes that the replica holds. */
  worked(ms: number, heldBytes: number): void
}

const idleMs = 100
const fetchWaitMs = 500
const offsetOutOfRange = 1
/** A leader moved, or restarted: the next metadata tell where it is. */
const movedErrors = new Set([3, 5, 6, 9, 74, 75, 76, 100])
const maxMoves = 60

/** Reads and loads until the signal fires. @throws whatever makes reading or a load fail */
export async function runReplica(options: ReplicaOptions, signal: AbortSignal): Promise<void> {
  const replica = new Replica(options, signal)
  try {
    await replica.run()
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await replica.end()
  }
}

class Replica {
  readonly #options: ReplicaOptions
  readonly #signal: AbortSignal
  readonly #loads: OrderedLoads
  #assignment: Assignment | null = null
  /** The next offset to read of each partition, ahead of what is loaded. */
  #positions = new Map<number, number>()
  #batch: RecordBuffer
  #batchSince = 0
  /** The buffers of the last responses, which the batches may be parts of. */
  #fetchedBytes = 0
  /** Answers in a row that a leader has moved. */
  #moves = 0

  constructor(options: ReplicaOptions, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#loads = new OrderedLoads(options.limits.bytes)
    this.#batch = this.#newBatch()
  }

  async run(): Promise<void> {
    const { member, budget } = this.#options
    while (!this.#signal.aborted) {
      this.#loads.throwIfFailed()
      const assignment = member.assignment()
      if (assignment?.generation !== this.#assignment?.generation) await this.#takeOver(assignment)
      this.#claimPartitions()
      if (this.#positions.size === 0) {
        if (this.#assignment) this.#options.healthy()
        await abortableSleep(idleMs, this.#signal)
        continue
      }
      await budget.ready(this.#signal)
      await this.#readOnce()
      if (this.#batch.isEmpty && this.#loads.bytes === 0) this.#options.healthy()
      if (this.#isDue()) await this.#flush()
    }
  }

  /** Waits for the loads in progress, and gives the partitions back. */
  async end(): Promise<void> {
    const { progress, number, worked } = this.#options
    await this.#loads.ended()
    progress.release(number, this.#positions.keys())
    worked(0, 0)
  }

  /** Takes over the partitions of an assignment. What was read of others, and not loaded, is read by their new owner. */
  async #takeOver(assignment: Assignment | null): Promise<void> {
    const { progress, number } = this.#options
    await this.#loads.settled()
    progress.release(number, this.#positions.keys())
    this.#batch.release()
    this.#batch = this.#newBatch()
    this.#positions = new Map()
    this.#assignment = assignment
  }

  #claimPartitions(): void {
    const { progress, number } = this.#options
    for (const partition of this.#assignment?.partitions ?? []) {
      if (this.#positions.has(partition)) continue
      const offset = progress.claim(number, partition)
      if (offset !== null) this.#positions.set(partition, offset)
    }
  }

  /** Fetches once from each leader, and reads what they send. */
  async #readOnce(): Promise<void> {
    const { buffers } = this.#options
    const topic = await this.#options.topic()
    const fetched = await this.#fetch(topic)
    this.#fetchedBytes = fetched.reduce((sum, { records }) => sum + records.length, 0)
    for (const partition of fetched) await this.#readFetched(topic, partition)
    for (const response of new Map(fetched.map(({ records }) => [records.buffer, records])).values()) {
      buffers.release(response)
    }
    this.#fetchedBytes = 0
  }

  async #fetch(topic: Topic): Promise<FetchedPartition[]> {
    const { cluster, limits, number } = this.#options
    const untilFlush = this.#batch.isEmpty
      ? fetchWaitMs
      : Math.max(1, this.#batchSince + limits.waitMs - performance.now())
    const leaders = byLeader(topic, [...this.#positions.keys()])
    const requests = [...leaders].map(([leader, partitions]) => ({
      topic,
      leader,
      positions: partitions.map((partition) => ({ partition, offset: this.#positions.get(partition) ?? 0 })),
      maxBytes: Math.floor(limits.fetchBytes / leaders.size),
      maxWaitMs: Math.min(fetchWaitMs, untilFlush),
    }))
    const answers = await Promise.all(requests.map((request) => cluster.fetch(request, `fetch ${number}`)))
    return answers.flat()
  }

  async #readFetched(topic: Topic, fetched: FetchedPartition): Promise<void> {
    const { partition, errorCode } = fetched
    const position = this.#positions.get(partition)
    if (position === undefined) return
    if (errorCode === offsetOutOfRange) return this.#leaveOutOfRange(topic, partition, position)
    if (movedErrors.has(errorCode)) {
      this.#moves++
      if (this.#moves > maxMoves) throw problemOf(errorCode, `partition ${partition} of ${topic.name}`)
      await abortableSleep(fetchWaitMs, this.#signal)
      return
    }
    if (errorCode !== 0) throw problemOf(errorCode, `partition ${partition} of ${topic.name}`)
    this.#moves = 0
    await this.#addToBatch(fetched, position)
  }

  /** The broker does not have the offset of a partition: it is claimed again, at the offset that is chosen for it. */
  async #leaveOutOfRange(topic: Topic, partition: number, position: number): Promise<void> {
    const { progress, number } = this.#options
    await this.#flush()
    await this.#loads.settled()
    await this.#options.outOfRange(topic, partition, position)
    this.#positions.delete(partition)
    progress.release(number, [partition])
  }

  async #addToBatch(fetched: FetchedPartition, position: number): Promise<void> {
    const { cluster, progress, budget, readPartition } = this.#options
    const { partition } = fetched
    progress.end(partition, cluster.endOf(fetched))
    let next = position
    for (const step of readPartition(fetched, position)) {
      // A compressed response may be much more work than its size says.
      await budget.ready(this.#signal)
      await step.prepare?.()
      const begun = performance.now()
      if (this.#batch.isEmpty) this.#batchSince = performance.now()
      const from = next
      next = step.into(this.#batch)
      this.#batch.advance(partition, from, next)
      this.#positions.set(partition, next)
      this.#spend(performance.now() - begun)
      if (this.#isDue()) await this.#flush()
      // Others in this process have their turn.
      await new Promise(setImmediate)
    }
  }

  /** Whether the batch is large enough, or has waited for long enough. */
  #isDue(): boolean {
    const batch = this.#batch
    const { limits } = this.#options
    if (batch.isEmpty) return false
    return (
      batch.rows >= limits.rows ||
      batch.capacity >= limits.bytes ||
      performance.now() >= this.#batchSince + limits.waitMs
    )
  }

  /** Begins the load of the batch, once there is room for it. */
  async #flush(): Promise<void> {
    await this.#loads.untilRoomFor(this.#batch.capacity)
    if (this.#batch.isEmpty) return
    const full = this.#batch
    this.#batch = this.#newBatch()
    this.#loads.begin(full.capacity, (turn) => this.#load(full, turn))
  }

  async #load(full: RecordBuffer, turn: () => Promise<void>): Promise<void> {
    const { load, healthy, member } = this.#options
    this.#spend(await load(full, this.#signal, turn))
    full.release()
    healthy()
    const offsets = new Map([...full.ranges].map(([partition, { to }]) => [partition, to]))
    // Nobody depends on it: the stored offsets are the truth.
    await member.commit(offsets).catch(() => undefined)
  }

  #spend(ms: number): void {
    const { budget, buffers, worked } = this.#options
    budget.spend(ms)
    worked(ms, this.#batch.capacity + this.#loads.bytes + this.#fetchedBytes + buffers.freeBytes)
  }

  #newBatch(): RecordBuffer {
    return new RecordBuffer(undefined, this.#options.buffers)
  }
}
