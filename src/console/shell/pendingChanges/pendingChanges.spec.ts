import { expect, test } from 'vitest'
import { nextPollDelay, lateAfterMs, changeProgress, type PendingChange } from './pendingChanges.ts'

const change: PendingChange = {
  values: { replicas: 3, memory: 2 },
  previous: { replicas: 1, memory: 1 },
  changes: [],
  at: 1000,
  outcomeUnknown: false,
}

test('a change holds once every value is what was change for', () => {
  expect(changeProgress(change, { replicas: 3, memory: 2, other: 9 }, 1001)).toEqual({ state: 'reached' })
  expect(changeProgress(change, { replicas: 3, memory: 1 }, 1001)).toEqual({ state: 'waiting', open: ['memory'] })
})

test('zeros and missing values are not what was change for', () => {
  expect(changeProgress(change, { replicas: 0, memory: 0 }, 1001)).toEqual({
    state: 'waiting',
    open: ['replicas', 'memory'],
  })
  expect(changeProgress(change, {}, 1001)).toEqual({ state: 'waiting', open: ['replicas', 'memory'] })
})

test('after a while it is said that it has not, and a late one can still be reached', () => {
  const late = change.at + lateAfterMs
  expect(changeProgress(change, {}, late - 1).state).toBe('waiting')
  expect(changeProgress(change, {}, late).state).toBe('late')
  expect(changeProgress(change, { replicas: 3, memory: 2 }, late).state).toBe('reached')
  expect(nextPollDelay(change, late)).toBeGreaterThan(nextPollDelay(change, change.at))
})
