/** Reads bad records of a stream again, at their sequence numbers: see `records/resending.ts`. */
import type { Shard } from '@aws-sdk/client-kinesis'
import { z } from 'zod'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { RecordBuffer, RecordPlace } from '../records/recordBuffer.ts'
import { lostRecord, type ResendSource } from '../records/resending.ts'
import type { Places } from '../records/streamErrors.ts'
import type { FramedValues } from '../schemas/framedValues.ts'
import { addRecord, partitionIn, rangeOf } from './addRecords.ts'
import type { KinesisStream } from './kinesisClient.ts'
import { recordsFrom } from './readShard.ts'
import { emptyBatch, type BatchLimits } from './shardBatches.ts'
import type { ShardPosition } from './shardPositions.ts'

/** Records of the stream: each may be several in the table of bad records. */
const recordsAtOnce = 500
/** A shard has five reads a second, which this pipe also needs for new records. */
const msBetweenReads = 250
/** More than any sequence number. */
const wholeShard = '9'.repeat(70)

/** The sequence number of a place. It is too long for other types. */
const sequenceOf = "toUInt256OrZero(extract(offset, '^[0-9]+'))"

const storedEnds = z.array(z.tuple([z.string(), z.string()]))

/** How far a pipe has loaded its shards: up to which sequence number. A request stores it. */
export function endsOf(positions: ReadonlyMap<string, ShardPosition>): [shard: string, end: string][] {
  return [...positions].flatMap(([shard, position]): [string, string][] => {
    if ('ended' in position) return [[shard, wholeShard]]
    return 'after' in position ? [[shard, position.after]] : []
  })
}

/** The order of the records of a shard. */
export const shardOrder = {
  positionSql: sequenceOf,
  positionOf: (offset: RecordPlace['offset']) => BigInt(/^\d+/.exec(String(offset))?.[0] ?? 0),
}

/** The places that were loaded, or that nobody will read: those of shards that have expired. @param shards that the stream has */
export function passedPlaces(
  ends: readonly (readonly [shard: string, end: string])[],
  shards: readonly Shard[],
): Places {
  const known = [...ends, ['', '0'] as const]
  return {
    condition: `(${sequenceOf} <= toUInt256(transform(partition, {shards:Array(String)}, {ends:Array(String)}, '0'))
      OR NOT has({listed:Array(String)}, partition))`,
    params: {
      shards: known.map(([shard]) => shard),
      ends: known.map(([, end]) => end),
      listed: shards.map(({ ShardId }) => ShardId ?? ''),
    },
  }
}

interface StreamDependencies {
  stream: KinesisStream
  shards: readonly Shard[]
  /** How values are decoded; null for JSON. */
  values: FramedValues | null
  limits: Pick<BatchLimits, 'bytes'>
}

/** The bad records that one record of the stream had. */
interface StoredRecord {
  shard: string
  sequence: string
  /** Place, reason, value, and its size. */
  bad: readonly [offset: string, reason: string, raw: string, rawBytes: string][]
}

export function streamResend(parts: StreamDependencies): ResendSource<StoredRecord> {
  return {
    loaded: (text) => passedPlaces(storedEnds.parse(JSON.parse(text)), parts.shards),
    next(rows, place) {
      const [shard = '', sequence = '0'] = place?.split(':') ?? []
      return {
        sql: `SELECT partition AS shard, toString(${sequenceOf}) AS sequence,
            groupArray(tuple(offset, reason, raw, toString(raw_bytes))) AS bad
          FROM ${rows} WHERE (partition, ${sequenceOf}) > ({shard:String}, toUInt256({sequence:String}))
          GROUP BY partition, ${sequenceOf} ORDER BY partition, ${sequenceOf} LIMIT ${recordsAtOnce}`,
        params: { shard, sequence },
      }
    },
    readAgain: (records, signal) => readAgain(parts, records, signal),
  }
}

/** Reads records of the stream again, until the batch is full. @returns the place of the last one */
async function readAgain(
  { stream, shards, values, limits }: StreamDependencies,
  records: readonly StoredRecord[],
  signal: AbortSignal,
): Promise<{ batch: RecordBuffer; last: string }> {
  const batch = emptyBatch()
  const { buffer } = batch
  /** The last records that were read from the stream. */
  let page: { shard: string; records: Awaited<ReturnType<typeof recordsFrom>> } | null = null
  let last = ''
  for (const { shard, sequence, bad } of records) {
    signal.throwIfAborted()
    const listed = shards.find(({ ShardId }) => ShardId === shard)
    const isIn = () =>
      page?.shard === shard ? page.records.find(({ SequenceNumber }) => SequenceNumber === sequence) : undefined
    if (listed && !isIn()) {
      if (page) await abortableSleep(msBetweenReads, signal)
      const wanted = records.filter((record) => record.shard === shard).length
      page = { shard, records: await recordsFrom(stream, shard, sequence, wanted, signal) }
    }
    const found = isIn()
    const partition = partitionIn(batch, shard)
    const before = batch.sequences.length
    if (listed && found) {
      const wanted = new Set(bad.map(([offset]) => offset))
      addRecord(batch, partition, found, { range: rangeOf(listed), values, wanted })
    }
    const read = new Set(batch.sequences.slice(before))
    for (const [offset, reason, raw, raw_bytes] of bad) {
      if (read.has(offset)) continue
      const place = { partition, offset: batch.sequences.push(offset) - 1 }
      buffer.addBad(lostRecord({ reason, raw, raw_bytes }, place, 'stream'))
    }
    last = `${shard}:${sequence}`
    if (buffer.capacity >= limits.bytes) break
  }
  return { batch: buffer, last }
}
