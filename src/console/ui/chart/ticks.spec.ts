import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { logTicks, valueTicks } from './ticks.ts'

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

/** Ends of an axis, the lower one first. */
const extents = fc.tuple(finite, finite).map(([a, b]): [number, number] => (a < b ? [a, b] : [b, a]))

test('ticks of any extent rise, and cover it', () => {
  fc.assert(
    fc.property(extents, fc.integer({ min: 1, max: 20 }), fc.boolean(), ([low, high], count, whole) => {
      const ticks = valueTicks([low, high], count, 'number', whole)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThan(100)
      expect(ticks).toEqual(ticks.toSorted((a, b) => a - b))
      expect(new Set(ticks).size).toBe(ticks.length)
      const rounding = Math.max(Math.abs(low), Math.abs(high)) * 1e-11
      expect(ticks[0]).toBeLessThanOrEqual(low + rounding)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(high - rounding)
    }),
    {
      examples: [
        [[5e-324, 1e-323], 9, false],
        [[1e15, 1e15 + 1], 5, false],
        [[-Number.MAX_VALUE, Number.MAX_VALUE], 5, true],
        [[5e-324, 1e-323], 9, true],
      ],
    },
  )
})

test('powers of ten of any positive extent are positive, rise and cover it', () => {
  const positive = fc.double({ min: 0, minExcluded: true, noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(fc.tuple(positive, positive), ([a, b]) => {
      const [low, high] = a < b ? [a, b] : [b, a]
      const ticks = logTicks([low, high])
      expect(ticks.every((tick) => tick > 0 && Number.isFinite(tick))).toBe(true)
      expect(ticks).toEqual(ticks.toSorted((tick, other) => tick - other))
      expect(new Set(ticks).size).toBe(ticks.length)
      expect(ticks[0]).toBeLessThanOrEqual(low * (1 + 1e-11))
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(high * (1 - 1e-11))
    }),
    { examples: [[[5e-324, 1e-323]], [[1, Number.MAX_VALUE]], [[Number.MAX_VALUE, Number.MAX_VALUE]]] },
  )
})
