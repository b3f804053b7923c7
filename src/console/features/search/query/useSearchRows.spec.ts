import { expect, test } from 'vitest'
import { formatRowCount } from './useSearchRows.ts'

const span = { from: 60_000, to: 3_660_000 }
const rowsOf = (count: number, more = {}) => ({
  rows: Array.from({ length: count }, (_, at) => at),
  first: { span },
  hasNextPage: false,
  isPlaceholderData: false,
  ...more,
})

test('rows that are all loaded are counted themselves', () => {
  // The first bucket of the histogram begins before the range.
  expect(formatRowCount(rowsOf(110), { total: 111, span: { from: 0 } })).toBe('110')
  expect(formatRowCount(rowsOf(110), undefined)).toBe('110')
})

test('of more rows, a count over a wider range is about right', () => {
  const loaded = rowsOf(200, { hasNextPage: true })
  expect(formatRowCount(loaded, { total: 1500, span: { from: 0 } })).toBe('about 1,500')
  expect(formatRowCount(loaded, { total: 1500, span })).toBe('1,500')
  expect(formatRowCount(loaded, { total: 100, span })).toBe('200')
  expect(formatRowCount(loaded, undefined)).toBe('…')
})

test('the rows of the previous search are not those of this one', () => {
  expect(formatRowCount(rowsOf(110, { isPlaceholderData: true }), { total: 7, span })).toBe('110')
  expect(formatRowCount(rowsOf(5, { isPlaceholderData: true }), { total: 7, span })).toBe('7')
  expect(formatRowCount(rowsOf(5, { isPlaceholderData: true }), undefined)).toBe('…')
})
