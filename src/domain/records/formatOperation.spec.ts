import { expect, test } from 'vitest'
import { formatOperation } from './formatOperation.ts'

test.each([
  ['update', 'update'],
  ['replicaScaling', 'scale'],
  ['updateSettings', 'change the settings of'],
  ['createBucket', 'create bucket'],
  ['toString', 'to string'],
])('the operation %s is said as %s', (verb, text) => {
  expect(formatOperation(verb)).toBe(text)
})
