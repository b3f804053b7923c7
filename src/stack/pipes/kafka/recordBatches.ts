/** Reads the record batches of a partition (message format 2), as a fetch returns them. */
import { gunzipSync } from 'node:zlib'
import { crc32c } from '@platformatic/kafka'
import { unpackLz4Sync } from '../../compression/lz4.ts'
import { NotDecompressible, readable, roomFor, type TakeRoom } from '../../compression/notDecompressible.ts'
import { unpackSnappyBlock } from '../../compression/snappy.ts'
import { unpackAtOnce } from '../../compression/zlibFormats.ts'
import { unpackZstdSync } from '../../compression/zstd.ts'

export interface RecordBatch {
  firstOffset: number
  lastOffset: number
  /** Epoch milliseconds of the first record. */
  baseTimestamp: number
  /** The time of all records if the broker sets it; null if each has its own. */
  appendTimestamp: number | null
  producerId: bigint
  isTransactional: boolean
  isControl: boolean
  recordCount: number
  compression: number
  /** Bytes as they were sent. */
  wireBytes: number
  /** The records, possibly compressed. */
  payload: Buffer
}

/** A batch that cannot be read now, nor later. */
export class CorruptBatch extends Error {
  override name = 'CorruptBatch'
}

const prefixBytes = 12
const headerBytes = 61

/** The complete batches; the last one of a response may be cut off. @throws CorruptBatch for a wrong checksum or format */
export function* recordBatches(data: Buffer): Generator<RecordBatch> {
  for (let at = 0; at + headerBytes <= data.length;) {
    const end = at + prefixBytes + data.readInt32BE(at + 8)
    if (end > data.length) return
    const firstOffset = Number(data.readBigInt64BE(at))
    if (end < at + headerBytes) throw new CorruptBatch(`the batch at offset ${firstOffset} has no header`)
    const format = data.readInt8(at + 16)
    if (format !== 2) throw new CorruptBatch(`the batch at offset ${firstOffset} has message format ${format}, not 2`)
    if (crc32c(data.subarray(at + 21, end)) !== data.readUInt32BE(at + 17)) {
      throw new CorruptBatch(`the batch at offset ${firstOffset} has a wrong checksum`)
    }
    const attributes = data.readInt16BE(at + 21)
    yield {
      firstOffset,
      lastOffset: firstOffset + data.readInt32BE(at + 23),
      baseTimestamp: Number(data.readBigInt64BE(at + 27)),
      appendTimestamp: attributes & 0b1000 ? Number(data.readBigInt64BE(at + 35)) : null,
      producerId: data.readBigInt64BE(at + 43),
      isTransactional: (attributes & 0b1_0000) !== 0,
      isControl: (attributes & 0b10_0000) !== 0,
      recordCount: data.readInt32BE(at + 57),
      compression: attributes & 0b111,
      wireBytes: end - at,
      payload: data.subarray(at + headerBytes, end),
    }
    at = end
  }
}

/** A record: where its parts are in the data of its batch. A missing key or value has a length of -1. */
export interface SourceRecord {
  offset: number
  timestamp: number
  data: Buffer
  keyAt: number
  keyBytes: number
  valueAt: number
  valueBytes: number
  headersAt: number
}

/** Reads the records of a batch, at once or in parts. */
export class BatchReader {
  readonly #batch: RecordBatch
  readonly #reader: VarintReader
  readonly #record: SourceRecord
  /** How many records were not read yet. */
  left: number

  /** @throws NotDecompressible if the batch cannot be decompressed within `maxBytes` */
  constructor(batch: RecordBatch, maxBytes: number) {
    const data = decompress(batch.compression, batch.payload, maxBytes)
    this.#batch = batch
    this.#reader = new VarintReader(data)
    this.#record = { offset: 0, timestamp: 0, data, keyAt: 0, keyBytes: 0, valueAt: 0, valueBytes: 0, headersAt: 0 }
    this.left = batch.recordCount
  }

