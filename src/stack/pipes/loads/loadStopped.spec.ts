import { expect, test } from 'vitest'
import { LoadStopped, placeCounter } from './loadStopped.ts'

test('a pipe that makes no progress says where it is at the fifth try', () => {
  const after = placeCounter()
  const at = (place: string) => after(new LoadStopped(place, new Error('no room')))
  expect(Array.from({ length: 4 }, () => at('offset 7'))).toEqual(['', '', '', ''])
  expect(at('offset 7')).toBe('. No progress at offset 7 in 5 tries')
  expect(at('offset 7')).toBe('. No progress at offset 7 in 6 tries')
  expect(at('offset 8')).toBe('')
  expect(Array.from({ length: 9 }, () => after(new Error('unreachable')))).toEqual(Array(9).fill(''))
})
