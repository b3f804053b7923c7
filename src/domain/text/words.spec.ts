import { expect, test } from 'vitest'
import { capitalized, counted, inSentence, titled } from './words.ts'

test('uses the singular for one and the plural for the rest', () => {
  expect([0, 1, 2].map((count) => counted(count, 'data pipe'))).toEqual(['0 data pipes', '1 data pipe', '2 data pipes'])
  expect(['search', 'entry', 'day'].map((word) => counted(2, word))).toEqual(['2 searches', '2 entries', '2 days'])
})

test('a sentence begins with a capital letter', () => {
  expect(['alert', 'CPU', ''].map(capitalized)).toEqual(['Alert', 'CPU', ''])
})

test('a noun is not repeated before a name that begins with it', () => {
  expect(titled('alert', 'Latency')).toBe('Alert Latency')
  expect(titled('alert', 'Alert on Orders / Errors')).toBe('Alert on Orders / Errors')
  expect(titled('alert', 'Alerts of shop')).toBe('Alert Alerts of shop')
  expect(titled('data pipe', '')).toBe('Data pipe')
})

test('names keep their capitals within a sentence', () => {
  expect(['Replicas', 'CPU per replica', 'MySQL endpoint', 'object_storage'].map(inSentence)).toEqual([
    'replicas',
    'CPU per replica',
    'MySQL endpoint',
    'object_storage',
  ])
})
