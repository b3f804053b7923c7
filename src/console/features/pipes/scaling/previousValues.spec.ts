import { expect, test } from 'vitest'
import { revertValues, numericValues, withPreviousValues } from './previousValues.ts'

const pendingChange = { values: { replicas: 4 }, previous: { replicas: 1, replicaMemoryGb: 2 } }

test('previous values replace placeholders, but not reported values', () => {
  expect(
    withPreviousValues({ replicas: null, replicaMemoryGb: 0.5, concurrency: null }, pendingChange.previous),
  ).toEqual({
    replicas: 1,
    replicaMemoryGb: 0.5,
    concurrency: null,
  })
  expect(withPreviousValues({ replicas: null })).toEqual({ replicas: null })
})

test('a revert restores the changed values only', () => {
  expect(revertValues(pendingChange, { replicas: 4, replicaMemoryGb: 8 })).toEqual({ replicas: 1 })
})

test('there is no revert if nothing would change or a value is unknown', () => {
  expect(revertValues(pendingChange, { replicas: 1, replicaMemoryGb: 8 })).toBeNull()
  expect(
    revertValues({ values: { replicas: 4, replicaMemoryGb: 1 }, previous: { replicas: 1 } }, { replicas: 4 }),
  ).toBeNull()
})

test('values that are not numbers are unknown', () => {
  expect(numericValues({ replicas: 1, concurrency: null, name: 'x', on: true })).toEqual({ replicas: 1 })
})
