import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { aggregated } from '../../testing/streams/aggregated.ts'
import { userRecords } from './aggregatedRecords.ts'

const all = { first: 0n, last: 2n ** 128n - 1n }
const texts = (records: readonly Uint8Array[]) => records.map((record) => Buffer.from(record).toString())
const hashOf = (key: string) => BigInt(`0x${createHash('md5').update(key).digest('hex')}`)

test('unpacks every record, whatever it contains', () => {
  const record = fc.record({ key: fc.string({ minLength: 1 }), data: fc.string() })
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 20 }), (records) => {
      expect(texts(userRecords(aggregated(records), all))).toEqual(records.map(({ data }) => data))
    }),
  )
})

test('leaves out records whose key belongs to another shard: the producer sends them again', () => {
  const records = ['a', 'b', 'c', 'd'].map((key) => ({ key, data: `of ${key}` }))
  const middle = 2n ** 127n
  const low = records.filter(({ key }) => hashOf(key) < middle).map(({ data }) => data)
  expect(texts(userRecords(aggregated(records), { first: 0n, last: middle - 1n }))).toEqual(low)
  expect(texts(userRecords(aggregated(records), { first: middle, last: all.last }))).toHaveLength(4 - low.length)
})

test('prefers an explicit hash key', () => {
  const records = [{ key: 'a', hashKey: '5', data: 'explicit' }]
  expect(texts(userRecords(aggregated(records), { first: 5n, last: 5n }))).toEqual(['explicit'])
  expect(userRecords(aggregated(records), { first: 6n, last: all.last })).toEqual([])
})

test('returns any other record as it is', () => {
  const damaged = aggregated([{ key: 'a', data: 'b' }])
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.constant(damaged)), (data) => {
      expect(userRecords(data, all)).toEqual([data])
    }),
  )
})
