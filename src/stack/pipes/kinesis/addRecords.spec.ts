import protobuf from 'protobufjs'
import { expect, test } from 'vitest'
import { aggregated } from '../../testing/streams/aggregated.ts'
import { plainProtobuf } from '../schemas/plainProtobuf.ts'
import { addPage, partsOfPage } from './addRecords.ts'
import { shardBatches, type ShardBatch } from './shardBatches.ts'

test('each line of a record has a place of its own', async () => {
  const batches = shardBatches({ bytes: 1e6, records: 1, waitMs: 0 })
  const signal = AbortSignal.timeout(30_000)
  const data = Buffer.from('{"id":1}\n{"id":2}\n{"id":3}\n')
  const records = [
    { SequenceNumber: '7', Data: data, PartitionKey: 'k' },
    { SequenceNumber: '8', Data: Buffer.from('{"id":4}'), PartitionKey: 'k' },
  ]
  const add = (batch: ShardBatch) =>
    addPage(
      batch,
      { ShardId: 'shard', HashKeyRange: undefined, SequenceNumberRange: undefined },
      {
        records,
        millisBehind: 0,
        isLast: false,
      },
      null,
    )
  const filled = batches.fill(add, signal)
  const { buffer } = await batches.take(signal)
  await filled
  buffer.exclude(new Map(Array.from({ length: buffer.rows }, (_, row) => [row, 'no room'])))
  // Bad records with the same place would replace each other in their table.
  expect(buffer.bad.map((bad) => buffer.placeOf(bad).offset)).toEqual(['7:0', '7:1', '7:2', '8'])
})

test('values of Protobuf are decoded one by one, and one that cannot be is bad', async () => {
  const schema = 'syntax = "proto3"; message Event { int64 id = 1; string text = 2; }'
  const type = protobuf.parse(schema).root.lookupType('Event')
  const values = plainProtobuf(Buffer.from(schema))
  const encoded = (id: number, text: string) => type.encode(type.create({ id, text })).finish()
  const page = {
    records: [encoded(1, 'a\nb'), Buffer.from('not protobuf'), encoded(2, 'c')].map((Data, at) => ({
      SequenceNumber: String(at),
      Data,
      PartitionKey: 'k',
    })),
    millisBehind: 0,
    isLast: true,
  }
  const batches = shardBatches({ bytes: 1e6, records: 3, waitMs: 0 })
  const signal = AbortSignal.timeout(30_000)
  const shard = { ShardId: 'shard', HashKeyRange: undefined, SequenceNumberRange: undefined }
  const parts = [...partsOfPage(page, values)]
  expect(parts.map(({ records, isLast }) => [records.length, isLast])).toEqual([
    [1, false],
    [1, false],
    [1, true],
  ])
  const filled = Promise.all(parts.map((part) => batches.fill((batch) => addPage(batch, shard, part, values), signal)))
  const { buffer } = await batches.take(signal)
  await filled
  const rows = Array.from({ length: buffer.rows }, (_, row) => JSON.parse(buffer.line(row).toString()) as object)
  expect(rows).toEqual([
    { id: 1, text: 'a\nb' },
    { id: 2, text: 'c' },
  ])
  expect(buffer.bad.map((bad) => [buffer.placeOf(bad).offset, bad.reason !== ''])).toEqual([['1', true]])
})

test('the parts of one record are decoded up to a limit, whatever few bytes stand for, and the rest is bad', async () => {
  const name = 'f'.repeat(10_000)
  const fields = Array.from({ length: 100 }, (_, at) => `bool ${name}${at} = ${at + 1};`)
  const values = plainProtobuf(Buffer.from(`syntax = "proto3"; message Event { ${fields.join(' ')} }`))
  const parts = 200
  const data = aggregated(Array.from({ length: parts }, () => ({ key: 'k', data: '' })))
  const batches = shardBatches({ bytes: 1e9, records: parts, waitMs: 0 })
  const signal = AbortSignal.timeout(30_000)
  const shard = { ShardId: 'shard', HashKeyRange: undefined, SequenceNumberRange: undefined }
  const page = { records: [{ SequenceNumber: '1', Data: data, PartitionKey: 'k' }], millisBehind: 0, isLast: false }
  const filled = batches.fill((batch) => addPage(batch, shard, page, values), signal)
  const { buffer } = await batches.take(signal)
  await filled
  const object = buffer.line(0).length
  expect(object).toBeGreaterThan(1e6)
  expect(buffer.rows).toBe(Math.floor((64 * 1024 ** 2) / object))
  expect(buffer.rows + buffer.bad.length).toBe(parts)
})
