import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addPoints, groupLabel, isPlainLabel, labeledValue, type Groups } from './groupValues.ts'

/** Texts that are written like labels, in quotes or not. */
const like = fc.constantFrom('', '(none)', '(null)', '"(none)"', '"(null)"', String.raw`"\"(none)\""`, 'null', '(None)')
const value = fc.oneof(
  fc.constant(null),
  like,
  fc.string(),
  fc.array(like).map((parts) => parts.join('')),
)

test('each value has a label of its own, which leads back to it', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(labeledValue(groupLabel(a))).toBe(a)
      expect(groupLabel(a) === groupLabel(b)).toBe(a === b)
      expect(groupLabel(a)).not.toBe('')
      expect(isPlainLabel(groupLabel(a))).toBe(groupLabel(a) === a)
    }),
  )
})

test('a text of a condition that no label is written like is the value itself', () => {
  const text = fc.oneof(fc.string({ unit: fc.constantFrom('"', '\\', '(none)', '(null)', 'a') }), fc.string())
  fc.assert(
    fc.property(text, (label) => {
      const found = labeledValue(label)
      expect(found === label || groupLabel(found) === label).toBe(true)
    }),
  )
  for (const label of ['"(none)', String.raw`\(null)`, '""(none)""']) expect(isPlainLabel(label)).toBe(true)
})

test('no group of an answer overwrites another', () => {
  const counts = new Map<unknown, number>([
    [null, 5],
    ['', 4],
    ['(none)', 3],
    ['(null)', 2],
    ['"(none)"', 1],
  ])
  const points = [...counts].map(([one, count]) => ({ ts_bucket: 0, group: [one], 'series_0.data': String(count) }))
  const groups: Groups = new Map()
  addPoints(groups, points, { first: 0, count: 1, total: 1 })
  expect([...groups.values()].map(({ group, values }) => [group[0], values[0]?.get(0)])).toEqual([
    ['(null)', 5],
    ['(none)', 4],
    ['"(none)"', 3],
    ['"(null)"', 2],
    [String.raw`"\"(none)\""`, 1],
  ])
})
