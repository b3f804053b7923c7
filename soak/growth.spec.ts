import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { chartsOf, growthOf } from './growth.ts'

const minutes = Array.from({ length: 60 }, (_, minute) => minute)
const finding = (value: (minute: number) => number, allowance = 1) =>
  growthOf({ name: 'Memory', unit: 'MB', values: minutes.map(value), allowance })

test('finds what grows to the end', () => {
  expect(finding((minute) => 100 + minute)).toBe('Memory grows: 122 MB in the second quarter, 152 in the last')
  expect(finding((minute) => 100 + 20 * Math.floor(minute / 15))).toContain('grows')
})

test.each<[string, (minute: number) => number]>([
  ['a start', (minute) => Math.min(100 + 20 * minute, 400)],
  ['a sawtooth', (minute) => 100 + (minute % 7) * 30],
  ['a step that holds from the half on', (minute) => (minute < 30 ? 100 : 160)],
  ['what falls', (minute) => 400 - minute],
  ['one spike', (minute) => (minute === 55 ? 4000 : 100)],
])('accepts %s', (_, value) => {
  expect(finding(value)).toBeNull()
})

test('judges collected memory by its lowest values', () => {
  // Between two collections more and more memory is used, but nothing stays.
  const collected = minutes.map((minute) => 50 + (2 + Math.floor(minute / 15) * 2) * (minute % 13))
  const series = { name: 'Heap', unit: 'MB', values: collected, allowance: 5 }
  expect(growthOf(series)).toContain('grows')
  expect(growthOf({ ...series, isCollected: true })).toBeNull()
  const leaking = collected.map((value, minute) => value + minute)
  expect(growthOf({ ...series, values: leaking, isCollected: true })).toContain('grows')
})

test('does not judge stored data, and too few values never pass', () => {
  expect(growthOf({ name: 'Engine', unit: 'MB', values: minutes })).toBeNull()
  expect(growthOf({ name: 'Memory', unit: 'MB', values: [1, 1, 1], allowance: 1 })).toContain('too few')
})

test('any growth by more than a fifth of the start and the allowance in each quarter is found', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 1e6 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 60, maxLength: 60 }),
      (start, noise) => {
        const values = noise.map((share, minute) => start * (1 + 0.2 * Math.floor(minute / 15) + share * 0.01))
        expect(growthOf({ name: 'Memory', unit: 'MB', values, allowance: 0 })).toContain('grows')
      },
    ),
  )
})

test('draws every series', () => {
  const svg = chartsOf(
    'Load',
    [
      { name: 'A', unit: 'MB', values: [1, 2] },
      { name: 'B', unit: '', values: [0, 0] },
    ],
    1,
  )
  expect(svg.match(/<polyline/g)).toHaveLength(2)
  expect(svg).not.toContain('NaN')
})
