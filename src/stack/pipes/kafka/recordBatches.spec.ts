/** Batches of records, as another implementation writes them, and damaged ones. */
import { createRecordsBatch } from '@platformatic/kafka'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { BatchReader, headersOf, recordBatches } from './recordBatches.ts'

const bytes = fc.uint8Array({ maxLength: 300 }).map((data) => Buffer.from(data))
const message = fc.record({
  key: bytes,
  value: bytes,
  header: fc.string(),
  timestamp: fc.bigInt({ min: 2n ** 40n, max: 2n ** 40n + 2n ** 29n }),
})

const encode = (messages: { key: Buffer; value: Buffer; header: string; timestamp: bigint }[]) =>
  Buffer.from(
    createRecordsBatch(
      messages.map(({ header, ...one }) => ({
        ...one,
        topic: 't',
        headers: new Map([[Buffer.from('h'), Buffer.from(header)]]),
      })),
    ).buffer,
  )

function read(data: Buffer) {
  const found: { key: Buffer; value: Buffer; header: string; timestamp: bigint; offset: number }[] = []
  for (const batch of recordBatches(data)) {
    new BatchReader(batch, 2 ** 20).read((record) => {
      const { keyAt, keyBytes, valueAt, valueBytes } = record
      found.push({
        key: record.data.subarray(keyAt, keyAt + keyBytes),
        value: record.data.subarray(valueAt, valueAt + valueBytes),
        header: headersOf(record).values[0] ?? '',
        timestamp: BigInt(record.timestamp),
        offset: record.offset,
      })
    })
  }
  return found
}

test('records are those that were written, and a batch that is cut off waits', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 20 }), fc.nat(), (messages, cut) => {
      const data = encode(messages)
      expect(read(data)).toEqual(
        messages.map((one, offset) => ({ ...one, header: Buffer.from(one.header).toString(), offset })),
      )
      expect(read(Buffer.concat([data, data.subarray(0, cut % data.length)]))).toHaveLength(messages.length)
    }),
    { numRuns: 100 },
  )
})

test('a changed byte is noticed', () => {
  const data = encode([{ key: Buffer.from('k'), value: Buffer.from('{"id":1}'), header: 'h', timestamp: 1n }])
  fc.assert(
    fc.property(fc.integer({ min: 21, max: data.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(data)
      changed[at] = (changed[at] ?? 0) ^ change
      expect(() => read(changed)).toThrow('wrong checksum')
    }),
  )
})

test('a record without a value is told from an empty one', () => {
  // length, attributes, time, offset, key of 1 byte, no value, no headers
  const payload = Buffer.from([14, 0, 0, 0, 2, 0x6b, 1, 0])
  const batch = {
    firstOffset: 5,
    lastOffset: 5,
    baseTimestamp: 0,
    appendTimestamp: null,
    producerId: -1n,
    isTransactional: false,
    isControl: false,
    recordCount: 1,
    compression: 0,
    wireBytes: 0,
    payload,
  }
  const sizes: number[] = []
  new BatchReader(batch, 100).read((record) => sizes.push(record.offset, record.keyBytes, record.valueBytes))
  expect(sizes).toEqual([5, 1, -1])
  expect(() => new BatchReader({ ...batch, recordCount: 2 ** 31 - 1 }, 100).read(() => undefined)).toThrow('cut off')
})
