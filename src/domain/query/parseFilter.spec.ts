import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFilter } from './parseFilter.ts'
import { printFilter } from './printFilter.ts'
import { compareOperators, FilterError, type FilterNode, type Matcher, type Term } from './filterSyntax.ts'

/** Texts of the characters that mean something, and some that do not. */
const lively = fc.string({
  unit: fc.constantFrom(...'ab:*"\\()[]{}<>=-!&| \t', 'AND', 'OR', 'NOT', ' TO ', 'http://', 'F:', 'ü', '😀'),
  maxLength: 60,
})
const anyText = fc.oneof(lively, fc.string({ unit: 'binary' }))

const plain = fc.string({ unit: 'grapheme', minLength: 1 })
const matcher: fc.Arbitrary<Matcher> = fc.oneof(
  fc
    .array(fc.oneof(plain, fc.constant('')), { minLength: 1, maxLength: 4 })
    .filter((pieces) => pieces.length > 1 || pieces[0] !== '')
    .map((pieces): Matcher => ({ kind: 'word', pieces })),
  anyText.map((text): Matcher => ({ kind: 'phrase', text })),
)
const fieldMatcher: fc.Arbitrary<Matcher> = fc.oneof(
  matcher,
  fc.record({ kind: fc.constant('compare'), operator: fc.constantFrom(...compareOperators), value: anyText }),
  fc.record({
    kind: fc.constant('range'),
    from: fc.option(anyText),
    to: fc.option(anyText),
    includeFrom: fc.boolean(),
    includeTo: fc.boolean(),
  }),
)
const term: fc.Arbitrary<Term> = fc.oneof(
  matcher.map((matcher): Term => ({ kind: 'term', field: null, matcher, grouped: false, position: 0 })),
  fc
    .record({ field: plain, matcher: fieldMatcher, grouped: fc.boolean() })
    .map((rest): Term => ({ kind: 'term', position: 0, ...rest })),
)
const { node } = fc.letrec<{ node: FilterNode; not: FilterNode; join: FilterNode }>((tie) => ({
  node: fc.oneof({ maxDepth: 4, depthSize: 'small' }, term, tie('not'), tie('join')),
  not: tie('node').map((node): FilterNode => ({ kind: 'not', node })),
  join: fc.record({ kind: fc.constantFrom('and', 'or'), nodes: fc.array(tie('node'), { minLength: 2, maxLength: 3 }) }),
}))

/** Printing only changes the positions of the terms, and how they are written. */
function withoutPositions(node: FilterNode | null): unknown {
  const isPlace = (key: string) => key === 'position' || key === 'written'
  return JSON.parse(JSON.stringify(node, (key, value: unknown) => (isPlace(key) ? undefined : value)))
}

describe('any text', () => {
  test('is a filter, or throws a FilterError with a position in the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        try {
          parseFilter(text)
        } catch (error) {
          if (!(error instanceof FilterError)) throw error
          expect(error.position).toBeGreaterThanOrEqual(0)
          expect(error.position).toBeLessThanOrEqual(text.length)
        }
      }),
      { numRuns: 5000 },
    )
  })

  test('parses to the same filter after printing', () => {
    fc.assert(
      fc.property(lively, (text) => {
        let tree: FilterNode | null
        try {
          tree = parseFilter(text)
        } catch {
          return
        }
        if (!tree) return
        const bare = withoutPositions(tree)
        expect(withoutPositions(parseFilter(printFilter(tree)))).toEqual(bare)
        // As an edit prints it: nothing of what was written is left.
        expect(withoutPositions(parseFilter(printFilter(bare as FilterNode)))).toEqual(bare) // a tree without places
      }),
      { numRuns: 3000 },
    )
  })
})

test('any tree parses to the same tree after printing', () => {
  fc.assert(
    fc.property(node, (node) => {
      expect(withoutPositions(parseFilter(printFilter(node)))).toEqual(withoutPositions(node))
    }),
    { numRuns: 2000 },
  )
})

test.each(['AND""http://', 'OR"a" 1:2', 'a:1 1:2 b\\'])('%s is the same after printing', (text) => {
  const tree = parseFilter(text)!
  expect(withoutPositions(parseFilter(printFilter(tree)))).toEqual(withoutPositions(tree))
})

describe('grouping', () => {
  test.each([
    ['a b OR c', '(a AND b) OR c'],
    ['a OR b c', 'a OR (b AND c)'],
    ['(a OR b) c', '(a OR b) AND c'],
    ['-a b', 'NOT a AND b'],
    ['NOT (a b)', 'NOT (a AND b)'],
    ['F:(a OR -b)', 'F:(a) OR NOT F:(b)'],
    ['F:http://x:1/y', 'F:http\\:\\/\\/x\\:1\\/y'.replaceAll('\\/', '/')],
  ])('%s is %s', (text, same) => {
    expect(withoutPositions(parseFilter(text))).toEqual(withoutPositions(parseFilter(same)))
  })
})

test('blank text is no filter', () => {
  expect(parseFilter('')).toBeNull()
  expect(parseFilter(' \n\t')).toBeNull()
})

describe('what is refused says where', () => {
  test.each([
    ['(a', 0, /not closed/],
    ['a AND F:(b OR c', 8, /not closed/],
    ['(a AND (b OR c', 7, /not closed/],
    ['(a AND (b OR c)', 0, /not closed/],
    ['a)', 1, /has no opening parenthesis/],
    ['a "b', 2, /quote/],
    ['a F:', 2, /"F:" has no value/],
    ['F: a', 0, /quote the text/],
    ['a AND', 5, /missing at the end/],
    ['OR a', 0, /before "OR"/],
    ['a AND OR b', 6, /before "OR"/],
    ['()', 1, /before "\)"/],
    ['F:[1 2]', 2, /\[1 TO 5\]/],
    ['F:[1 TO', 2, /\[1 TO 5\]/],
    ['F:>', 3, /needs a value/],
  ])('%s', (text, position, message) => {
    expect(() => parseFilter(text)).toThrow(
      expect.objectContaining({ position, message: expect.stringMatching(message) }),
    )
  })

  test('reports excessive depth and length', () => {
    expect(() => parseFilter('('.repeat(5000))).toThrow(/levels deep/)
    expect(() => parseFilter('-'.repeat(5000) + 'a')).toThrow(/levels deep/)
    expect(() => parseFilter('a '.repeat(501))).toThrow(/at most 500/)
  })
})
