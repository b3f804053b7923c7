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
import type { PartitionProgress } from './partitionProgress.ts'
import type { ReadPartition } from './readPartition.ts'
import type { ResponseBuffers } from './responseFrames.ts'

export interface ReplicaOptions {
  /** The number of the replica. */
  number: number
  cluster: Cluster
  /** The memory of its responses. */
  buffers: ResponseBuffers
  topic(): Promise<Topic>
  member: GroupMember
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

/** Loads in progress at a time. */
const maxLoads = 2
const idleMs = 100
const fetchWaitMs = 500
const offsetOutOfRange = 1
/** A leader moved, or restarted: the next metadata tell where it is. */
const movedErrors = new Set([3, 5, 6, 9, 74, 75, 76, 100])
const maxMoves = 60

export async function runReplica(options: ReplicaOptions, signal: AbortSignal): Promise<void> {
  const { cluster, buffers, member, progress, budget, limits, number } = options
  const newBatch = () => new RecordBuffer(undefined, buffers)
  let current = null as Assignment | null // changed by functions below
  /** The next offset to read of each partition, ahead of what is loaded. */
  let positions = new Map<number, number>()
  let batch = newBatch()
  let batchSince = 0
  /** The loads in progress, in order: whether each succeeds. */
  const loads: Promise<boolean>[] = []
  let loadingBytes = 0
  /** The buffers of the last responses, which the batches may be parts of. */
  let fetchedBytes = 0
  let failure: unknown
  let moves = 0

  function spend(ms: number): void {
    budget.spend(ms)
    options.worked(ms, batch.capacity + loadingBytes + fetchedBytes + buffers.freeBytes)
  }

  /** Begins the load of the batch, once there is room: two loads hold no more than one batch may. */
  async function flush(): Promise<void> {
    while (loads.length >= maxLoads || (loads.length > 0 && loadingBytes + batch.capacity > limits.bytes))
      await loads[0]
    if (failure !== undefined) throw failure
    if (batch.isEmpty) return
    const full = batch
    const bytes = full.capacity
    batch = newBatch()
    loadingBytes += bytes
    const before = loads.at(-1)
    const turn = async () => {
      if ((await before) === false) throw failure
    }
    const load = (async () => {
      spend(await options.load(full, signal, turn))
      full.release()
      options.healthy()
      const offsets = new Map([...full.ranges].map(([partition, { to }]) => [partition, to]))
      // Nobody depends on it: the stored offsets are the truth.
      await member.commit(offsets).catch(() => undefined)
      return true
    })()
      .catch((error: unknown) => {
        failure ??= error
        return false
      })
      .finally(() => {
        loadingBytes -= bytes
        loads.splice(loads.indexOf(load), 1)
      })
    loads.push(load)
  }

  /** Whether the batch is large enough, or has waited for long enough. */
  function isDue(): boolean {
    if (batch.isEmpty) return false
    return (
      batch.rows >= limits.rows || batch.capacity >= limits.bytes || performance.now() >= batchSince + limits.waitMs
    )
  }

  /** Waits for the loads in progress. @throws whatever made one fail */
  async function settled(): Promise<void> {
    await Promise.all(loads)
    if (failure !== undefined) throw failure
  }

  /** Takes over the partitions of an assignment. What was read of others, and not loaded, is read by their new owner. */
  async function takeOver(assignment: Assignment | null): Promise<void> {
    await settled()
    progress.release(number, positions.keys())
    batch.release()
    batch = newBatch()
    positions = new Map()
    current = assignment
  }

  function claimPartitions(): void {
    for (const partition of current?.partitions ?? []) {
      if (positions.has(partition)) continue
      const offset = progress.claim(number, partition)
      if (offset !== null) positions.set(partition, offset)
    }
  }

  async function readFetched(topic: Topic, fetched: FetchedPartition): Promise<void> {
    const { partition, errorCode } = fetched
    const position = positions.get(partition)
    if (position === undefined) return
    if (errorCode === offsetOutOfRange) {
      await flush()
      await settled()
      await options.outOfRange(topic, partition, position)
      positions.delete(partition)
      progress.release(number, [partition])
      return
    }
    if (movedErrors.has(errorCode)) {
      moves++
      if (moves > maxMoves) throw problemOf(errorCode, `partition ${partition} of ${topic.name}`)
      await abortableSleep(fetchWaitMs, signal)
      return
    }
    if (errorCode !== 0) throw problemOf(errorCode, `partition ${partition} of ${topic.name}`)
    moves = 0
    progress.end(partition, cluster.endOf(fetched))
    let next = position
    for (const step of options.readPartition(fetched, position)) {
      // A compressed response may be much more work than its size says.
      await budget.ready(signal)
      await step.prepare?.()
      const begun = performance.now()
      if (batch.isEmpty) batchSince = performance.now()
      const from = next
      next = step.into(batch)
      batch.advance(partition, from, next)
      positions.set(partition, next)
      spend(performance.now() - begun)
      if (isDue()) await flush()
      // Others in this process have their turn.
      await new Promise(setImmediate)
    }
  }

  try {
    while (!signal.aborted) {
      if (failure !== undefined) throw failure
      const assignment = member.assignment()
      if (assignment?.generation !== current?.generation) await takeOver(assignment)
      claimPartitions()
      if (positions.size === 0) {
        if (current) options.healthy()
        await abortableSleep(idleMs, signal)
        continue
      }
      await budget.ready(signal)
      const topic = await options.topic()
      const untilFlush = batch.isEmpty ? fetchWaitMs : Math.max(1, batchSince + limits.waitMs - performance.now())
      const leaders = byLeader(topic, [...positions.keys()])
      const answers = await Promise.all(
        [...leaders].map(([leader, partitions]) =>
          cluster.fetch(
            {
              topic,
              leader,
              positions: partitions.map((partition) => ({ partition, offset: positions.get(partition) ?? 0 })),
              maxBytes: Math.floor(limits.fetchBytes / leaders.size),
              maxWaitMs: Math.min(fetchWaitMs, untilFlush),
            },
            `fetch ${number}`,
          ),
        ),
      )
      const fetched = answers.flat()
      fetchedBytes = fetched.reduce((sum, { records }) => sum + records.length, 0)
      for (const partition of fetched) await readFetched(topic, partition)
      for (const response of new Map(fetched.map(({ records }) => [records.buffer, records])).values()) {
        buffers.release(response)
      }
      fetchedBytes = 0
      if (batch.isEmpty && loadingBytes === 0) options.healthy()
      if (isDue()) await flush()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await Promise.all(loads)
    progress.release(number, positions.keys())
    options.worked(0, 0)
  }
}
