import { expect, test } from 'vitest'
import { fillVariables, type FilterVariable } from './filterVariables.ts'
import { VariableError } from './fillSql.ts'

const service: FilterVariable = { name: 'service', expression: 'ServiceName', values: ['api', 'web'] }
const none: FilterVariable = { ...service, values: [] }

test.each([
  ['ServiceName IN ($service)', "ServiceName IN ('api', 'web')", 'ServiceName IN (NULL)'],
  ['ServiceName IN (${service})', "ServiceName IN ('api', 'web')", 'ServiceName IN (NULL)'],
  ["match(x, '${service:regex}')", "match(x, '(api|web)')", "match(x, '.*')"],
  ["has(splitByChar(',', '${service:csv}'), x)", "has(splitByChar(',', 'api,web'), x)", "has(splitByChar(',', ''), x)"],
  ['$__filter(Name, $service)', "(Name IN ('api', 'web'))", '(1=1)'],
  ['$__filter(service)', "(toString(ServiceName) IN ('api', 'web'))", '(1=1)'],
  ["$__conditionalAll(f(a, 'b)') = 1, service) AND c", "(f(a, 'b)') = 1) AND c", '(1=1) AND c'],
  ['$__conditionalAll(x IN ($service), service)', "(x IN ('api', 'web'))", '(1=1)'],
])('replaces %s in SQL', (text, chosen, unchosen) => {
  expect(fillVariables(text, [service], 'sql')).toBe(chosen)
  expect(fillVariables(text, [none], 'sql')).toBe(unchosen)
})

test('values are exact terms in the field:value language', () => {
  expect(fillVariables('ServiceName:$service', [service], 'lucene')).toBe('ServiceName:("api" OR "web")')
  expect(fillVariables('ServiceName:$service', [none], 'lucene')).toBe('ServiceName:("")')
})

test.each(['$services', '$1', '${service', '$__timeFilter(ts)', '$__filters', 'a $ b'])('%s is unchanged', (text) => {
  expect(fillVariables(text, [service], 'sql')).toBe(text)
})

test.each([
  ['$__filter(x, region)', /region/],
  ['$__filter(a, b, service)', /arguments/],
  ['$__conditionalAll(service)', /arguments/],
  ['$__filter(x, service', /bracket/],
  ['${service:json}', /json/],
])('%s is reported', (text, message) => {
  expect(() => fillVariables(text, [service], 'sql')).toThrow(message)
})

test('a static list has no column of its own', () => {
  const list = { name: 'env', expression: '', values: ['prod'] }
  expect(() => fillVariables('$__filter(env)', [list], 'sql')).toThrow(/\$__filter\(column, \$env\)/)
  expect(fillVariables('$__filter(Env, $env)', [list], 'sql')).toBe("(Env IN ('prod'))")
})

test('SQL conditions are rejected in the other language', () => {
  expect(() => fillVariables('$__filter(service)', [service], 'lucene')).toThrow(VariableError)
})

test('values that look like variables are not replaced again', () => {
  const a = { name: 'a', expression: 'x', values: ['$b', '$__filter(b)'] }
  const b = { name: 'b', expression: 'y', values: ['no'] }
  expect(fillVariables('$a', [a, b], 'sql')).toBe("'$b', '$__filter(b)'")
})
