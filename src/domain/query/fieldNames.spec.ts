import { describe, expect, test } from 'vitest'
import { fieldOf } from './fieldNames.ts'
import { FilterError } from './filterSyntax.ts'
import { foundTexts } from './filterTerms.ts'
import { openTerm, openWord } from './openTerm.ts'
import { parseFilter } from './parseFilter.ts'
import { printFilter } from './printFilter.ts'

describe('what cannot be a field before a colon is text', () => {
  test.each([
    '127.0.0.1:9092',
    'std::exception',
    '12:30:45',
    'arn:aws:s3',
    'arn:aws:s3:::bucket/key',
    'ERROR:main:failed',
    'aa:bb:cc:dd:ee:ff',
    '[::1]:8080',
    'fe80::1',
    '::1',
    ':8080',
    'http://localhost:80/a',
    'postgres://db/x',
    'localhost:8080',
    'user@host:22',
    'a=b:c',
    '/var/log:ro',
    'urn:isbn:0451450523',
  ])('%s', (text) => {
    expect(parseFilter(text)).toMatchObject({ kind: 'term', field: null, matcher: { kind: 'word', pieces: [text] } })
    // Printed, it is text for anyone who has another rule.
    expect(printFilter(parseFilter(text)!)).toBe(text.replaceAll(/[:=]/g, String.raw`\$&`).replace(/^\[/, '\\['))
  })
})

describe('what can be one is a field', () => {
  test.each([
    ['Error:timeout', 'Error'],
    ['code:500', 'code'],
    ['service-name:web', 'service-name'],
    ['ServiceName:api:8080', 'ServiceName'],
    ['url:http://host:80', 'url'],
    ['host:127.0.0.1:80', 'host'],
    ['trace_id:a:b', 'trace_id'],
    ['LogAttributes.peer:a:b', 'LogAttributes.peer'],
    ['LogAttributes.app.kubernetes.io/name:web', 'LogAttributes.app.kubernetes.io/name'],
    [String.raw`LogAttributes.user\ id\::web`, 'LogAttributes.user id:'],
    [String.raw`\12:x`, '12'],
    ['größe:5', 'größe'],
    ['at:[12:00 TO 13:00]', 'at'],
  ])('%s', (text, field) => {
    expect(parseFilter(text)).toMatchObject({ kind: 'term', field })
  })
})

test('what is known of a field decides', () => {
  const field = (text: string, kind: 'field' | 'similar' | 'text') => {
    const node = parseFilter(text, () => kind)
    return node?.kind === 'term' ? node.field : undefined
  }
  expect(field('arn:aws:s3', 'field')).toBe('arn')
  expect(field('arn:aws:s3', 'similar')).toBe('arn')
  expect(field('12:30', 'similar')).toBeNull()
  expect(field('12:30', 'field')).toBe('12')
  expect(field('Error:timeout', 'text')).toBeNull()
})

test('a name without a value is told from an unknown one', () => {
  const error = (() => {
    try {
      return parseFilter('Error: timeout')
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(FilterError)
  expect(error).toMatchObject({ field: 'Error', message: expect.stringMatching(/has no value/) })
  expect(parseFilter('Error: timeout', () => 'text')).toMatchObject({ kind: 'and' })
})

test.each([
  ['ServiceName', 'ServiceName'],
  ["A['b.c']", 'A.b.c'],
  ["A['app.kubernetes.io/name']", 'A.app.kubernetes.io/name'],
  [String.raw`A['it\'s \\ [x] $1 @a:b']`, String.raw`A.it's \ [x] $1 @a:b`],
  ["A['']", null],
  ['lower(x)', null],
  ["A['b']['c']", null],
])('the field of %s is %s', (expression, field) => {
  expect(fieldOf(expression)).toBe(field)
})

test.each([
  ['a NOT (b c)', ['a']],
  ['NOT (b -c)', ['c']],
  ['-(-b)', ['b']],
  ['F:(a OR -b) x:>5 c*d', ['a', 'c d']],
  ["can't connect", ["can't", 'connect']],
])('%s finds rows with %j', (text, found) => {
  expect(foundTexts(parseFilter(text)!).map(({ parts }) => parts.join(' '))).toEqual(found)
})

test.each([
  ['a ServiceName:', { field: 'ServiceName', value: '', start: 14 }],
  ['a -(ServiceName:"ch', { field: 'ServiceName', value: 'ch', start: 16 }],
  [String.raw`A.user\ id:x`, { field: 'A.user id', value: 'x', start: 11 }],
  ['ServiceName:"x"', null],
  ['ServiceName:x ', null],
  ['12:30', null],
  ['F:>5', null],
])('the open term of %s', (text, term) => {
  expect(openTerm(text)).toEqual(term)
})

test('the open word begins behind an operator, and has the characters of keys', () => {
  expect(openWord('a -LogAttributes.app/na')).toBe(3)
  expect(openWord('a ')).toBe(2)
})
