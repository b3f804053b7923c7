/**
 * The offsets that a pipe has loaded, in the store, and what a reset makes of them. They move in the transaction that
 * completes a load, so they are what a pipe continues from. What it commits to its consumer group is only for those who
 * look at the group.
 */
import { z } from 'zod'
import { refuse } from '../../refusal.ts'
import type { Queries, Store } from '../../store/store.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import { noteEarlierStream } from '../records/unloadedRecords.ts'
import type { OffsetRange } from '../records/recordBuffer.ts'
import type { OffsetsInput, OffsetsPlan } from '#contract/cloud/pipes/pipeConsumers.ts'
import { earliest, latest, type Cluster, type Topic } from './cluster.ts'

const prefix = 'offset:'
const topicCursor = 'topic'
const lossCursor = 'loss'

const topicState = z.object({ name: z.string(), id: z.string() })

export interface StoredOffsets {
  /** The identity of the topic that the offsets belong to; null before the first start. */
  topic(): Promise<z.infer<typeof topicState> | null>
  /** The next offset of each partition. */
  all(): Promise<Map<number, number>>
  /** Replaces the topic and all offsets. */
  begin(topic: { name: string; id: string }, offsets: ReadonlyMap<number, number>): Promise<void>
  /** Adds a partition that is new. */
  add(partition: number, offset: number): Promise<void>
  /**
   * Moves offsets in the transaction of a load.
   * @throws OffsetsMoved if another load moved them meanwhile
   */
  move(transaction: Queries, ranges: ReadonlyMap<number, OffsetRange>): Promise<void>
  /** Records that the broker no longer has are skipped, and what was lost is stored. */
  skip(partition: number, range: OffsetRange): Promise<void>
  /** The loss since the last start: a sentence; null for nothing. */
  loss(): Promise<string | null>
}

/** Another load of the same pipe moved the offsets of a partition. */
class OffsetsMoved extends Error {
  override name = 'OffsetsMoved'
}

export function storedOffsets(store: Store, pipeId: string, topic: string): StoredOffsets {
  const cursors = cursorsOf(pipeId)
  const nameOf = (partition: number) => `${prefix}${partition}`
  async function topicIn(queries: Queries): Promise<z.infer<typeof topicState> | null> {
    const known = await cursors.get(queries, topicCursor)
    return known === null ? null : topicState.parse(JSON.parse(known))
  }
  return {
    topic: () => topicIn(store),
    all: () => loadedOffsets(store, pipeId),
    async begin(state, offsets) {
      await store.write(async (transaction) => {
        const known = await topicIn(transaction)
        if (known && known.id !== state.id) await noteEarlierStream(transaction, pipeId)
        await cursors.removeBelow(transaction, prefix)
        await cursors.set(transaction, topicCursor, JSON.stringify(state))
        for (const [partition, offset] of offsets) await cursors.set(transaction, nameOf(partition), String(offset))
      })
    },
    async add(partition, offset) {
      await store.write((transaction) => cursors.set(transaction, nameOf(partition), String(offset)))
    },
    async move(transaction, ranges) {
      for (const [partition, { from, to }] of ranges) {
        const stored = await cursors.get(transaction, nameOf(partition))
        if (stored !== String(from))
          throw new OffsetsMoved(`partition ${partition} of ${topic} is at ${stored}, not ${from}`)
        await cursors.set(transaction, nameOf(partition), String(to))
      }
    },
    async skip(partition, { from, to }) {
      await store.write(async (transaction) => {
        const earlier = await cursors.get(transaction, lossCursor)
        const sentence = `offsets ${from} to ${to - 1} of partition ${partition} were deleted by the broker before they were read`
        const stored = await cursors.get(transaction, nameOf(partition))
        if (stored !== String(from)) throw refuse(`partition ${partition} of ${topic} moved meanwhile`)
        await cursors.set(transaction, nameOf(partition), String(to))
        await cursors.set(transaction, lossCursor, earlier ? `${earlier}; ${sentence}`.slice(0, maxSentence) : sentence)
      })
    },
    loss: () => cursors.get(store, lossCursor),
  }
}

const maxSentence = 1000

/** The next offset of each partition. */
export async function loadedOffsets(queries: Queries, pipeId: string): Promise<Map<number, number>> {
  const found = await cursorsOf(pipeId).below(queries, prefix)
  return new Map([...found].map(([partition, offset]) => [Number(partition), Number(offset)]))
}

/** Forgets what was lost, as somebody has seen it: the pipe was started again. */
export async function forgetLoss(queries: Queries, pipeId: string): Promise<void> {
  await cursorsOf(pipeId).removeBelow(queries, lossCursor)
}

/**
 * The effect of a reset of a pipe's offsets.
 * @throws Refusal 400 for a partition or offset that the topic does not have
 */
export async function offsetsPlanOf(
  cluster: Cluster,
  topic: Topic,
  offsets: StoredOffsets,
  input: OffsetsInput,
): Promise<OffsetsPlan> {
  const known = await offsets.topic()
  // The offsets of a topic that was deleted say nothing about this one.
  const stored = known?.id === topic.id ? await offsets.all() : new Map<number, number>()
  const ends = await cluster.offsets(topic, latest)
  const firsts = await cluster.offsets(topic, earliest)
  const target = await targetOf(cluster, topic, input)
  if (input.strategy === 'to_offset') refuseOffset(input, firsts, ends)
  return {
    topic: topic.name,
    partitions: [...ends]
      .toSorted(([a], [b]) => a - b)
      .map(([partition, last]) => {
        const end = last ?? 0
        const from = stored.get(partition) ?? null
        return { partition, from, to: target.get(partition) ?? from ?? end, end }
      }),
  }
}

/** The new offsets; of the other partitions, none. A time after the last record is the end. */
async function targetOf(cluster: Cluster, topic: Topic, input: OffsetsInput): Promise<Map<number, number | null>> {
  const ends = await cluster.offsets(topic, latest)
  switch (input.strategy) {
    case 'from_beginning':
      return cluster.offsets(topic, earliest)
    case 'from_latest':
      return ends
    case 'from_timestamp': {
      const found = await cluster.offsets(topic, Date.parse(`${input.timestamp}Z`))
      return new Map([...ends].map(([partition, end]) => [partition, found.get(partition) ?? end]))
    }
    case 'to_offset':
      return new Map([[input.partition ?? 0, input.offset ?? 0]])
  }
}

function refuseOffset(
  { partition = 0, offset = 0 }: OffsetsInput,
  firsts: ReadonlyMap<number, number | null>,
  ends: ReadonlyMap<number, number | null>,
): void {
  const [first, end] = [firsts.get(partition), ends.get(partition)]
  if (first == null || end == null) throw refuse(`partition: the topic has ${ends.size} partitions, from 0`)
  if (offset < first || offset > end) throw refuse(`offset: partition ${partition} has offsets from ${first} to ${end}`)
}
