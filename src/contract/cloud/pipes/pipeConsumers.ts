/** Where a streaming pipe is in its topic, and the bad records of a pipe. Operations of the stack beyond the specification. */
import { z } from 'zod'
import { minute } from './pipeSourceInputs.ts'

const offset = z.int().min(0)

export const consumerGroup = z.looseObject({
  topic: z.string(),
  groupId: z.string(),
  partitions: z.array(
    z.looseObject({
      partition: z.int(),
      /** The offset of the next record to load. */
      offset,
      /** The offset after the last record; null while the pipe does not read. */
      end: offset.nullable(),
      /** Records that are not loaded yet; null if unknown. */
      lag: offset.nullable(),
      /** The consumer that reads it, counted from 0; null for none. */
      consumer: z.int().nullable(),
    }),
  ),
  /** How many consumers the pipe has in the group. 0 while it does not run. */
  consumers: z.int(),
})
export type ConsumerGroup = z.infer<typeof consumerGroup>

export const streamShards = z.looseObject({
  stream: z.string(),
  shards: z.array(
    z.looseObject({
      shard: z.string(),
      /** The sequence number of the last record that was loaded; null before the first. */
      sequenceNumber: z.string().nullable(),
      /** Whether it was split or merged, and read to its end. */
      ended: z.boolean(),
      /** How far the last record that was read is behind the newest, in milliseconds; null while it is not read. */
      lagMs: z.number().nullable(),
      /** The replica that reads it, counted from 0; null for none. */
      replica: z.int().nullable(),
    }),
  ),
  /** 0 while the pipe does not run. */
  replicas: z.int(),
})
export type StreamShards = z.infer<typeof streamShards>

/** How many bad records of a pipe are returned: the newest. */
export const shownBadRecords = 100

export const badRecord = z.looseObject({
  /** When it was read. */
  at: z.string(),
  /** The topic, stream, path of the file, or table. */
  topic: z.string(),
  /** The partition, the shard, or the columns of the table's key. */
  partition: z.string(),
  /** The offset, sequence number, line, or key. */
  offset: z.string(),
  reason: z.string(),
  /** The beginning of its value. */
  raw: z.string(),
  /** The size of its value in bytes. */
  rawBytes: z.number(),
})
export type BadRecord = z.infer<typeof badRecord>

export const resendRequest = z.looseObject({
  /** Bad records that were read until then are loaded again, while the pipe runs. */
  requestedAt: z.string(),
})
export type ResendRequest = z.infer<typeof resendRequest>

const offsetStrategies = ['from_beginning', 'from_latest', 'from_timestamp', 'to_offset'] as const

/** Where a pipe is to continue. */
export const offsetsInput = z
  .strictObject({
    strategy: z.enum(offsetStrategies),
    timestamp: minute.optional(),
    /** For `to_offset`. The other partitions stay where they are. */
    partition: z.int().min(0).optional(),
    offset: offset.optional(),
  })
  .refine(
    ({ strategy, timestamp }) => strategy !== 'from_timestamp' || timestamp !== undefined,
    'from_timestamp needs a timestamp',
  )
  .refine(
    ({ strategy, partition, offset: to }) => strategy !== 'to_offset' || (partition !== undefined && to !== undefined),
    'to_offset needs a partition and an offset',
  )
export type OffsetsInput = z.infer<typeof offsetsInput>

export const offsetsPlan = z.looseObject({
  topic: z.string(),
  partitions: z.array(
    z.looseObject({
      partition: z.int(),
      /** Where the pipe is; null for a partition that it has not read. */
      from: offset.nullable(),
      to: offset,
      /** The offset after the last record. */
      end: offset,
    }),
  ),
})
export type OffsetsPlan = z.infer<typeof offsetsPlan>
