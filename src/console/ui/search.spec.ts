import { expect, test } from 'vitest'
import { matchesTerms, searchText, searchTerms } from './search.ts'

const id = '6703e49b1c49aa0012349f49'
const uuid = '49a1b2c3-4d5e-4f60-8a7b-9c0d1e2f3a49'
const finds = (typed: string, shown: string, ownId?: string) =>
  matchesTerms(searchText(shown, ownId), searchTerms(typed))

test('finds words in the displayed text, in any order', () => {
  expect(finds('rate payments', 'Payments error rate')).toBe(true)
  expect(finds('payments refunds', 'Payments error rate')).toBe(false)
  expect(finds('', 'Payments')).toBe(true)
})

test('does not search a number in IDs, displayed or not', () => {
  expect(finds('payments 49', 'Payments', id)).toBe(false)
  expect(finds('payments 49', `Payments ${id}`)).toBe(false)
  expect(finds('payments 49', `Payments ${uuid}`, uuid)).toBe(false)
  expect(finds('payments 49', 'Payments 49', id)).toBe(true)
})

test.each([id, id.toUpperCase(), id.slice(0, 6), uuid, uuid.slice(0, 8), uuid.slice(0, 9), uuid.slice(0, 21)])(
  'finds a row by its typed ID: %s',
  (typed) => {
    const own = typed.toLowerCase().startsWith('49') ? uuid : id
    expect(finds(typed, 'Payments', own)).toBe(true)
    expect(finds(typed, `Watches ${own}`)).toBe(true)
    expect(finds(`payments ${typed}`, 'Payments', own)).toBe(true)
  },
)

test('does not match a short text or the middle of an ID', () => {
  expect(finds(id.slice(0, 5), 'Payments', id)).toBe(false)
  expect(finds(id.slice(4, 12), 'Payments', id)).toBe(false)
})

test('a word of six letters from a to f is still a word', () => {
  expect(finds('facade', 'The facade', id)).toBe(true)
})
