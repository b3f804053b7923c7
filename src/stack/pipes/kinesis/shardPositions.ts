/**
 * Where to continue in each shard. A position is stored when the records before it are in the table. A shard that was split
 * or merged is read to its end before its children, so that the records of a key stay in order.
 */
import type { Shard, StartingPosition } from '@aws-sdk/client-kinesis'
import { z } from 'zod'
import type { kinesisIterators } from '#contract/cloud/pipes/pipeSources.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'

/** The stored position in a shard. */
const shardPosition = z.union([
  /** The sequence number of the last record in the table. */
  z.strictObject({ after: z.string() }),
  /** Records that arrive from a time on, in epoch milliseconds. */
  z.strictObject({ since: z.number() }),
  z.strictObject({ ended: z.literal(true) }),
])
export type ShardPosition = z.infer<typeof shardPosition>

/** The prefix of the names of stored positions. */
export const positionPrefix = 'shard/'
export const ended: ShardPosition = { ended: true }

export const formatPosition = (position: ShardPosition): string => JSON.stringify(position)
export const parsePosition = (text: string): ShardPosition => shardPosition.parse(JSON.parse(text))

interface StartOption {
  type: (typeof kinesisIterators)[number]
  /** Epoch seconds, for AT_TIMESTAMP. */
  timestamp: number
}

/** Where a pipe begins to read. */
export function startOf(pipe: PipeDocument): StartOption {
  const { iteratorType, timestamp } = pipe.source?.kinesis ?? {}
  // Validated when the pipe was created.
  return { type: (iteratorType ?? 'TRIM_HORIZON') as StartOption['type'], timestamp: Number(timestamp ?? 0) }
}

/**
 * The positions of a pipe that begins with the latest records. They are stored before anything is read, so that records
 * that arrive before a restart are not missed.
 */
export function latestPositions(shards: readonly Shard[], now: number): Map<string, ShardPosition> {
  return new Map(
    shards.map((shard) => [
      shard.ShardId ?? '',
      shard.SequenceNumberRange?.EndingSequenceNumber === undefined ? { since: now } : ended,
    ]),
  )
}

/** The shards that can be read now: not read to their end, while their parents are. */
export function readableShards(shards: readonly Shard[], positions: ReadonlyMap<string, ShardPosition>): Shard[] {
  const listed = new Set(shards.map((shard) => shard.ShardId))
  const isEnded = (id: string) => 'ended' in (positions.get(id) ?? {})
  // The records of a parent that is no longer listed have expired.
  const isOver = (id: string | undefined) => id === undefined || !listed.has(id) || isEnded(id)
  return shards.filter(
    (shard) =>
      shard.ShardId !== undefined &&
      !isEnded(shard.ShardId) &&
      isOver(shard.ParentShardId) &&
      isOver(shard.AdjacentParentShardId),
  )
}

/** Where reading a shard begins: at its stored position, or else where the pipe begins. */
export function startingPosition(position: ShardPosition | undefined, start: StartOption): StartingPosition {
  if (position && 'after' in position) return { Type: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position.after }
  if (position && 'since' in position) return { Type: 'AT_TIMESTAMP', Timestamp: new Date(position.since) }
  // A shard that appears later is a child, of which everything is new.
  if (start.type === 'AT_TIMESTAMP') return { Type: 'AT_TIMESTAMP', Timestamp: new Date(start.timestamp * 1000) }
  return { Type: 'TRIM_HORIZON' }
}
