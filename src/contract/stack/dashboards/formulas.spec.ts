import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  evaluateFormula,
  FormulaError,
  maxFormulaDepth,
  parseFormula,
  seriesLetters,
  type Formula,
} from './formulas.ts'

function print(formula: Formula): string {
  switch (formula.kind) {
    case 'number':
      return String(formula.value)
    case 'series':
      return String.fromCharCode(65 + formula.index)
    case 'negation':
      return `-(${print(formula.operand)})`
    case 'operation':
      return `(${print(formula.left)}) ${formula.operator} (${print(formula.right)})`
  }
}

const { formula } = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { depthSize: 'small', maxDepth: 6 },
    fc.record({ kind: fc.constant('number' as const), value: fc.integer({ min: 0, max: 1000 }) }),
    fc.record({ kind: fc.constant('series' as const), index: fc.integer({ min: 0, max: 25 }) }),
    fc.record({ kind: fc.constant('negation' as const), operand: tie('formula') }),
    fc.record({
      kind: fc.constant('operation' as const),
      operator: fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const),
      left: tie('formula'),
      right: tie('formula'),
    }),
  ),
}))

test('a printed formula parses to the same formula', () => {
  fc.assert(
    fc.property(formula, (formula) => {
      expect(parseFormula(print(formula))).toEqual(formula)
    }),
  )
})

test('any text is a formula or throws a FormulaError', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[AB1.()+*/ -]{0,30}$/))
  fc.assert(
    fc.property(text, (text) => {
      try {
        parseFormula(text)
      } catch (error) {
        expect(error).toBeInstanceOf(FormulaError)
      }
    }),
    { numRuns: 2000 },
  )
})

test('products bind tighter than sums, and both are left-associative', () => {
  expect(parseFormula('A - B - C * 2')).toEqual(parseFormula('(A - B) - (C * 2)'))
  expect(parseFormula('A / B / C')).toEqual(parseFormula('(A / B) / C'))
  expect(parseFormula('-A * B')).toEqual(parseFormula('(-A) * B'))
})

test('lists each series of a formula once, in order', () => {
  expect(seriesLetters(parseFormula('B * (A + B) - .5'))).toEqual(['A', 'B'])
  expect(seriesLetters(parseFormula('1 + 2'))).toEqual([])
})

describe('errors have a position', () => {
  test.each([
    ['', 'Expected a series, a number or "(" at the end'],
    ['A +', 'Expected a series, a number or "(" at the end'],
    ['A B', 'Unexpected "B" at position 3'],
    ['a', 'Unexpected "a" at position 1'],
    ['A  % B', 'Unexpected "%" at position 4'],
    ['(A', '"(" at position 1 is not closed'],
    ['A)', 'Unexpected ")" at position 2'],
    ['*A', 'Unexpected "*" at position 1'],
  ])('%j', (text, message) => {
    expect(() => parseFormula(text)).toThrow(message)
  })

  test('rejects a formula that is too long to be evaluated', () => {
    const chain = (operations: number) => `A${'+A'.repeat(operations)}`
    expect(evaluateFormula(parseFormula(chain(511)), () => 1)).toBe(512)
    for (const operations of [512, 20_000, 1_000_000]) {
      expect(() => parseFormula(chain(operations))).toThrow('Longer than 1024 characters')
    }
  })

  test('rejects a formula that is nested too deeply', () => {
    const nested = (levels: number) => `${'('.repeat(levels)}A${')'.repeat(levels)}`
    expect(() => parseFormula(nested(maxFormulaDepth - 1))).not.toThrow()
    expect(() => parseFormula(nested(maxFormulaDepth))).toThrow('Nested deeper than 64 levels')
    expect(() => parseFormula(`${'-'.repeat(maxFormulaDepth)}A`)).toThrow('Nested deeper')
  })
})
