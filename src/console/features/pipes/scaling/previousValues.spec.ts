import { expect, test } from 'vitest'
import { revertValues, numericValues, withPreviousValues } from './previousValues.ts'

const pendingChange = { values: { replicas: 4 }, previous: { replicas: 1, replicaMemoryGb: 2 } }

test('placeholders give way to what held before, reports never do', () => {
  expect(
    withPreviousValues({ replicas: null, replicaMemoryGb: 0.5, concurrency: null }, pendingChange.previous),
  ).toEqual({
    replicas: 1,
    replicaMemoryGb: 0.5,
    concurrency: null,
  })
  expect(withPreviousValues({ replicas: null })).toEqual({ replicas: null })
})

test('one goes back to what was changed, and to nothing else', () => {
  expect(revertValues(pendingChange, { replicas: 4, replicaMemoryGb: 8 })).toEqual({ replicas: 1 })
})

test('there is no way back where it would change nothing, or where to is not known', () => {
  expect(revertValues(pendingChange, { replicas: 1, replicaMemoryGb: 8 })).toBeNull()
  expect(
    revertValues({ values: { replicas: 4, replicaMemoryGb: 1 }, previous: { replicas: 1 } }, { replicas: 4 }),
  ).toBeNull()
})

test('what is no number is not known', () => {
  expect(numericValues({ replicas: 1, concurrency: null, name: 'x', on: true })).toEqual({ replicas: 1 })
})
