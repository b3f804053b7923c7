/**
 * The offsets that a pipe has loaded, in the store. They move in the transaction that
 * completes a load, so they are what a pipe continues from. What it commits to its consumer group is only for those who
 * look at the group.
 */
import { z } from 'zod'
import { refuse } from '../../refusal.ts'
import type { Queries, Store } from '../../store/store.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import { noteEarlierStream } from '../records/unloadedRecords.ts'
import type { OffsetRange } from '../records/recordBuffer.ts'

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
