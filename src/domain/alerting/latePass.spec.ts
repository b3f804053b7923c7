import { expect, test } from 'vitest'
import { isLatePass } from './latePass.ts'

const minute = 60_000
const due = 100 * minute

test.each([
  ['the pass of this minute has ended', { ended: due + 6000 }, due + 7000, false],
  ['the next pass is running', { ended: due + 6000 }, due + 1.5 * minute, false],
  ['the next pass is a minute late', { ended: due + 6000 }, due + 2 * minute + 5001, true],
  ['the last pass ended a minute late', { ended: due + minute + 1 }, due + minute + 2, true],
])('%s', (_, { ended }, now, late) => {
  expect(isLatePass({ due, ended }, now, 0)).toBe(late)
})

test('a process that has just started is not late yet', () => {
  const now = due + 600 * minute
  expect(isLatePass({ due, ended: due + 6000 }, now, now - minute)).toBe(false)
  expect(isLatePass({ due, ended: due + 6000 }, now, now - 3 * minute)).toBe(true)
})

test('a pass before the clock was set back does not count', () => {
  const ended = due + 6000
  expect(isLatePass({ due, ended }, due - 60 * minute, due - 61 * minute)).toBe(false)
  expect(isLatePass({ due, ended }, due - 60 * minute, due - 63 * minute)).toBe(true)
})
