/** Parses fetch responses (version 13) without copying or decoding their records. */
import type { Reader } from '@platformatic/kafka'

export interface FetchedPartition {
  partition: number
  errorCode: number
  /** The offset after the last record that all replicas have. */
  highWatermark: number
  /** The offset of the first record of a transaction that is still open; the high watermark without one. */
  lastStableOffset: number
  logStartOffset: number
  aborted: { producerId: bigint; firstOffset: number }[]
  records: Buffer
}

export interface FetchResponse {
  errorCode: number
  partitions: FetchedPartition[]
}

const none = Buffer.alloc(0)

export function parseFetchResponse(
  _correlationId: number,
  _key: number,
  _version: number,
  reader: Reader,
): FetchResponse {
  reader.readInt32() // throttle time
  const errorCode = reader.readInt16()
  reader.readInt32() // session
  const topics = arrayOf(reader, (topic) => {
    topic.readUUID()
    return arrayOf(topic, parsePartition)
  })
  return { errorCode, partitions: topics.flat() }
}

function parsePartition(reader: Reader): FetchedPartition {
  const partition = reader.readInt32()
  const errorCode = reader.readInt16()
  const highWatermark = Number(reader.readInt64())
  const lastStableOffset = Number(reader.readInt64())
  const logStartOffset = Number(reader.readInt64())
  const aborted = arrayOf(reader, (abortedReader) => ({
    producerId: abortedReader.readInt64(),
    firstOffset: Number(abortedReader.readInt64()),
  }))
  reader.readInt32() // preferred replica
  const records = reader.readNullableBytes() ?? none
  return { partition, errorCode, highWatermark, lastStableOffset, logStartOffset, aborted, records }
}

/**
 * An array of structures; none for null. The client's own reader does not know tagged fields, with which a broker that does
 * not lead a partition says who does, and misreads all that follows them.
 */
function arrayOf<T>(reader: Reader, parse: (reader: Reader) => T): T[] {
  return (
    reader.readNullableArray(
      (partitionReader) => {
        const parsed = parse(partitionReader)
        for (let left = partitionReader.readUnsignedVarInt(); left > 0; left--) {
          partitionReader.readUnsignedVarInt() // its number
          partitionReader.skip(partitionReader.readUnsignedVarInt())
        }
        return parsed
      },
      true,
      false,
    ) ?? []
  )
}
