import { expect, test } from 'vitest'
import type { Source } from '#contract/sources.ts'
import { attributeColumns } from './useKnownFields.ts'

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
