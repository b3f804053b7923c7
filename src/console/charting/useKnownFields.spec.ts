import { expect, test } from 'vitest'
import type { Source } from '#contract/stack/sources.ts'
import { ApiFailure } from '#console/api/failure.ts'
import { attributeColumns, readLastHour } from './useKnownFields.ts'

const source = (id: string, more: Partial<Source> = {}): Source => ({
  id,
  name: id,
  kind: 'log',
  eventAttributesExpression: 'LogAttributes',
  resourceAttributesExpression: 'ResourceAttributes',
  ...more,
})
const sources = [source('a'), source('b'), source('c', { disabled: true }), source('d', { kind: 'metric' })]

test('attribute names are requested for the sources of a query, except disabled ones', () => {
  expect(attributeColumns(sources, [])).toEqual([])
  expect(attributeColumns(sources, ['b', 'c', 'd', 'gone'])).toEqual([
    { sourceId: 'b', column: 'LogAttributes' },
    { sourceId: 'b', column: 'ResourceAttributes' },
  ])
})

test('attribute names are those of the last minute where an hour has too many, and other errors stay', async () => {
  const failing = (message: string) => (range: number) =>
    range > 60_000
      ? Promise.reject(new ApiFailure({ code: 'invalid', status: 400, message }))
      : Promise.resolve([`names of ${range} ms`])
  expect(await readLastHour(failing('the result has more than 100000 points'))).toEqual(['names of 60000 ms'])
  await expect(readLastHour(failing('no such column'))).rejects.toThrow('no such column')
})
