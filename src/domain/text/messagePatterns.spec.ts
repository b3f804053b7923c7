import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonPieces, messagePatterns } from './messagePatterns.ts'

test('messages that differ in their values are one pattern', () => {
  const messages = [
    'order 17 placed',
    'card declined for order 5-a',
    'order 18 placed',
    'search for "rain jacket" found 3 products',
    'search for "tent" found 12 products',
    'order 19 placed',
  ]
  expect(messagePatterns(messages)).toEqual([
    { pattern: 'order <*> placed', places: [0, 2, 5] },
    { pattern: 'search for "<*>" found <*> products', places: [3, 4] },
    { pattern: 'card declined for order <*>', places: [1] },
  ])
})

test('a word that differs is a value where most of the others are the same', () => {
  const [first, second] = messagePatterns(['user anna has signed in', 'user bert has signed in', 'disk is full'])
  expect(first).toEqual({ pattern: 'user <*> has signed in', places: [0, 1] })
  expect(second?.pattern).toBe('disk is full')
})

test('every message is counted once, and the same messages give the same patterns', () => {
  const word = fc.constantFrom('a', 'b', 'payment', '7', '0x1f', '"q r"', 'é', '')
  const message = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(fc.array(message, { maxLength: 60 }), (messages) => {
      const patterns = messagePatterns(messages)
      const places = patterns.flatMap((pattern) => pattern.places)
      expect(places.toSorted((a, b) => a - b)).toEqual(messages.map((_, at) => at))
      expect(new Set(patterns.map(({ pattern }) => pattern)).size).toBe(patterns.length)
      expect(patterns.every((pattern) => pattern.places.every((place, at, all) => place > (all[at - 1] ?? -1)))).toBe(
        true,
      )
      const counts = patterns.map((pattern) => pattern.places.length)
      expect(counts).toEqual(counts.toSorted((a, b) => b - a))
      expect(messagePatterns(messages)).toEqual(patterns)
    }),
  )
})

test('numbers alone never part messages', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), (numbers) => {
      expect(messagePatterns(numbers.map((n) => `took ${n} ms`))).toEqual([
        { pattern: 'took <*> ms', places: numbers.map((_, at) => at) },
      ])
    }),
  )
})

test('the pieces of a pattern are what its messages have in common', () => {
  expect(commonPieces('order <*> placed', ['order 17 placed'])).toEqual(['order', 'placed'])
  expect(commonPieces('search for "<*>" found <*>', ['search for "tent" found 12'])).toEqual([
    'search',
    'for',
    'found',
    '',
  ])
  expect(commonPieces('<*> is full', ['disk-1 is full\n'])).toEqual(['', 'is', 'full', ''])
  expect(commonPieces('<*> <*> =', ['1 2 ='])).toBeNull()
})

test('all messages of a pattern have its pieces', () => {
  const character = fc.constantFrom(...'aé7"<*>= \n/.-{', ' order ', ' "q r" ')
  const message = fc.array(character, { maxLength: 12 }).map((parts) => parts.join(''))
  const long = message.map((text) => text.repeat(400))
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: message }, long), { maxLength: 40 }), (messages) => {
      for (const { pattern, places } of messagePatterns(messages)) {
        const own = places.map((place) => messages[place] ?? '')
        const pieces = commonPieces(pattern, own)
        if (!pieces) continue
        expect(own.filter((text) => !hasPieces(text, pieces))).toEqual([])
      }
    }),
  )
})

/** Whether a text is the pieces with anything between them. */
function hasPieces(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...others] = pieces
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  const within = text.slice(first.length, text.length - last.length)
  const end = others.reduce((at, piece) => {
    const found = at < 0 ? -1 : within.indexOf(piece, at)
    return found < 0 ? -1 : found + piece.length
  }, 0)
  return end >= 0 && text.length >= first.length + last.length
}
