import { LosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { isPlainObject } from './plainObject.ts'

test.each([{}, { a: 1 }, JSON.parse('{"a":{}}'), Object.create(null)])('%j is a plain object', (value) => {
  expect(isPlainObject(value)).toBe(true)
})

test.each([null, undefined, 'text', 1, [], [{}], new Date(0), new Map(), new LosslessNumber('1.0')])(
  '%o is none',
  (value) => {
    expect(isPlainObject(value)).toBe(false)
  },
)
