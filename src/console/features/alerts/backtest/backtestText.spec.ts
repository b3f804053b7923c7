import { expect, test } from 'vitest'
import { sweepText, thresholdText } from './backtestText.ts'

const points = (...firings: number[]) => firings.map((count, threshold) => ({ threshold, firings: count }))

test('describes the number of firings by threshold', () => {
  const flat = { from: 4, to: 11, firings: 1, suggested: 7 }
  expect(sweepText({ points: points(3, 1, 1), between: 'higher', flat }, 'number')).toBe('4 to 11: 1 firing each.')
  expect(sweepText({ points: points(3, 1, 1), between: 'higher', flat }, 's')).toBe('4 s to 11 s: 1 firing each.')
  expect(sweepText({ points: points(3, 2, 1), between: 'higher', flat: null }, 'number')).toMatch(/^No wide range/)
  expect(sweepText({ points: points(0, 0), between: 'higher', flat: null }, 'number')).toMatch(/^No threshold fires/)
  expect(sweepText({ points: [], between: 'higher', flat: null }, 'number')).toMatch(/^No threshold fires/)
})

test('says what a typed threshold is in the unit of the data', () => {
  expect(thresholdText(1, 'ns')).toBe('A threshold of 1 is 1 ns.')
  expect(thresholdText(1_500_000_000, 'ns')).toBe('A threshold of 1,500,000,000 is 1.5 s.')
  expect(thresholdText(5, 'number')).toBeNull()
  expect(thresholdText(null, 'ns')).toBeNull()
})
