import { expect, test } from 'vitest'
import { capitalized, counted, inSentence } from './format.ts'

test('one is said as one, everything else as many', () => {
  expect([0, 1, 2].map((count) => counted(count, 'data pipe'))).toEqual(['0 data pipes', '1 data pipe', '2 data pipes'])
})

test('a sentence begins with a capital', () => {
  expect(['alert', 'CPU', ''].map(capitalized)).toEqual(['Alert', 'CPU', ''])
})

test('names keep their capitals inside of a sentence', () => {
  expect(['Replicas', 'CPU per replica', 'MySQL endpoint', 'object_storage'].map(inSentence)).toEqual([
    'replicas',
    'CPU per replica',
    'MySQL endpoint',
    'object_storage',
  ])
})
