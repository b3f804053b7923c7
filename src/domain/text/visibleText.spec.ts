import { assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { visibleText } from './visibleText.ts'

test('invisible characters can be seen', () => {
  expect(visibleText('a\u202eb\u009b31m\u200bc é 😀')).toBe(String.raw`a\u{202e}b\u{9b}31m\u{200b}c é 😀`)
})

test.each([
  ['shop\u00a0eu', String.raw`shop\u{a0}eu`],
  ['shop\u3000eu', String.raw`shop\u{3000}eu`],
  ['shop\u200deu', String.raw`shop\u{200d}eu`],
  ['\u3164', String.raw`\u{3164}`],
  ['a\u00adb', String.raw`a\u{ad}b`],
  ['a\u{e0041}', String.raw`a\u{e0041}`],
  [' \ufe0f', String.raw` \u{fe0f}`],
  ['فروشگاه\u200c', String.raw`فروشگاه\u{200c}`],
  ['shop\ufe0f', String.raw`shop\u{fe0f}`],
  ['متجر\ufe0e', String.raw`متجر\u{fe0e}`],
  ['shop\u{e0100}', String.raw`shop\u{e0100}`],
  ['❤\ufe0f\ufe0f', `❤\ufe0f${String.raw`\u{fe0f}`}`],
  ['1\ufe0f', String.raw`1\u{fe0f}`],
  ['shop\u180b', String.raw`shop\u{180b}`],
  ['ᠠ\u180b\u180c', `ᠠ\u180b${String.raw`\u{180c}`}`],
  ['᠐\u180f', String.raw`᠐\u{180f}`],
  ['ᠠ\u180e', String.raw`ᠠ\u{180e}`],
  ['🏴\u{e0061}\u{e007f}', String.raw`🏴\u{e0061}\u{e007f}`],
])('%j can be seen', (text, seen) => expect(visibleText(text)).toBe(seen))

test.each([
  '👩\u200d💻',
  '👩🏽\u200d💻',
  '🏳\ufe0f\u200d🌈',
  '❤\ufe0f',
  '1\ufe0f\u20e3',
  '葛\u{e0100}',
  'ᠠ\u180b',
  'ᠰᠠ\u180cᠢ\u180dᠨ\u180f',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  'فروشگاه\u200cها',
  'क्\u200dष',
  'shop eu',
  'متجر',
  '東京',
])('%s stays as it is', (text) => expect(visibleText(text)).toBe(text))

test('what was made visible stays as it is', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 50 }), (text) => {
      const seen = visibleText(text)
      expect(visibleText(seen)).toBe(seen)
      expect(seen).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2066-\u2069]|(?! )\p{Zs}/u)
    }),
  )
})

test('no character that draws nothing is hidden after a letter', () => {
  const letters = constantFrom('a', 'é', 'я', '7', 'ש', '_')
  const unseen = constantFrom('\ufe00', '\ufe0e', '\ufe0f', '\u{e0100}', '\u{e0061}', '\u200c', '\u200d', '\u2060')
  assert(
    property(letters, unseen, (letter, hidden) => {
      expect(visibleText(letter + hidden)).toMatch(/^.\\u\{\w+\}$/u)
    }),
  )
})

// A pattern that looks back over all selectors at each of them takes minutes.
test('a name of 100,000 selectors is read once', () => {
  expect(visibleText(`${'\ufe0f'.repeat(100_000)}\u200d`)).toHaveLength(100_001 * String.raw`\u{fe0f}`.length)
})
