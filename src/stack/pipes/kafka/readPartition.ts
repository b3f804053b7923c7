/** Reads what was fetched of a partition into batches: one batch of records after the other. */
import {
  BatchReader,
  CorruptBatch,
  headersOf,
  recordBatches,
  type RecordBatch,
  type SourceRecord,
} from './recordBatches.ts'
import { NotDecompressible } from '../../compression/notDecompressible.ts'
import type { FetchedPartition } from './fetchResponse.ts'
import type { BatchLimits, KafkaSettings } from './kafkaSettings.ts'
import { schemaOf, type FramedValues } from '../schemas/framedValues.ts'
import type { RecordBuffer } from '../records/recordBuffer.ts'

/** Part of what was fetched. */
interface ReadStep {
  /** Work that must be done before. */
  prepare?(): Promise<void>
  /** Adds records until the batch is full; the next step has the others. @returns the offset to read next */
  into(batch: RecordBuffer): number
}

/** The offsets of the records to read. */
export type Wanted = Pick<ReadonlySet<number>, 'has'>

/** @param wanted by default all from the position on */
export type ReadPartition = (fetched: FetchedPartition, position: number, wanted?: Wanted) => Iterable<ReadStep>

/** Fields of a source that describe the record, as deployments name them. */
const describingFields = [
  '_key',
  '_offset',
  '_partition',
  '_timestamp',
  '_topic',
  '_header_keys',
  '_header_values',
  '_raw_message',
  '_is_deleted',
] as const
type DescribingField = (typeof describingFields)[number]

/** @param fields of the source that become columns */
export function partitionReader(
  topic: string,
  fields: readonly string[],
  settings: Pick<KafkaSettings, 'limits' | 'keepsTombstones'>,
  decoder: FramedValues | null,
): ReadPartition {
  const { limits } = settings
  const rows = new RecordRows(topic, fields, settings, decoder)
  return function* read({ partition, aborted, records }, position, wanted) {
    const skipsAborted = abortedTransactions(aborted)
    for (const recordBatch of recordBatches(records)) {
      const end = recordBatch.lastOffset + 1
      const isSkipped = skipsAborted(recordBatch)
      if (end <= position) continue
      if (isSkipped) {
        yield { into: () => end }
        continue
      }
      // The first batch may begin before the position.
      const place = { next: Math.max(position, recordBatch.firstOffset) }
      let opened: BatchReader | undefined
      const open = () => (opened ??= new BatchReader(recordBatch, limits.unpackedBytes))
      const isWanted = ({ offset }: SourceRecord) => offset >= position && (!wanted || wanted.has(offset))
      for (let isFirst = true; place.next < end; isFirst = false) {
        yield {
          ...(decoder && isFirst && { prepare: () => prepareSchemas(decoder, open, isWanted) }),
          into(batch) {
            if (isFirst) batch.wireBytes += recordBatch.wireBytes
            try {
              const reader = open()
              reader.read(
                (record) => {
                  place.next = Math.max(place.next, record.offset + 1)
                  if (isWanted(record)) rows.add(batch, partition, record)
                },
                () => isFull(batch, limits),
              )
              if (reader.left === 0) place.next = end
            } catch (error) {
              addBadBatch(batch, partition, recordBatch, place.next, error)
              place.next = end
            }
            return place.next
          },
        }
      }
    }
  }
}

/** The records of a topic as rows of its table. */
class RecordRows {
  readonly #topic: string
  readonly #limits: BatchLimits
  readonly #keepsTombstones: boolean
  readonly #decoder: FramedValues | null
  /** The describing fields that become columns. */
  readonly #described: readonly DescribingField[]

  constructor(
    topic: string,
    fields: readonly string[],
    { limits, keepsTombstones }: Pick<KafkaSettings, 'limits' | 'keepsTombstones'>,
    decoder: FramedValues | null,
  ) {
    this.#topic = topic
    this.#limits = limits
    this.#keepsTombstones = keepsTombstones
    this.#decoder = decoder
    this.#described = describingFields.filter((field) => fields.includes(field))
  }

