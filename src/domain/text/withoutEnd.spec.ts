import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { withoutEnd } from './withoutEnd.ts'

test('leaves out what a pattern at the end finds', () => {
  const texts = array(constantFrom(';', ' ', '\n', 'a', '.', '\ud83d', '\ude00')).map((parts) => parts.join(''))
  assert(
    property(texts, (text) => {
      expect(withoutEnd(text, /[;\s]/)).toBe(text.replace(/[;\s]+$/, ''))
    }),
  )
})

// A pattern at the end takes some hours for this text.
test('reads a text of a million characters once', () => {
  const text = `${'; '.repeat(500_000)}x`
  expect(withoutEnd(text, /[;\s]/)).toBe(text)
  expect(withoutEnd(text.slice(0, -1), /[;\s]/)).toBe('')
})
