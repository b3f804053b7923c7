import * as fc from 'fast-check'
import { parse } from 'lossless-json'
import { expect, test } from 'vitest'
import { LosslessNumber, parseJson, stringifyJson } from '#contract/wire/json.ts'
import { hasPrototypeKey, MalformedJson, readJson } from './untrustedJson.ts'

/** Number tokens of every spelling that JSON allows. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,25}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,25}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map((parts) => parts.join(''))

test('keeps the spelling of every number', () => {
  fc.assert(
    fc.property(numberText, fc.constantFrom('', ' ', '\n\t'), (number, space) => {
      for (const text of [number, `[${space}${number}]`, `[1,${space}${number}]`, `{"a":${space}${number}}`]) {
        expect(stringifyJson(parseJson(text))).toBe(text.replaceAll(/\s/g, ''))
      }
    }),
    { numRuns: 5_000 },
  )
})

test('the fast and the careful parser agree', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const careful = parse(text, null, (number) =>
        String(Number(number)) === number ? Number(number) : new LosslessNumber(number),
      )
      expect(readJson(text)).toEqual(careful)
    }),
    { numRuns: 2_000 },
  )
})

test('limits depth before parsing, without counting brackets in strings', () => {
  expect(() => readJson('['.repeat(1_000_000))).toThrow(MalformedJson)
  expect(() => readJson('{"a":'.repeat(200) + '1' + '}'.repeat(200))).toThrow(MalformedJson)
  const text = JSON.stringify({ a: `\\"${'['.repeat(500)}"\\` })
  expect(JSON.stringify(readJson(text))).toBe(text)
})

test('an error does not quote the input', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 12, maxLength: 40 }), (text) => {
      try {
        readJson(`{${text}`)
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedJson)
        expect(String(error)).not.toContain(text)
      }
    }),
  )
})

test('finds keys that reach a prototype at any depth', () => {
  expect(hasPrototypeKey(readJson('{"a":[{"__proto__":{"x":1}}]}'))).toBe(true)
  expect(hasPrototypeKey(readJson('{"a":[{"proto":1}]}'))).toBe(false)
})
