import { assert, dictionary, jsonValue, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { sampleColumns } from './sampleColumns.ts'

test('takes the fields of a record, in order, with types that hold them', () => {
  const record = '{"at":"2026-01-01T00:00:00Z","user.id":7,"amount":1.5,"ok":true,"tags":["a"],"mixed":[1,"a"],"in":{}}'
  expect(sampleColumns(record)).toEqual([
    { source: 'at', name: 'at', type: 'DateTime64(3)' },
    { source: 'user.id', name: 'user_id', type: 'Int64' },
    { source: 'amount', name: 'amount', type: 'Float64' },
    { source: 'ok', name: 'ok', type: 'Bool' },
    { source: 'tags', name: 'tags', type: 'Array(String)' },
    { source: 'mixed', name: 'mixed', type: 'String' },
    { source: 'in', name: 'in', type: 'String' },
  ])
  expect(sampleColumns('{"a":1}\n{"a":2}')).toHaveLength(1)
})

test('takes String columns from a header line, and none from other text', () => {
  expect(sampleColumns('id,"full name"\n1,x')).toEqual([
    { source: 'id', name: 'id', type: 'String' },
    { source: 'full name', name: 'full_name', type: 'String' },
  ])
  for (const text of ['', '{', '{}', 'a,,b', 'a,a']) expect(sampleColumns(text)).toBeNull()
})

test('every field of every record has a column', () => {
  assert(
    property(dictionary(string(), jsonValue(), { minKeys: 1 }), (record) => {
      const found = sampleColumns(JSON.stringify(record)) ?? []
      expect(found.map(({ source }) => source)).toEqual(Object.keys(JSON.parse(JSON.stringify(record))))
    }),
  )
})
