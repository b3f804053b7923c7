import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FilterError, type FilterNode } from './filterSyntax.ts'
import { namesOfFields, withNamesAsText, namesInText, withTextAsField } from './textAsField.ts'
import { parseFilter } from './parseFilter.ts'

test.each<[string, string[]]>([
  ['Error: timeout', ['Error']],
  ['Error: timeout Cause: lost ServiceName:web', ['Error', 'Cause', 'ServiceName']],
  ['-Error:(a OR b:c) LogAttributes.http.route:/cart', ['Error', 'LogAttributes.http.route']],
  ['timeout 12:30:45 std::exception', []],
  ['"Error: timeout"', []],
  [String.raw`Error\: timeout`, []],
  ['Error: "open', []],
])('the fields of %s', (text, names) => {
  expect(namesOfFields(text)).toEqual(names)
})

describe('names that are no fields', () => {
  test.each([
    ['Error: timeout', String.raw`Error\: timeout`],
    ['Error:timeout || b', String.raw`Error\:timeout || b`],
    ['(Error: "no route") -Error:x', String.raw`(Error\: "no route") -Error\:x`],
    ['Error:(a OR b)', String.raw`Error\:(a OR b)`],
    ['Error:>500', String.raw`Error\:\>500`],
    ['Error:', String.raw`Error\:`],
    ['Error: a Cause: b', String.raw`Error\: a Cause: b`],
    ['ServiceName:Error: 12:30:45', 'ServiceName:Error: 12:30:45'],
    [String.raw`\Error:x`, String.raw`\Error:x`],
    ['Error: "open', 'Error: "open'],
  ])('%s is %s', (text, written) => {
    expect(withNamesAsText(text, new Set(['Error']))).toBe(written)
  })

  const lively = fc.string({
    unit: fc.constantFrom(...'ab:*"\\()[]{}<>=-!&| ', ' AND ', ' OR ', 'NOT ', 'Error:', 'Error: ', 'Cause:x', ' a.b:'),
    maxLength: 30,
  })
  test('are searched as a parser that knows them does', () => {
    const names = new Set(['Error', 'Cause'])
    fc.assert(
      fc.property(lively, (text) => {
        const known = parsed(text, (name) => (names.has(name) ? 'text' : undefined))
        if (known === undefined) return
        expect(parsed(withNamesAsText(text, names))).toEqual(known)
      }),
      { numRuns: 5000 },
    )
  })
})

test('the names that are text in a filter', () => {
  const names = new Set(['Cause', 'Error', 'Level'])
  expect(namesInText(String.raw`Error\: timeout AND ServiceName:"Level:x" Cause:y`, names)).toEqual(['Cause', 'Error'])
  expect(namesInText('timeout', names)).toEqual([])
})

test.each([
  ['Error: timeout', 'LogAttributes.Error:timeout'],
  ['Error:timeout b', 'LogAttributes.Error:timeout b'],
  ['Error: "no route" AND b', 'LogAttributes.Error:"no route" AND b'],
  ['-(Error: x || Error:y*) c:d', '-(LogAttributes.Error:x || LogAttributes.Error:y*) c:d'],
  ['Error:(a OR b)', 'LogAttributes.Error:(a OR b)'],
  ['Error:>=500', 'LogAttributes.Error:>=500'],
  ['Error:[1 TO 5]', 'LogAttributes.Error:[1 TO 5]'],
  ['a AND Error:', 'a AND LogAttributes.Error:*'],
  ['Error: AND a', 'LogAttributes.Error:* AND a'],
])('%s as a field', (text, written) => {
  const names = new Set(['Error'])
  expect(withTextAsField(withNamesAsText(text, names), 'Error', 'LogAttributes.Error')).toBe(written)
})

/** Without the places; undefined if it is invalid. */
function parsed(text: string, kindOf?: Parameters<typeof parseFilter>[1]): unknown {
  try {
    return withoutPlaces(parseFilter(text, kindOf))
  } catch (error) {
    if (error instanceof FilterError) return undefined
    throw error
  }
}

const withoutPlaces = (node: FilterNode | null): unknown =>
  JSON.parse(JSON.stringify(node, (key, value: unknown) => (/^(position|written)$/.test(key) ? undefined : value)))
