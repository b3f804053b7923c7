import { expect, test } from 'vitest'
import { addFilter, excludedValues, filterMode, removeFilter, type ValueFilter } from './filters.ts'

const filter: ValueFilter = { expression: 'ServiceName', value: 'web', mode: 'in' }

test.each<[string, Partial<ValueFilter>, string]>([
  ['', {}, 'ServiceName:"web"'],
  ['', { mode: 'out' }, 'NOT ServiceName:"web"'],
  ['error', {}, 'error AND ServiceName:"web"'],
  [
    'error',
    { expression: "LogAttributes['http.method']", value: 'a "b"' },
    'error AND LogAttributes.http.method:"a \\"b\\""',
  ],
  ['a OR b', {}, '(a OR b) AND ServiceName:"web"'],
  ['a AND (b OR c)', {}, 'a AND (b OR c) AND ServiceName:"web"'],
  ['(a OR b)', {}, '(a OR b) AND ServiceName:"web"'],
  ['a AND ServiceName:"web"', {}, 'a AND ServiceName:"web"'],
  ['a AND NOT ServiceName:"web"', {}, 'a AND ServiceName:"web"'],
  ['ServiceName:"web"', { mode: 'out' }, 'NOT ServiceName:"web"'],
  ['Body:"x AND y"', {}, 'Body:"x AND y" AND ServiceName:"web"'],
])('%s with %j', (where, changes, expected) => {
  expect(addFilter(where, { ...filter, ...changes }, 'lucene')).toBe(expected)
})

test.each<[string, Partial<ValueFilter>, string]>([
  ['', { value: "it's" }, "ServiceName IN ('it\\'s')"],
  ["a = 'x' or b", {}, "(a = 'x' or b) AND ServiceName IN ('web')"],
  ["a AND ServiceName IN ('web')", { mode: 'out' }, "a AND ServiceName NOT IN ('web')"],
])('SQL: %s with %j', (where, changes, expected) => {
  expect(addFilter(where, { ...filter, ...changes }, 'sql')).toBe(expected)
})

test('the field:value language has no functions', () => {
  expect(addFilter('', { ...filter, expression: 'lower(Body)' }, 'lucene')).toBeNull()
})

test.each(['lucene', 'sql'] as const)('reads back and removes filters: %s', (language) => {
  const excluded = { expression: 'SeverityText', value: `a "b\\'`, mode: 'out' as const }
  const one = addFilter('x', filter, language) ?? ''
  const both = addFilter(one, excluded, language) ?? ''
  expect(filterMode(both, filter, language)).toBe('in')
  expect(filterMode(both, excluded, language)).toBe('out')
  expect(filterMode(both, { ...filter, value: 'other' }, language)).toBeNull()
  expect(excludedValues(both, 'SeverityText', language)).toEqual([excluded.value])
  expect(excludedValues(both, 'ServiceName', language)).toEqual([])
  expect(removeFilter(both, excluded, language)).toBe(one)
  expect(removeFilter(one, excluded, language)).toBe(one)
})
