/** Which times are accepted: also while the clock of the machine was set and the new time is not used yet. */
import { expect, test } from 'vitest'
import { timeWindow } from './batch.ts'

const day = 86_400_000
const now = Date.parse('2026-11-27T12:00:00.500Z')

function accepts(time: number, machine?: number): boolean {
  const { oldest, newest } = timeWindow(now, 30, machine)
  return time / 1000 >= oldest && time / 1000 <= newest
}

test('times from the retention before to a day ahead are accepted', () => {
  for (const time of [now, now - 29 * day, now + day - 1000]) expect(accepts(time)).toBe(true)
  for (const time of [now - 31 * day, now + day + 1000]) expect(accepts(time)).toBe(false)
})

test.each([2 * day, -40 * day])('a step by %i ms refuses neither the old nor the new time', (by) => {
  expect(accepts(now, now + by)).toBe(true)
  expect(accepts(now + by, now + by)).toBe(true)
})

test('what is more than a day ahead of both times is refused', () => {
  expect(accepts(now + 4 * day, now + 2 * day)).toBe(false)
})
