import { expect, test } from 'vitest'
import { fieldBefore, valueCompletions } from './valueCompletions.ts'

const fields = [
  { name: 'ServiceName', kind: 'text' as const },
  { name: 'Duration', kind: 'number' as const },
  { name: 'LogAttributes', kind: 'map' as const },
]
const values = ['checkout', 'cart', 'a "b"', "it's", '(none)'].map((value) => ({ value, count: 1 }))

test.each([
  ['ServiceName:', 'ServiceName'],
  ['error AND (-ServiceName:"ch', 'ServiceName'],
  ['ServiceName:"checkout"', null],
  ['ServiceName:a b', null],
  ['Duration:', null],
  ['Nothing:', null],
  ['LogAttributes.http.method:', "LogAttributes['http.method']"],
  ['error AND (-LogAttributes.k8s.pod-name:"ch', "LogAttributes['k8s.pod-name']"],
  ['LogAttributes.http.method:"GET"', null],
  ['LogAttributes:', null],
  ['LogAttributes.:', null],
  ['ServiceName.x:', null],
  ['Nothing.x:', null],
])('the field before the cursor in %s', (condition, field) => {
  expect(fieldBefore(condition, fields, 'lucene')).toBe(field)
})

test('suggests values that begin with what is typed, quoted', () => {
  expect(valueCompletions('x ServiceName:c', values, 'lucene')).toEqual({ start: 14, names: ['"checkout"', '"cart"'] })
  expect(valueCompletions('ServiceName:"ca', values, 'lucene')).toEqual({ start: 12, names: ['"cart"'] })
  expect(valueCompletions('ServiceName:', values, 'lucene').names).toEqual([
    '"checkout"',
    '"cart"',
    '"a \\"b\\""',
    `"it's"`,
  ])
})

test.each([
  ["ServiceName = '", 'ServiceName'],
  ["a = 1 and (ServiceName!='ch", 'ServiceName'],
  ["ServiceName IN ('checkout', 'c", 'ServiceName'],
  ["ServiceName NOT IN ('", 'ServiceName'],
  ["ServiceName like 'ch", 'ServiceName'],
  ["ServiceName = 'checkout'", null],
  ['ServiceName = ', null],
  ["Duration = '", null],
  ["LogAttributes['http.method'] = 'G", "LogAttributes['http.method']"],
  ["a = 'b' AND LogAttributes['it\\'s'] IN ('c', '", "LogAttributes['it\\'s']"],
  ["LogAttributes['http.method'] = 'GET'", null],
  ["LogAttributes = '", null],
  ["ServiceName['x'] = '", null],
])('SQL: the field before the cursor in %s', (condition, field) => {
  expect(fieldBefore(condition, fields, 'sql')).toBe(field)
})

test('SQL: suggests values with their quotes', () => {
  expect(valueCompletions("x AND ServiceName = 'c", values, 'sql')).toEqual({
    start: 20,
    names: ["'checkout'", "'cart'"],
  })
  expect(valueCompletions("ServiceName IN ('cart', 'i", values, 'sql')).toEqual({ start: 24, names: ["'it\\'s'"] })
})

test('suggests values of an attribute', () => {
  expect(valueCompletions('LogAttributes.http.method:"ca', values, 'lucene')).toEqual({ start: 26, names: ['"cart"'] })
  expect(valueCompletions("LogAttributes['http.method'] = 'ca", values, 'sql')).toEqual({
    start: 31,
    names: ["'cart'"],
  })
})
