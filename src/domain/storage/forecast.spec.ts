import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dailyRate, dayOf, deletedBy, forecast } from './forecast.ts'

const day = 86_400_000
const now = Date.parse('2026-11-29T12:00:00Z')
const stored = (...bytes: number[]) =>
  bytes.map((byte, age) => ({ day: dayOf(now - age * day), rows: byte, bytes: byte }))

describe('the rate of a day', () => {
  test('is the mean of the whole days of the last week, with its least and largest', () => {
    expect(dailyRate(stored(5, 100, 300, 200), now)).toEqual({ mean: 200, least: 100, most: 300, days: 3 })
    expect(dailyRate(stored(5, 7, 7, 7, 7, 7, 7, 7, 1000), now)).toEqual({ mean: 7, least: 7, most: 7, days: 7 })
  })

  test('counts days without rows, and is unknown on the first day', () => {
    const days = stored(5, 0, 300).filter(({ bytes }) => bytes > 0)
    expect(dailyRate(days, now)).toEqual({ mean: 150, least: 0, most: 300, days: 2 })
    expect(dailyRate(stored(5), now)).toBeNull()
    expect(dailyRate([], now)).toBeNull()
  })
})

describe('the disk', () => {
  test('is full after free space divided by the rate, while nothing is old enough to leave', () => {
    const found = forecast([{ days: stored(0, 100, 100), retentionDays: 365 }], 1000, now)
    expect(found).toMatchObject({ fullIn: 10, earliest: 10, latest: 10, steadyBytes: 36_500 })
  })

  test('is never full if retention deletes as much as arrives', () => {
    const found = forecast([{ days: stored(0, 100, 100, 100, 100), retentionDays: 4 }], 500, now)
    expect(found?.fullIn).toBeNull()
    expect(found?.steadyBytes).toBe(400)
  })

  test('is full earlier with the largest day, and never with the smallest', () => {
    const found = forecast([{ days: stored(0, 300, 0), retentionDays: 20 }], 3100, now)
    expect(found).toMatchObject({ earliest: 11, latest: null })
  })

  test('holds several kinds, each with its retention', () => {
    const logs = { days: stored(0, 100, 100), retentionDays: 365 }
    const traces = { days: stored(0, 50), retentionDays: 1 }
    expect(forecast([logs, traces], 1000, now)?.fullIn).toBe(10)
    expect(forecast([{ days: [], retentionDays: 30 }], 1000, now)).toBeNull()
  })

  test('counts a day that its retention no longer keeps as free', () => {
    const days = stored(...Array.from({ length: 10 }, () => 0), 1)
    expect(forecast([{ days, retentionDays: 9 }], 0, now)?.fullIn).toBeNull()
  })

  test('is never full later with less space, or with a longer retention', () => {
    const bytes = fc.array(fc.nat(1000), { minLength: 2, maxLength: 12 })
    fc.assert(
      fc.property(bytes, fc.nat(20_000), fc.nat(5000), fc.integer({ min: 1, max: 60 }), (sizes, free, less, kept) => {
        const full = (space: number, retentionDays: number) =>
          forecast([{ days: stored(...sizes), retentionDays }], space, now)?.fullIn ?? Infinity
        expect(full(free, kept)).toBeLessThanOrEqual(full(free + less, kept))
        expect(full(free, kept + 1)).toBeLessThanOrEqual(full(free, kept))
      }),
    )
  })
})

test('a retention deletes the days before its first one', () => {
  const days = stored(1, 2, 3, 4)
  expect(deletedBy(days, 2, now).map(({ bytes }) => bytes)).toEqual([4])
  expect(deletedBy(days, 3, now)).toEqual([])
})
