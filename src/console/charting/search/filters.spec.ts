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
  ['a:x || b:y', {}, '(a:x || b:y) AND ServiceName:"web"'],
  ['a b', {}, 'a AND b AND ServiceName:"web"'],
  ["can't connect", {}, `can't AND connect AND ServiceName:"web"`],
  [`can't connect AND ServiceName:"web"`, { mode: 'out' }, `can't AND connect AND NOT ServiceName:"web"`],
  ['(a && -ServiceName:"web") b', {}, 'a AND b AND ServiceName:"web"'],
  [
    '',
    { expression: "ResourceAttributes['app.kubernetes.io/name']" },
    'ResourceAttributes.app.kubernetes.io/name:"web"',
  ],
  ['', { expression: "LogAttributes['user id']" }, String.raw`LogAttributes.user\ id:"web"`],
  [
    '',
    { expression: String.raw`LogAttributes['it\'s $1 @a:b[0]']` },
    String.raw`LogAttributes.it's\ \$1\ @a\:b[0]:"web"`,
  ],
])('%s with %j', (where, changes, expected) => {
  expect(addFilter(where, { ...filter, ...changes }, 'lucene')).toBe(expected)
})

test.each<[string, Partial<ValueFilter>, string]>([
  ['', { value: "it's" }, "ServiceName IN ('it\\'s')"],
  ["a = 'x' or b", {}, "(a = 'x' or b) AND ServiceName IN ('web')"],
  // Rows without a value have another one.
  ["a AND ServiceName IN ('web')", { mode: 'out' }, "a AND (ServiceName NOT IN ('web') OR ServiceName IS NULL)"],
  ["(ServiceName NOT IN ('web') OR ServiceName IS NULL)", {}, "ServiceName IN ('web')"],
  ["ServiceName NOT IN ('web')", {}, "ServiceName IN ('web')"],
  ["ServiceName NOT IN ('web')", { mode: 'out' }, "ServiceName NOT IN ('web')"],
  ['', { value: '', mode: 'out' }, "ServiceName NOT IN ('')"],
  ['n BETWEEN 1 AND 2', {}, "n BETWEEN 1 AND 2 AND ServiceName IN ('web')"],
  ["Body = ' or '", {}, "Body = ' or ' AND ServiceName IN ('web')"],
  ['a AND b\nOR c', {}, "(a AND b\nOR c) AND ServiceName IN ('web')"],
  ['a ? b : c', {}, "(a ? b : c) AND ServiceName IN ('web')"],
  ['a -- with a note', {}, "a -- with a note\n AND ServiceName IN ('web')"],
])('SQL: %s with %j', (where, changes, expected) => {
  expect(addFilter(where, { ...filter, ...changes }, 'sql')).toBe(expected)
})

test('exclusions that people write are those of the page', () => {
  const where = "a AND ServiceName NOT IN ('web') AND (Body NOT IN ('x') OR Body IS NULL)"
  expect(filterMode(where, filter, 'sql')).toBe('out')
  expect(excludedValues(where, 'ServiceName', 'sql')).toEqual(['web'])
  expect(excludedValues(where, 'Body', 'sql')).toEqual(['x'])
})

test('the field:value language has no functions', () => {
  expect(addFilter('', { ...filter, expression: 'lower(Body)' }, 'lucene')).toBeNull()
})

test('an invalid condition takes no filter', () => {
  expect(addFilter('"open', filter, 'lucene')).toBeNull()
  expect(removeFilter('"open', filter, 'lucene')).toBe('"open')
  expect(filterMode('"open', filter, 'lucene')).toBeNull()
})

test('a filter of an apostrophe’s condition is removed', () => {
  expect(removeFilter(`can't connect AND ServiceName:"web"`, filter, 'lucene')).toBe("can't AND connect")
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
