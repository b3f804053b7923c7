import { expect, test } from 'vitest'
import { sweepText } from './backtestText.ts'

const points = (...firings: number[]) => firings.map((count, threshold) => ({ threshold, firings: count }))

test('describes the number of firings by threshold', () => {
  const flat = { from: 4, to: 11, firings: 1, suggested: 7 }
  expect(sweepText({ points: points(3, 1, 1), between: 'higher', flat })).toBe('4 to 11: 1 firing each.')
  expect(sweepText({ points: points(3, 2, 1), between: 'higher', flat: null })).toMatch(/^No wide range/)
  expect(sweepText({ points: points(0, 0), between: 'higher', flat: null })).toMatch(/^No threshold fires/)
  expect(sweepText({ points: [], between: 'higher', flat: null })).toMatch(/^No threshold fires/)
})
