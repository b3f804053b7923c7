import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Source } from '#contract/stack/sources.ts'
import { forSource, type SourcedQuery } from './sourceChange.ts'

const source = (fields: Partial<Source>) => ({ id: '1', name: 'one', ...fields }) as Source // what the function reads
const logs = source({
  kind: 'log',
  serviceNameExpression: 'ServiceName',
  severityTextExpression: 'SeverityText',
  eventAttributesExpression: 'LogAttributes',
  resourceAttributesExpression: 'ResourceAttributes',
})
const traces = source({
  kind: 'trace',
  serviceNameExpression: 'service',
  durationExpression: 'Duration',
  eventAttributesExpression: 'SpanAttributes',
  resourceAttributesExpression: 'ResourceAttributes',
})
const none: SourcedQuery = { field: '', where: '', whereLanguage: 'lucene', groupBy: [] }

test.each([
  [
    'a column that is not there goes',
    { groupBy: ['SeverityText', 'SpanId'] },
    { groupBy: ['SpanId'] },
    ['SeverityText'],
  ],
  [
    'columns and maps are renamed',
    { groupBy: ["LogAttributes['http.route']"] },
    { groupBy: ["SpanAttributes['http.route']"] },
    [],
  ],
  [
    'columns that neither source names stay',
    { field: 'tenant', groupBy: ['upper(region)'] },
    { field: 'tenant', groupBy: ['upper(region)'] },
    [],
  ],
  [
    'parts of a filter go, the others stay',
    { where: 'SeverityText:error LogAttributes.user:"a b" -tenant:x "free text"' },
    { where: 'SpanAttributes.user:"a b" AND -tenant:x AND "free text"' },
    ['SeverityText:error'],
  ],
  [
    'alternatives go as a whole',
    { where: '(SeverityText:error OR tenant:x)' },
    { where: '' },
    ['(SeverityText:error OR tenant:x)'],
  ],
  [
    'so do parts of SQL',
    { where: "SeverityText = 'x' AND tenant = 1", whereLanguage: 'sql' },
    { where: 'tenant = 1' },
    ["SeverityText = 'x'"],
  ],
  [
    'names in texts are texts',
    { where: "tenant = 'SeverityText'", whereLanguage: 'sql' },
    { where: "tenant = 'SeverityText'" },
    [],
  ],
  ['a filter that is not complete stays', { where: 'SeverityText:"err' }, { where: 'SeverityText:"err' }, []],
])('%s', (_, before, after, dropped) => {
  const moved = forSource({ ...none, ...before }, logs, traces)
  expect(moved.query).toMatchObject(after)
  expect(moved.dropped).toEqual(dropped)
})

test('on a source with the same columns, any query stays as it is written', () => {
  const written = fc.string({ unit: 'grapheme-ascii', maxLength: 40 })
  fc.assert(
    fc.property(written, written, fc.constantFrom('lucene', 'sql'), (field, where, whereLanguage) => {
      const query = { field, where, whereLanguage, groupBy: [field] }
      expect(forSource(query, logs, { ...logs, id: '2' })).toEqual({ query, dropped: [] })
    }),
  )
})
