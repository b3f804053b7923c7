import { expect, test } from 'vitest'
import { formerOf, numbersOf, withFormer } from './previousValues.ts'

const asked = { values: { replicas: 4 }, former: { replicas: 1, replicaMemoryGb: 2 } }

test('placeholders give way to what held before, reports never do', () => {
  expect(withFormer({ replicas: null, replicaMemoryGb: 0.5, concurrency: null }, asked.former)).toEqual({
    replicas: 1,
    replicaMemoryGb: 0.5,
    concurrency: null,
  })
  expect(withFormer({ replicas: null })).toEqual({ replicas: null })
})

test('one goes back to what was changed, and to nothing else', () => {
  expect(formerOf(asked, { replicas: 4, replicaMemoryGb: 8 })).toEqual({ replicas: 1 })
})

test('there is no way back where it would change nothing, or where to is not known', () => {
  expect(formerOf(asked, { replicas: 1, replicaMemoryGb: 8 })).toBeNull()
  expect(formerOf({ values: { replicas: 4, replicaMemoryGb: 1 }, former: { replicas: 1 } }, { replicas: 4 })).toBeNull()
})

test('what is no number is not known', () => {
  expect(numbersOf({ replicas: 1, concurrency: null, name: 'x', on: true })).toEqual({ replicas: 1 })
})
