import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { directionOf, orderBy, readWidths, withMoved, withWidth } from './columnLayout.ts'
import { matchedTerms, patternFor, splitMatches } from './matchedTerms.ts'

const columns = ['a', "m['x,y']", 'c'].map((expression) => ({ expression }))

test('widths stay with their columns wherever these are moved', () => {
  const widths = fc.array(fc.option(fc.integer({ min: 50, max: 1200 })), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(widths, fc.nat(2), fc.nat(2), (chosen, from, to) => {
      const before = readWidths(chosen.map((width) => width ?? '').join(','), columns)
      const moved = withMoved(columns, before, from, to)
      const order = columns.filter((_, at) => at !== from)
      order.splice(to, 0, columns[from]!)
      expect(moved === null).toBe(from === to)
      if (from !== to) expect(moved?.cols).toBe(order.map(({ expression }) => expression).join(','))
      if (from !== to) expect(new Map(readWidths(moved?.widths ?? '', order))).toEqual(new Map(before))
    }),
  )
})

test('a width is within its limits, and nonsense in the URL is ignored', () => {
  expect(withWidth(columns, new Map(), 'c', 9999)).toEqual({ widths: ',,1200' })
  expect([...readWidths('x,1,-5', columns)]).toEqual([["m['x,y']", 50]])
})

test('the order of the URL: empty is newest first', () => {
  expect(directionOf('', 'Timestamp', true)).toBe('descending')
  expect(directionOf('', 'Body', false)).toBeNull()
  for (const direction of ['ascending', 'descending'] as const) {
    expect(directionOf(orderBy('Body', direction, false), 'Body', false)).toBe(direction)
    expect(directionOf(orderBy('Timestamp', direction, true), 'Timestamp', true)).toBe(direction)
  }
  expect(directionOf('Body DESC', 'Timestamp', true)).toBeNull()
})

test.each<[string, string, string[]]>([
  ['"payment provider" ServiceName:shop', 'no payment provider (x)', ['no ', 'payment provider', ' (x)']],
  ['error AND NOT warn -debug', 'Error warn debug and', ['', 'Error', ' warn debug and']],
  ['a.b*', 'xa.b axb', ['x', 'a.b', ' axb']],
  ['x AND NOT (foo bar)', 'x foo bar', ['', 'x', ' foo bar']],
  ['NOT (foo -bar)', 'foo bar', ['foo ', 'bar', '']],
  ['conn*refused', 'connection refused', ['', 'connection refused', '']],
  ['ошибка', 'Ошибка ΟΔΟΣ', ['', 'Ошибка', ' ΟΔΟΣ']],
  ['οδος', 'Ошибка ΟΔΟΣ', ['Ошибка ', 'ΟΔΟΣ', '']],
  ['12:30:45', 'at 12:30:45', ['at ', '12:30:45', '']],
])('%s marks words in the body', (where, text, parts) => {
  expect(splitMatches(text, patternFor(matchedTerms(where, 'lucene'), 'Body', true)!)).toEqual(parts)
})

test('a field marks its own column', () => {
  const terms = matchedTerms('ServiceName:"shop" Duration:[1 TO 5] LogAttributes.http.route:/cart', 'lucene')
  expect(patternFor(terms, 'ServiceName', false)?.source).toBe('(shop)')
  expect(patternFor(terms, "LogAttributes['http.route']", false)?.test('/cart')).toBe(true)
  expect(matchedTerms("Body = 'x'", 'sql').body).toBeNull()
})
