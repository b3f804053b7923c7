/** Protobuf messages as JSON, beside what the library makes of them. */
import * as fc from 'fast-check'
import { parse } from 'lossless-json'
import protobuf from 'protobufjs'
import { expect, test } from 'vitest'
import { messageJson } from './protobufJson.ts'

const schema = `syntax = "proto3";
  enum State { OPEN = 0; DONE = 2; }
  message Part { string name = 1; int64 size = 2; Part next = 3; }
  message Whole {
    string text = 1; bytes raw = 2; bool yes = 3; double share = 4; uint64 large = 5; sint64 signed = 6; State state = 7;
    repeated State states = 8; repeated Part parts = 9; map<string, Part> named = 10; map<int64, string> numbered = 11;
    oneof choice { string word = 12; int32 number = 13; } optional int32 perhaps = 14; Part part = 15; float ratio = 16;
  }`
const whole = protobuf.parse(schema, { keepCase: true }).root.lookupType('Whole')

const text = fc.string({ unit: 'grapheme' })
const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
const state = fc.constantFrom(0, 2, 7)
const part = fc.letrec<{ part: object }>((tie) => ({
  part: fc.record(
    { name: text, size: long, next: fc.option(tie('part'), { nil: undefined, maxDepth: 3 }) },
    { requiredKeys: [] },
  ),
})).part
const value = fc.record(
  {
    text,
    raw: fc.uint8Array(),
    yes: fc.boolean(),
    share: fc.double({ noNaN: true, noDefaultInfinity: true }),
    large: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
    signed: long,
    state,
    states: fc.array(state),
    parts: fc.array(part),
    named: fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      part,
    ),
    numbered: fc.dictionary(long, text),
    word: text,
    perhaps: fc.integer(),
    part,
    ratio: fc.float({ noNaN: true, noDefaultInfinity: true }),
  },
  { requiredKeys: [] },
)

/** Numbers with all of their digits, as the library has those of 64 bits. */
const numbersAsTexts = (json: string) => parse(json, undefined, (digits) => digits) as { raw: string }

test('a message has the same values as the object of the library', () => {
  fc.assert(
    fc.property(value, (given) => {
      const message = whole.decode(whole.encode(whole.fromObject(given)).finish())
      const json = Buffer.from(messageJson(whole, message, 2 ** 20), 'latin1')
      const object = whole.toObject(message, { longs: String, enums: String, defaults: true })
      // Bytes need not be text: they are compared as they are written.
      const { raw, ...others } = numbersAsTexts(json.toString('latin1'))
      expect(Buffer.from(raw, 'latin1')).toEqual(Buffer.from((given.raw ?? []) as Uint8Array))
      const { raw: _raw, ...expected } = numbersAsTexts(
        Buffer.from(JSON.stringify({ ...object, raw: '' })).toString('latin1'),
      )
      expect(others).toEqual(expected)
    }),
    { numRuns: 200 },
  )
})

test('what is no number is the text that the engine reads, not null', () => {
  const message = whole.fromObject({ share: Number.NaN, ratio: -Infinity })
  expect(JSON.parse(messageJson(whole, message, 1000))).toMatchObject({ share: 'nan', ratio: '-inf' })
})
