import { expect, test } from 'vitest'
import {
  ended,
  formatPosition,
  latestPositions,
  parsePosition,
  readableShards,
  startingPosition,
} from './shardPositions.ts'

const shard = (id: string, more: object = {}) => ({
  ShardId: id,
  HashKeyRange: undefined,
  SequenceNumberRange: { StartingSequenceNumber: '1' },
  ...more,
})
const closed = { SequenceNumberRange: { StartingSequenceNumber: '1', EndingSequenceNumber: '9' } }
const ids = (shards: { ShardId?: string | undefined }[]) => shards.map(({ ShardId }) => ShardId)

const split = [shard('0', closed), shard('1', { ParentShardId: '0' }), shard('2', { ParentShardId: '0' })]
const merged = [...split.slice(0, 1), ...split.slice(1).map((one) => ({ ...one, ...closed }))].concat(
  shard('3', { ParentShardId: '1', AdjacentParentShardId: '2' }),
)

test('the children of a shard are read when it was read to its end', () => {
  expect(ids(readableShards(split, new Map()))).toEqual(['0'])
  expect(ids(readableShards(split, new Map([['0', { after: '8' }]])))).toEqual(['0'])
  expect(ids(readableShards(split, new Map([['0', ended]])))).toEqual(['1', '2'])
})

test('a merged shard waits for both of its parents', () => {
  expect(
    ids(
      readableShards(
        merged,
        new Map([
          ['0', ended],
          ['1', ended],
        ]),
      ),
    ),
  ).toEqual(['2'])
  expect(
    ids(
      readableShards(
        merged,
        new Map([
          ['0', ended],
          ['1', ended],
          ['2', ended],
        ]),
      ),
    ),
  ).toEqual(['3'])
})

test('a shard whose parent is no longer listed can be read', () => {
  expect(ids(readableShards(split.slice(1), new Map()))).toEqual(['1', '2'])
})

test('the latest records are those after now, of open shards', () => {
  expect(latestPositions([shard('0', closed), shard('1')], 5)).toEqual(
    new Map<string, unknown>([
      ['0', ended],
      ['1', { since: 5 }],
    ]),
  )
})

test.each([
  [{ after: '7' }, 'LATEST', { Type: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: '7' }],
  [{ since: 1000 }, 'LATEST', { Type: 'AT_TIMESTAMP', Timestamp: new Date(1000) }],
  [undefined, 'LATEST', { Type: 'TRIM_HORIZON' }],
  [undefined, 'TRIM_HORIZON', { Type: 'TRIM_HORIZON' }],
  [undefined, 'AT_TIMESTAMP', { Type: 'AT_TIMESTAMP', Timestamp: new Date(3000) }],
] as const)('reading continues at %j, or begins at %s', (position, type, start) => {
  expect(startingPosition(position, { type, timestamp: 3 })).toEqual(start)
})

test.each([{ after: '1'.repeat(56) }, { since: 0 }, ended])('the position %j is stored as text', (position) => {
  expect(parsePosition(formatPosition(position))).toEqual(position)
})
