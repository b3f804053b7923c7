/**
 * The records that a replica has read and not loaded yet. Its shards add to one batch, which is loaded when it is large
 * enough, or when its first record has waited long enough. Readers wait while the batch is full.
 */
import { EventEmitter, once } from 'node:events'
import { currentTime } from '#node/clock/wallClock.ts'
import { RecordBuffer } from '../records/recordBuffer.ts'
import type { ShardPosition } from './shardPositions.ts'

export interface BatchLimits {
  bytes: number
  records: number
  /** Milliseconds. */
  waitMs: number
}

export interface ShardBatch {
  buffer: RecordBuffer
  /** The positions stored once the batch is loaded, by shard. */
  positions: Map<string, ShardPosition>
  /** The shards of the buffer's partitions, and the sequence numbers of its offsets. */
  shardIds: string[]
  sequences: string[]
  /** When its oldest record arrived in the stream, in epoch milliseconds; null without records. */
  oldest: number | null
}

export function shardBatches({ bytes, records, waitMs }: BatchLimits, now: () => number = currentTime) {
  const changes = new EventEmitter().setMaxListeners(0)
  let batch = emptyBatch()
  let since: number | null = null

  const isFull = () => batch.buffer.capacity >= bytes || batch.buffer.readRecords >= records
  const changed = (name: 'added' | 'taken', signal: AbortSignal) => once(changes, name, { signal })

  return {
    /** The oldest record that waits, in epoch milliseconds; null if none does. */
    oldest: () => batch.oldest,
    /** Adds to the batch with `add`. Resolves when there is room for more. */
    async fill(add: (batch: ShardBatch) => void, signal: AbortSignal): Promise<void> {
      add(batch)
      since ??= now()
      changes.emit('added')
      while (isFull()) await changed('taken', signal)
    },
    /** Waits for the next batch. */
    async take(signal: AbortSignal): Promise<ShardBatch> {
      for (;;) {
        signal.throwIfAborted()
        const left = since === null ? null : since + waitMs - now()
        if (isFull() || (left !== null && left <= 0)) break
        await untilAdded(changed, left, signal)
      }
      const taken = batch
      batch = emptyBatch()
      since = null
      changes.emit('taken')
      return taken
    },
  }
}
export type ShardBatches = ReturnType<typeof shardBatches>

export function emptyBatch(): ShardBatch {
  const shardIds: string[] = []
  const sequences: string[] = []
  const buffer = new RecordBuffer(({ partition, offset }) => {
    return { partition: shardIds[partition] ?? '', offset: sequences[offset] ?? '' }
  })
  return { buffer, positions: new Map(), shardIds, sequences, oldest: null }
}

/** Waits for more records, at most `ms`. */
async function untilAdded(
  changed: (name: 'added', signal: AbortSignal) => Promise<unknown>,
  ms: number | null,
  signal: AbortSignal,
): Promise<void> {
  if (ms === null) return void (await changed('added', signal))
  const due = new AbortController()
  const timer = setTimeout(() => due.abort(), ms)
  await changed('added', AbortSignal.any([signal, due.signal])).catch(() => undefined)
  clearTimeout(timer)
}
