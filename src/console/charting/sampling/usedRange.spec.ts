import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatUsed, usedRange } from './usedRange.ts'

const minute = 60_000

test('has most of the measurements in it, and says how long was measured', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(1000)), { minLength: 1, maxLength: 100 }), (values) => {
      const samples = values.map((value, index) => ({ at: index * minute, value }))
      const known = values.filter((value) => value !== null)
      const range = usedRange(samples, ({ value }) => value)
      if (!range) {
        expect(known.length).toBeLessThan(2)
        return
      }
      const inside = known.filter((value) => value >= range.low && value <= range.high)
      expect(range.low).toBeLessThanOrEqual(range.high)
      expect(inside.length / known.length).toBeGreaterThanOrEqual(0.9)
      expect(range.minutes).toBeLessThan(values.length)
    }),
  )
})

test('one measurement is no range; what is the same is said once', () => {
  expect(usedRange([{ at: 0, value: 1 }], ({ value }) => value)).toBeNull()
  expect(formatUsed({ low: 1, high: 2.512, minutes: 90 }, 'GiB')).toBe('Used in the last 90 min: 1 to 2.51 GiB.')
  expect(formatUsed({ low: 1, high: 1, minutes: 2 }, 'GiB')).toBe('Used in the last 2 min: 1 GiB.')
  expect(formatUsed({ low: 0.02, high: 0.5, minutes: 2 }, 'GiB')).toBe('Used in the last 2 min: 20.5 to 512 MiB.')
  expect(formatUsed({ low: 0.5, high: 2, minutes: 2 }, 'GiB')).toBe('Used in the last 2 min: 512 MiB to 2 GiB.')
  expect(formatUsed({ low: 0.1, high: 0.12, minutes: 2 }, 'vCPU')).toBe('Used in the last 2 min: 0.1 to 0.12 vCPU.')
})
