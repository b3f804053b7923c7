import { expect, test } from 'vitest'
import { addPage } from './addRecords.ts'
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
    )
  const filled = batches.fill(add, signal)
  const { buffer } = await batches.take(signal)
  await filled
  buffer.exclude(new Map(Array.from({ length: buffer.rows }, (_, row) => [row, 'no room'])))
  // Bad records with the same place would replace each other in their table.
  expect(buffer.bad.map((bad) => buffer.placeOf(bad).offset)).toEqual(['7:0', '7:1', '7:2', '8'])
})
