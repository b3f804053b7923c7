import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LosslessNumber, parseJson, stringifyJson } from './json.ts'

/** JSON text as a server might write it, with all notations of numbers. */
const numberText = fc.oneof(
  fc.integer().map(String),
  fc.bigInt().map(String),
  fc.stringMatching(/^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,4})?$/),
  fc.constantFrom('1.0', '-0', '1e400', '0.1', '1E5', '9007199254740993', '1e-7', '100000000000000000000000'),
)
const { value: jsonText } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    numberText,
    fc.constantFrom('null', 'true', 'false'),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(
        fc.tuple(
          fc.string().filter((key) => !/^(?:\d+|__proto__)$/.test(key)),
          tie('value'),
        ),
        { maxLength: 4, selector: ([key]) => key },
      )
      .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  ),
}))

test('parsing and printing keeps JSON byte for byte', () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      expect(stringifyJson(parseJson(text))).toBe(text)
    }),
    { numRuns: 2000 },
  )
})

test('text that is not JSON throws a SyntaxError', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        jsonText.map((text) => text.slice(0, -1)),
      ),
      (text) => {
        try {
          parseJson(text)
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError)
        }
      },
    ),
  )
})

describe('numbers', () => {
  test.each(['0', '1', '-1', '1.5', '1e+21', '9007199254740992'])(
    'are numbers if JavaScript prints them alike: %s',
    (text) => {
      expect(typeof parseJson(text)).toBe('number')
    },
  )

  test.each(['1.0', '-0', '9007199254740993', '1e400', '1E5'])(
    'keep their text if JavaScript prints them differently: %s',
    (text) => {
      expect(parseJson(text)).toBeInstanceOf(LosslessNumber)
    },
  )

  test('keep their text beside similar numbers', () => {
    expect(parseJson('[1e-9,1e400]')).toEqual([1e-9, new LosslessNumber('1e400')])
  })
})
