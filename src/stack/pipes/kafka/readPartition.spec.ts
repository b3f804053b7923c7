/** The handling of fetched records: tombstones as rows, and values with a schema of the pipe's own. */
import { crc32c, createRecordsBatch } from '@platformatic/kafka'
import protobuf from 'protobufjs'
import { expect, test } from 'vitest'
import { RecordBuffer } from '../records/recordBuffer.ts'
import { partitionReader } from './readPartition.ts'
import { valuesOf } from './kafkaSettings.ts'

const limits = {
  rows: 100,
  bytes: 100_000,
  waitMs: 100,
  recordBytes: 10_000,
  fetchBytes: 100_000,
  unpackedBytes: 100_000,
}

interface Message {
  key: string
  /** Null for a tombstone. */
  value: Buffer | null
}

/** The rows that a partition with these records gives. */
async function rowsOf(
  messages: readonly Message[],
  fields: readonly string[],
  options: { keepsTombstones?: boolean; protobufSchema?: Buffer },
): Promise<unknown[]> {
  const sent = messages.map(({ key, value }) => ({
    topic: 't',
    key: Buffer.from(key),
    value: value ?? Buffer.alloc(0),
    timestamp: 1n,
  }))
  const records = Buffer.from(createRecordsBatch(sent).buffer)
  if (messages.at(-1)?.value === null) markTombstone(records)
  const values = valuesOf({ protobufSchema: options.protobufSchema ?? null }, null)
  const read = partitionReader('t', fields, { limits, keepsTombstones: options.keepsTombstones ?? false }, values)
  const end = messages.length
  const offsets = { highWatermark: end, lastStableOffset: end, logStartOffset: 0 }
  const batch = new RecordBuffer()
  for (const step of read({ partition: 0, errorCode: 0, ...offsets, aborted: [], records }, 0)) {
    await step.prepare?.()
    step.into(batch)
  }
  expect(batch.bad).toEqual([])
  return Array.from({ length: batch.rows }, (_, at) => JSON.parse(batch.line(at).toString()))
}

/** Gives the last record of a batch no value instead of an empty one: the client does not write it. Its checksum follows. */
function markTombstone(batch: Buffer): void {
  // The last two bytes are the lengths of the value and of the headers; lengths are zigzag numbers.
  batch[batch.length - 2] = 1
  batch.writeUInt32BE(crc32c(batch.subarray(21)), 17)
}

const json = (value: object) => Buffer.from(JSON.stringify(value))

test('a record without a value is skipped, or becomes a row that says so', async () => {
  const messages = [
    { key: 'a', value: json({ id: 1 }) },
    { key: 'ä', value: null },
  ]
  const fields = ['id', '_key', '_is_deleted', '_raw_message']
  const kept = { id: 1, _key: 'a', _is_deleted: false, _raw_message: '{"id":1}' }
  expect(await rowsOf(messages, fields, {})).toEqual([kept])
  expect(await rowsOf(messages, fields, { keepsTombstones: true })).toEqual([kept, { _key: 'ä', _is_deleted: true }])
})

test('values of a schema that the pipe has begin with no number', async () => {
  const text = 'syntax = "proto3"; message Event { int32 id = 1; string text = 2; } message Other {}'
  const protobufSchema = Buffer.from(text)
  const type = protobuf.parse(text).root.lookupType('Event')
  const value = Buffer.from(type.encode(type.create({ id: 7, text: 'grün' })).finish())
  expect(await rowsOf([{ key: 'a', value }], ['id', 'text'], { protobufSchema })).toEqual([{ id: 7, text: 'grün' }])
  expect(() => valuesOf({ protobufSchema: Buffer.from('no schema') }, null)).toThrow('the schema is not valid')
})