  /**
   * Calls `visit` for each record that is left, always with the same object.
   * @param isEnough whether to stop after a record
   * @throws CorruptBatch if the batch is not what its header says
   */
  read(visit: (record: SourceRecord) => void, isEnough: () => boolean = () => false): void {
    while (this.left > 0) {
      this.#next()
      this.left--
      visit(this.#record)
      if (isEnough()) return
    }
  }

  /** Starts again with the first record. */
  rewind(): void {
    this.#reader.at = 0
    this.left = this.#batch.recordCount
  }

  #next(): void {
    const [batch, reader, record] = [this.#batch, this.#reader, this.#record]
    const bytes = reader.next()
    const end = reader.at + bytes
    if (bytes < 0 || end > record.data.length) throw new CorruptBatch('a record is longer than its batch')
    reader.at += 1
    record.timestamp = batch.appendTimestamp ?? batch.baseTimestamp + reader.next()
    record.offset = batch.firstOffset + reader.next()
    record.keyBytes = reader.next()
    record.keyAt = reader.at
    reader.at += Math.max(0, record.keyBytes)
    record.valueBytes = reader.next()
    record.valueAt = reader.at
    record.headersAt = reader.at + Math.max(0, record.valueBytes)
    if (record.headersAt > end || record.keyBytes < -1 || record.valueBytes < -1) {
      throw new CorruptBatch('a record is shorter than its parts')
    }
    reader.at = end
  }
}

/** The headers of a record, as texts. */
export function headersOf({ data, headersAt }: SourceRecord): { names: string[]; values: string[] } {
  const reader = new VarintReader(data, headersAt)
  const names: string[] = []
  const values: string[] = []
  const text = () => {
    const bytes = reader.next()
    const from = reader.at
    reader.at += Math.max(0, bytes)
    if (reader.at > data.length) throw new CorruptBatch('a header is longer than its batch')
    return data.toString('utf8', from, reader.at)
  }
  for (let left = reader.next(); left > 0; left--) {
    names.push(text())
    values.push(text())
  }
  return { names, values }
}

class VarintReader {
  readonly data: Buffer
  at: number

  constructor(data: Buffer, at = 0) {
    this.data = data
    this.at = at
  }

  /** A zigzag number of up to 64 bits; above 2^53 it loses precision. */
  next(): number {
    const { data } = this
    const first = data[this.at++]
    if (first === undefined) throw new CorruptBatch('a record is cut off')
    // Most numbers of a record have one byte or two.
    if (first < 0x80) return (first >>> 1) ^ -(first & 1)
    let value = first & 0x7f
    let scale = 128
    for (let count = 1; count < 10; count++) {
      const byte = data[this.at++]
      if (byte === undefined) throw new CorruptBatch('a record is cut off')
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2
      scale *= 128
    }
    throw new CorruptBatch('a number is too long')
  }
}

/**
 * Decompresses record batches, never beyond a limit: a few bytes may claim to be very many.
 * @param codec the number of the compression in the attributes of a batch
 * @throws NotDecompressible if the data is damaged or larger than `maxBytes` when decompressed
 */
export function decompress(codec: number, data: Buffer, maxBytes: number): Buffer {
  const decoder = decoders[codec]
  if (!decoder) throw new NotDecompressible(`the compression ${codec} is unknown`)
  return decoder(data, maxBytes)
}

type Decoder = (data: Buffer, maxBytes: number) => Buffer

const decoders: readonly Decoder[] = [
  (data) => data,
  (data, maxBytes) => unpackAtOnce(gunzipSync, data, maxBytes),
  (data, maxBytes) => readable(() => unpackSnappy(data, roomFor(maxBytes))),
  (data, maxBytes) => unpackLz4Sync(data, roomFor(maxBytes)),
  unpackZstdSync,
]

/** Java clients write a header and blocks with a length each; others write one block. */
const snappyMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0])
const snappyHeaderBytes = 16

function unpackSnappy(data: Buffer, takeRoom: TakeRoom): Buffer {
  if (!data.subarray(0, snappyMagic.length).equals(snappyMagic)) return unpackSnappyBlock(data, takeRoom)
  const blocks: Buffer[] = []
  for (let at = snappyHeaderBytes; at < data.length;) {
    const end = at + 4 + data.readUInt32BE(at)
    blocks.push(unpackSnappyBlock(data.subarray(at + 4, end), takeRoom))
    at = end
  }
  return Buffer.concat(blocks)
}