  /** Adds a record to a batch, as a row or as a bad record. */
  add(batch: RecordBuffer, partition: number, record: SourceRecord): void {
    const { offset, timestamp, data, valueAt, valueBytes } = record
    batch.readRecords++
    batch.timestamps += timestamp
    // A record without a value deletes its key in a compacted topic. It has no fields.
    if (valueBytes < 0) {
      if (this.#keepsTombstones) batch.addLine(partition, offset, `{${latin1(this.#describe(record, partition))}}`)
      return
    }
    batch.readBytes += valueBytes
    const { recordBytes } = this.#limits
    if (valueBytes > recordBytes) {
      const reason = `the value has ${valueBytes} bytes, more than the limit of ${recordBytes}`
      batch.addBad({ partition, offset, reason, raw: data.subarray(valueAt, valueAt + valueBytes) })
      return
    }
    const isDescribed = this.#described.length > 0
    const decoder = this.#decoder
    if (!decoder && !isDescribed) return batch.keepJson(partition, offset, data, valueAt, valueAt + valueBytes)
    const prefix = isDescribed ? this.#describe(record, partition) : undefined
    if (!decoder) return batch.addJson(partition, offset, data, valueAt, valueAt + valueBytes, prefix)
    const value = data.subarray(valueAt, valueAt + valueBytes)
    try {
      const json = decoder.toJson(value, recordBytes)
      batch.addLine(partition, offset, prefix ? withMembers(json, latin1(prefix)) : json)
    } catch (error) {
      batch.addBad({ partition, offset, reason: error instanceof Error ? error.message : 'not readable', raw: value })
    }
  }

  /** Members of the JSON object with the fields that describe the record. */
  #describe(record: SourceRecord, partition: number): string {
    const values: Record<DescribingField, () => unknown> = {
      _key: () => textOf(record.data, record.keyAt, record.keyBytes),
      _offset: () => record.offset,
      _partition: () => partition,
      _timestamp: () => new Date(record.timestamp).toISOString().replace('T', ' ').slice(0, -1),
      _topic: () => this.#topic,
      _header_keys: () => headersOf(record).names,
      _header_values: () => headersOf(record).values,
      _raw_message: () => textOf(record.data, record.valueAt, record.valueBytes),
      _is_deleted: () => record.valueBytes < 0,
    }
    const isThere = (field: DescribingField) => field !== '_raw_message' || record.valueBytes >= 0
    return this.#described
      .filter(isThere)
      .map((field) => `"${field}":${JSON.stringify(values[field]())}`)
      .join(',')
  }
}

/**
 * Whether further records go into the next batch. Only copied bytes count: records left in the fetched response take no further
 * memory.
 */
function isFull(batch: RecordBuffer, limits: BatchLimits): boolean {
  return batch.rows >= limits.rows || batch.copiedBytes >= limits.bytes
}

/** How the reason begins for a batch that is bad as a whole. */
export const wholeBatchReason = 'the records at offsets'

/** A batch that cannot be decompressed is bad as a whole. */
function addBadBatch(
  batch: RecordBuffer,
  partition: number,
  recordBatch: RecordBatch,
  offset: number,
  error: unknown,
): void {
  if (!(error instanceof NotDecompressible) && !(error instanceof CorruptBatch)) throw error
  const reason = `${wholeBatchReason} ${offset} to ${recordBatch.lastOffset} cannot be read: ${error.message}`
  batch.addBad({ partition, offset, reason, raw: recordBatch.payload })
  batch.badCount += Math.max(0, recordBatch.lastOffset - offset)
}

async function prepareSchemas(
  decoder: FramedValues,
  open: () => BatchReader,
  isWanted: (record: SourceRecord) => boolean,
): Promise<void> {
  const ids = new Set<number>()
  try {
    const reader = open()
    try {
      reader.read((record) => {
        const id = schemaOf(record.data, record.valueAt, record.valueBytes)
        if (id !== null && isWanted(record)) ids.add(id)
      })
    } finally {
      reader.rewind()
    }
  } catch (error) {
    // Reported when the records are added.
    if (!(error instanceof NotDecompressible) && !(error instanceof CorruptBatch)) throw error
  }
  await decoder.prepare(ids)
}

/** One character for each byte of the UTF-8 form of a text. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

function textOf(data: Buffer, at: number, bytes: number): string | null {
  return bytes < 0 ? null : data.toString('utf8', at, at + bytes)
}

/** A JSON object with further members in front of its own. */
function withMembers(json: string, members: string): string {
  return json === '{}' ? `{${members}}` : `{${members},${json.slice(1)}`
}

/**
 * Whether a batch is to be skipped: it is a marker, or part of a transaction that was aborted. Call it for each batch in
 * order. (The broker sends them, with a list of where aborted transactions begin.)
 */
function abortedTransactions(aborted: FetchedPartition['aborted']): (batch: RecordBatch) => boolean {
  const upcoming = aborted.toSorted((a, b) => a.firstOffset - b.firstOffset)
  const producers = new Set<bigint>()
  return (batch) => {
    while (upcoming[0] && upcoming[0].firstOffset <= batch.lastOffset) {
      const begun = upcoming.shift()
      if (begun) producers.add(begun.producerId)
    }
    if (batch.isControl) {
      producers.delete(batch.producerId)
      return true
    }
    return batch.isTransactional && producers.has(batch.producerId)
  }
}
