import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatShort } from '#domain/charts/units.ts'
import type { Sweep } from '#domain/alerting/sweep.ts'
import { sweepScale } from './sweepScale.ts'

/** A sweep over these thresholds, the first of which fires so often. */
const sweepOf = (thresholds: readonly number[], most = 7): Sweep => ({
  points: thresholds.map((threshold, at) => ({ threshold, firings: Math.max(0, most - at) })),
  between: 'higher',
  flat: null,
})
const drawn = { threshold: null, width: 640, unit: 'number' }

test('ticks are round values', () => {
  expect(sweepScale(sweepOf([1, 2.2, 5.9]), drawn).xTicks).toEqual([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5])
  expect(sweepScale(sweepOf([2, 5.9]), { ...drawn, width: 320 }).xTicks).toEqual([2, 3, 4, 5])
  expect(sweepScale(sweepOf([1, 300]), drawn).xTicks).toEqual([1, 10, 100])
  expect(sweepScale(sweepOf([1, 2], 7), drawn).yTicks).toEqual([0, 2, 4, 6])
  expect(sweepScale(sweepOf([1, 2], 1), drawn).yTicks).toEqual([0, 1])
})

test('thresholds of a duration have ticks that are round in its unit', () => {
  const { xTicks } = sweepScale(sweepOf([0.9e9, 2.1e9]), { ...drawn, width: 320, unit: 'ns' })
  expect(xTicks.map((tick) => formatShort(tick, 'ns'))).toEqual(['1 s', '1.2 s', '1.4 s', '1.6 s', '1.8 s', '2 s'])
})

test('all ticks are inside of the chart', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: 1 }),
      fc.nat(5000),
      (all, most) => {
        const { x, y, xTicks, yTicks } = sweepScale(
          sweepOf(
            all.toSorted((a, b) => a - b),
            most,
          ),
          drawn,
        )
        for (const tick of xTicks) {
          expect(x(tick)).toBeGreaterThanOrEqual(33)
          expect(x(tick)).toBeLessThanOrEqual(drawn.width - 13)
        }
        for (const tick of yTicks) expect(y(tick)).toBeGreaterThanOrEqual(17)
      },
    ),
  )
})
