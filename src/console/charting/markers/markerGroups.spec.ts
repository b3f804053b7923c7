import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { markerGroups, markGap } from './markerGroups.ts'

const axis = { from: 0, to: 3_600_000, left: 40, right: 940 }
// The time of a moment is never negative zero, which sorts like zero and is not equal to it: adding 0 makes it zero.
const time = fc.double({ min: -3_600_000, max: 7_200_000, noNaN: true }).map((value) => value + 0)
const groupsOf = (times: readonly number[], on = axis) => markerGroups(times, (one) => one, on)

test('moments that are far from each other are marked one by one, near ones together', () => {
  expect(groupsOf([0, 600_000, 605_000, 3_600_000])).toEqual([
    { x: 40, members: [0] },
    { x: 190, members: [600_000, 605_000] },
    { x: 940, members: [3_600_000] },
  ])
})

test('every moment on the axis is in one group, in the order of time, and no other one is', () => {
  fc.assert(
    fc.property(fc.array(time), (times) => {
      const shown = times.filter((value) => value >= axis.from && value <= axis.to).toSorted((a, b) => a - b)
      expect(groupsOf(times).flatMap(({ members }) => members)).toEqual(shown)
    }),
  )
})

test('groups never overlap, are on the axis, and are near all of their members', () => {
  fc.assert(
    fc.property(fc.array(time), fc.integer({ min: 1, max: 2_000 }), (times, width) => {
      const on = { ...axis, right: axis.left + width }
      const groups = groupsOf(times, on)
      const xOf = (at: number) => on.left + (at / (on.to - on.from)) * width
      for (const [index, { x, members }] of groups.entries()) {
        expect(x).toBeGreaterThanOrEqual(on.left)
        expect(x).toBeLessThanOrEqual(on.right)
        const before = groups[index - 1]
        if (before) expect(x - before.x).toBeGreaterThanOrEqual(markGap)
        for (const member of members) expect(xOf(member) - x).toBeLessThan(markGap)
      }
      expect(groups.length).toBeLessThanOrEqual(width / markGap + 1)
    }),
  )
})

test('the order in which moments arrive makes no difference', () => {
  fc.assert(
    fc.property(fc.uniqueArray(time), (times) => {
      expect(groupsOf(times.toReversed())).toEqual(groupsOf(times))
    }),
  )
})

test('an axis without length has no marks', () => {
  expect(groupsOf([0], { ...axis, to: 0 })).toEqual([])
})
