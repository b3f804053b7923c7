/** Responses to a fetch, as brokers of several versions write them. */
import { Reader, Writer } from '@platformatic/kafka'
import { expect, test } from 'vitest'
import { parseFetchResponse } from './fetchResponse.ts'

const notLeader = 6

test('reads the partitions after one whose broker says who leads it', () => {
  const partition = (writer: Writer, number: number, errorCode: number, records: Buffer | null) =>
    writer
      .appendInt32(number)
      .appendInt16(errorCode)
      .appendInt64(10n)
      .appendInt64(9n)
      .appendInt64(2n)
      .appendArray([[7n, 3n] as const], (one, [producer, offset]) => one.appendInt64(producer).appendInt64(offset))
      .appendInt32(-1)
      .appendBytes(records)
  const topic = Writer.create()
    .appendInt32(0)
    .appendInt16(0)
    .appendInt32(0)
    .appendUnsignedVarInt(2)
    .appendUUID('00000000-0000-4000-8000-000000000001')
    .appendUnsignedVarInt(3)
  // Tagged fields: how many, then of each its number, its length and its content.
  partition(topic, 0, notLeader, null).appendUnsignedVarInt(2)
  topic
    .appendUnsignedVarInt(1)
    .appendUnsignedVarInt(9)
    .append(Buffer.from([0, 0, 0, 2, 0, 0, 0, 1, 0]))
  topic.appendUnsignedVarInt(2).appendUnsignedVarInt(0)
  partition(topic, 1, 0, Buffer.from('records')).appendTaggedFields()
  topic.appendTaggedFields().appendTaggedFields()

  const parsed = parseFetchResponse(1, 1, 13, Reader.from(topic))

  const aborted = [{ producerId: 7n, firstOffset: 3 }]
  const offsets = { highWatermark: 10, lastStableOffset: 9, logStartOffset: 2 }
  expect(parsed.partitions).toEqual([
    { partition: 0, errorCode: notLeader, ...offsets, aborted, records: Buffer.alloc(0) },
    { partition: 1, errorCode: 0, ...offsets, aborted, records: Buffer.from('records') },
  ])
})
