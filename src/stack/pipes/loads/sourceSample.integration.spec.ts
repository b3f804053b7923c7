import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleIn } from '#contract/cloud/pipes/pipeDiscovery.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { describeRecords, discoveryOf } from './sourceSample.ts'

let engine: Engine
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())

test('numbers of a sample keep their digits, and have the types that they need', async () => {
  const line = '{"large":9223372036854775807,"small":7,"share":0.25,"at":"2026-11-18T11:06:40.123456789Z"}'
  const { fields, meta } = await describeRecords([line], engine)
  expect(fields.map(({ name, type }) => [name, type])).toEqual([
    ['large', 'Int64'],
    ['small', 'Int64'],
    ['share', 'Float64'],
    ['at', 'DateTime64(9)'],
  ])
  expect(sampleIn(meta).preview).toEqual([
    { large: '9223372036854775807', small: 7, share: 0.25, at: '2026-11-18T11:06:40.123456789Z' },
  ])
})

test('proposes a column for each field of any record', async () => {
  const { fields, meta } = await describeRecords(['{"id":1,"tags":["a"]}', 'no json', '{"id":2,"name":"b"}'], engine)
  expect(fields.map(({ name }) => name).toSorted()).toEqual(['id', 'name', 'tags'])
  expect(fields).toContainEqual({ name: 'id', type: 'Int64' })
  expect(sampleIn(meta)).toEqual({
    sampled: 2,
    preview: [
      { id: 1, tags: ['a'] },
      { id: 2, name: 'b' },
    ],
  })
  // Clients of deployments expect texts.
  expect(Object.values(meta ?? {}).every((value) => typeof value === 'string')).toBe(true)
})

test.each([
  [[], 'there are no records'],
  [['[1]', 'no json'], 'none of 2 records is a JSON object'],
])('says why %j has no columns', async (lines, words) => {
  await expect(describeRecords(lines, engine)).rejects.toThrow(words)
})

test('shows ten rows, and nullable columns as optional', () => {
  const rows = Array.from({ length: 30 }, (_, id) => ({ id }))
  const { fields, meta } = discoveryOf([{ name: 'id', type: 'Nullable(Int64)' }], rows, rows.length)
  expect(fields).toEqual([{ name: 'id', type: 'Int64', optional: true }])
  expect(sampleIn(meta).preview).toHaveLength(10)
  expect(sampleIn({ serverVersion: '1', preview: 'text of another deployment' })).toEqual({ sampled: 0, preview: [] })
})
