/** Parses fetch responses (version 13) without copying or decoding their records. */
import type { Reader } from '@platformatic/kafka'

export interface FetchedPartition {
  partition: number
  errorCode: number
  /** The offset after the last record that all replicas have. */
  highWatermark: number
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
  const topics = reader.readArray((topic) => {
    topic.readUUID()
    return topic.readArray((one) => parsePartition(one))
  })
  return { errorCode, partitions: topics.flat() }
}

function parsePartition(reader: Reader): FetchedPartition {
  const partition = reader.readInt32()
  const errorCode = reader.readInt16()
  const highWatermark = Number(reader.readInt64())
  reader.readInt64() // last stable offset
  const logStartOffset = Number(reader.readInt64())
  const aborted = reader.readNullableArray((one) => ({
    producerId: one.readInt64(),
    firstOffset: Number(one.readInt64()),
  }))
  reader.readInt32() // preferred replica
  const records = reader.readNullableBytes() ?? none
  return { partition, errorCode, highWatermark, logStartOffset, aborted: aborted ?? [], records }
}
