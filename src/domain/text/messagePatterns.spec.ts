import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { messagePatterns } from './messagePatterns.ts'

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
    { pattern: 'order <*> placed', count: 3, first: 0 },
    { pattern: 'search for "<*>" found <*> products', count: 2, first: 3 },
    { pattern: 'card declined for order <*>', count: 1, first: 1 },
  ])
})

test('a word that differs is a value where most of the others are the same', () => {
  const [first, second] = messagePatterns(['user anna has signed in', 'user bert has signed in', 'disk is full'])
  expect(first).toEqual({ pattern: 'user <*> has signed in', count: 2, first: 0 })
  expect(second?.pattern).toBe('disk is full')
})

test('every message is counted once, and the same messages give the same patterns', () => {
  const word = fc.constantFrom('a', 'b', 'payment', '7', '0x1f', '"q r"', 'é', '')
  const message = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(fc.array(message, { maxLength: 60 }), (messages) => {
      const patterns = messagePatterns(messages)
      expect(patterns.reduce((sum, { count }) => sum + count, 0)).toBe(messages.length)
      expect(new Set(patterns.map(({ pattern }) => pattern)).size).toBe(patterns.length)
      expect(patterns.every(({ first }) => messages[first] !== undefined)).toBe(true)
      const counts = patterns.map(({ count }) => count)
      expect(counts).toEqual(counts.toSorted((a, b) => b - a))
      expect(messagePatterns(messages)).toEqual(patterns)
    }),
  )
})

test('numbers alone never part messages', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), (numbers) => {
      expect(messagePatterns(numbers.map((n) => `took ${n} ms`))).toEqual([
        { pattern: 'took <*> ms', count: numbers.length, first: 0 },
      ])
    }),
  )
})
