/** Adds the records of a page to a batch: unpacked, and one JSON object a row. */
import type { Shard, _Record } from '@aws-sdk/client-kinesis'
import { currentTime } from '#node/clock/wallClock.ts'
import type { RecordBuffer } from '../records/recordBuffer.ts'
import type { FramedValues } from '../schemas/framedValues.ts'
import { userRecords, type HashKeyRange } from './aggregatedRecords.ts'
import type { ShardPage } from './readShard.ts'
import type { ShardBatch } from './shardBatches.ts'
import { ended } from './shardPositions.ts'

const openBrace = 0x7b
const lineBreak = 0x0a

/** @param values how they are decoded; null for JSON */
export function addPage(batch: ShardBatch, shard: Shard, page: ShardPage, values: FramedValues | null): void {
  const id = shard.ShardId ?? ''
  const partition = partitionIn(batch, id)
  const range = rangeOf(shard)
  for (const record of page.records) addRecord(batch, partition, record, { range, values })
  const last = page.records.at(-1)?.SequenceNumber
  if (last !== undefined) batch.positions.set(id, { after: last })
  if (page.isLast) batch.positions.set(id, ended)
}

/** The parts of a page that are added to a batch at a time: few bytes of a record may stand for a large object. */
export function* partsOfPage(page: ShardPage, values: FramedValues | null): Generator<ShardPage> {
  if (!values || page.records.length < 2) return yield page
  for (const [at, record] of page.records.entries()) {
    yield { ...page, records: [record], isLast: page.isLast && at === page.records.length - 1 }
  }
}

/** The number of a shard in a batch. */
export function partitionIn({ shardIds }: ShardBatch, shardId: string): number {
  const known = shardIds.indexOf(shardId)
  return known < 0 ? shardIds.push(shardId) - 1 : known
}

/** The hash keys of a shard. */
export function rangeOf({ HashKeyRange: range }: Shard): HashKeyRange {
  return {
    first: BigInt(range?.StartingHashKey ?? 0),
    last: BigInt(range?.EndingHashKey ?? '340282366920938463463374607431768211455'),
  }
}

interface RecordReading {
  /** The hash keys of the shard. */
  range: HashKeyRange
  values: FramedValues | null
  /** The places of the rows to add, as the table of bad records has them. Default: all. */
  wanted?: Pick<ReadonlySet<string>, 'has'>
}

export function addRecord(
  batch: ShardBatch,
  partition: number,
  record: _Record,
  { range, values, wanted }: RecordReading,
): void {
  const { buffer } = batch
  const data = record.Data ?? new Uint8Array()
  const arrived = record.ApproximateArrivalTimestamp?.getTime() ?? currentTime()
  buffer.wireBytes += data.byteLength
  batch.oldest = Math.min(batch.oldest ?? arrived, arrived)
  const parts = userRecords(data, range)
  let room = maxDecodedRecord
  for (const [at, part] of parts.entries()) {
    const sequence = record.SequenceNumber ?? ''
    const place = parts.length > 1 ? `${sequence}/${at}` : sequence
    buffer.readRecords += 1
    buffer.readBytes += part.byteLength
    buffer.timestamps += arrived
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    const rows = values ? [[0, bytes.length] as const] : rowsIn(bytes)
    for (const [line, [from, to]] of rows.entries()) {
      const rowPlace = rows.length > 1 ? `${place}:${line}` : place
      if (wanted && !wanted.has(rowPlace)) continue
      const offset = batch.sequences.push(rowPlace) - 1
      if (values) room -= addDecoded(buffer, { partition, offset }, { bytes, values, room })
      else buffer.addJson(partition, offset, bytes, from, to)
    }
  }
}

/** The largest object that a value may stand for, in bytes. */
export const maxDecoded = 16 * 1024 ** 2
/** The largest object that all parts of a record may stand for together, in bytes: a record is loaded as a whole. */
const maxDecodedRecord = 4 * maxDecoded

interface EncodedValue {
  bytes: Buffer
  values: FramedValues
  /** How large its object may be, in bytes. */
  room: number
}

/** @returns the bytes of the object; 0 for a bad record */
function addDecoded(
  buffer: RecordBuffer,
  { partition, offset }: { partition: number; offset: number },
  { bytes, values, room }: EncodedValue,
): number {
  try {
    const line = values.toJson(bytes, Math.min(maxDecoded, room))
    buffer.addLine(partition, offset, line)
    return line.length
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not readable'
    buffer.addBad({ partition, offset, reason, raw: bytes })
    return 0
  }
}

/** A record is one JSON object, or several, each on a line of its own, as delivery services write them. */
function rowsIn(data: Buffer): [from: number, to: number][] {
  const rows: [number, number][] = []
  for (let from = 0; from < data.length;) {
    const end = data.indexOf(lineBreak, from)
    const to = end < 0 ? data.length : end
    if (data[from] === openBrace) rows.push([from, to])
    // An object on several lines.
    else if (data.toString('utf8', from, to).trim() !== '') return [[0, data.length]]
    from = to + 1
  }
  return rows.length > 1 && rows.every(([from, to]) => isJson(data, from, to)) ? rows : [[0, data.length]]
}

function isJson(data: Buffer, from: number, to: number): boolean {
  try {
    JSON.parse(data.toString('utf8', from, to))
    return true
  } catch {
    return false
  }
}
