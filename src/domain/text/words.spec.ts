import { expect, test } from 'vitest'
import { capitalized, counted, inSentence } from './words.ts'

test('uses the singular for one and the plural for the rest', () => {
  expect([0, 1, 2].map((count) => counted(count, 'data pipe'))).toEqual(['0 data pipes', '1 data pipe', '2 data pipes'])
  expect(['search', 'entry', 'day'].map((one) => counted(2, one))).toEqual(['2 searches', '2 entries', '2 days'])
})

test('a sentence begins with a capital letter', () => {
  expect(['alert', 'CPU', ''].map(capitalized)).toEqual(['Alert', 'CPU', ''])
})

test('names keep their capitals within a sentence', () => {
  expect(['Replicas', 'CPU per replica', 'MySQL endpoint', 'object_storage'].map(inSentence)).toEqual([
    'replicas',
    'CPU per replica',
    'MySQL endpoint',
    'object_storage',
  ])
})
