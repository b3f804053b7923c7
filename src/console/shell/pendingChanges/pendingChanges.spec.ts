import { expect, test } from 'vitest'
import { checkAgainIn, lateAfter, progressOf, type PendingChange } from './pendingChanges.ts'

const asked: PendingChange = {
  values: { replicas: 3, memory: 2 },
  former: { replicas: 1, memory: 1 },
  changes: [],
  at: 1000,
  uncertain: false,
}

test('a change holds once every value is what was asked for', () => {
  expect(progressOf(asked, { replicas: 3, memory: 2, other: 9 }, 1001)).toEqual({ state: 'reached' })
  expect(progressOf(asked, { replicas: 3, memory: 1 }, 1001)).toEqual({ state: 'waiting', open: ['memory'] })
})

test('zeros and missing values are not what was asked for', () => {
  expect(progressOf(asked, { replicas: 0, memory: 0 }, 1001)).toEqual({
    state: 'waiting',
    open: ['replicas', 'memory'],
  })
  expect(progressOf(asked, {}, 1001)).toEqual({ state: 'waiting', open: ['replicas', 'memory'] })
})

test('after a while it is said that it has not, and a late one can still be reached', () => {
  const late = asked.at + lateAfter
  expect(progressOf(asked, {}, late - 1).state).toBe('waiting')
  expect(progressOf(asked, {}, late).state).toBe('late')
  expect(progressOf(asked, { replicas: 3, memory: 2 }, late).state).toBe('reached')
  expect(checkAgainIn(asked, late)).toBeGreaterThan(checkAgainIn(asked, asked.at))
})
