import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sqlIn } from '#domain/query/sqlValues.ts'
import { luceneIn, readSqlIn } from './conditions.ts'

test('quotes values with any content', () => {
  expect(sqlIn('x', ["O'Brien", 'a\\'])).toBe("x IN ('O\\'Brien', 'a\\\\')")
  expect(luceneIn('x', ['say "hi"'])).toBe('x:"say \\"hi\\""')
  expect(luceneIn("Attributes['http.route']", ['/'])).toBe('Attributes.http.route:"/"')
  expect(luceneIn('lower(x)', ['a'])).toBeNull()
})

test('a list of values parses to the same list', () => {
  const expression = fc.constantFrom('ServiceName', "Attributes['http.route']", 'lower(Body)')
  fc.assert(
    fc.property(
      expression,
      fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }),
      (written, values) => {
        expect(readSqlIn(sqlIn(written, values))).toEqual({ expression: written, values })
      },
    ),
  )
})

test.each([
  ["toString(ServiceName) IN ('O''Brien')", { expression: 'ServiceName', values: ["O'Brien"] }],
  ["a in('x','y')", { expression: 'a', values: ['x', 'y'] }],
  ["a NOT IN ('x')", null],
  ["a = 1 AND b IN ('x')", null],
  ["a IN ('x') OR b IN ('y')", null],
  ['a IN (1, 2)', null],
  ['a BETWEEN 1 AND 2', null],
])('%s is read as %o', (condition, read) => {
  expect(readSqlIn(condition)).toEqual(read)
})
