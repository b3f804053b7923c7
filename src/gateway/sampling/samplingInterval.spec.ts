import { assert, boolean, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { budgetShare, intervalOf, nextShortage, defaultIntervals } from './samplingInterval.ts'

const state = { taken: 10, failures: 0, limited: false, retryAfter: 0, spacing: 1000, shortage: 0 }

describe('sampling interval', () => {
  it('is short at first, then the default', () => {
    expect(intervalOf(defaultIntervals, { ...state, taken: 0 })).toEqual({ pace: defaultIntervals.first, slowed: null })
    expect(intervalOf(defaultIntervals, state)).toEqual({ pace: defaultIntervals.usual, slowed: null })
  })

  it('takes a small share of the rate limit', () => {
    expect(intervalOf(defaultIntervals, { ...state, spacing: 10_000 })).toEqual({ pace: 40_000, slowed: 'limit' })
  })

  it('grows while others use up the limit, and recovers step by step', () => {
    let shortage = 0
    const paces = [1, 0.4, 0.1, 0, 0.9, 0.6, 0.5, 1].map((left) => {
      shortage = nextShortage(shortage, left)
      return intervalOf(defaultIntervals, { ...state, shortage }).pace / defaultIntervals.usual
    })
    expect(paces).toEqual([1, 2, 4, 8, 4, 2, 1, 1])
    expect(intervalOf(defaultIntervals, { ...state, shortage: 1 }).slowed).toBe('budget')
  })

  it('recovers in as many steps as it takes to reach the longest interval', () => {
    let shortage = 0
    for (let look = 0; look < 100; look++) shortage = nextShortage(shortage, 0)
    expect(intervalOf(defaultIntervals, { ...state, shortage }).pace).toBe(defaultIntervals.longest)
    for (let look = 0; look < 5; look++) shortage = nextShortage(shortage, 1)
    expect(intervalOf(defaultIntervals, { ...state, shortage })).toEqual({ pace: defaultIntervals.usual, slowed: null })
  })

  it('grows with each failure, and respects Retry-After', () => {
    expect(intervalOf(defaultIntervals, { ...state, failures: 1 })).toEqual({ pace: 30_000, slowed: 'failing' })
    expect(intervalOf(defaultIntervals, { ...state, failures: 1000 }).pace).toBe(defaultIntervals.longest)
    expect(intervalOf(defaultIntervals, { ...state, failures: 1, limited: true, retryAfter: 900_000 })).toEqual({
      pace: 900_000,
      slowed: 'rateLimited',
    })
  })

  it('never exceeds its share and never ignores a required delay', () => {
    const any = record({
      limited: boolean(),
      shortage: integer({ min: 0, max: 1e6 }),
      taken: integer({ min: 0, max: 1e6 }),
      failures: integer({ min: 0, max: 1e6 }),
      retryAfter: integer({ min: 0, max: 1e7 }),
      spacing: integer({ min: 0, max: 1e6 }),
    })
    assert(
      property(any, (one) => {
        const { pace, slowed } = intervalOf(defaultIntervals, one)
        expect(pace).toBeGreaterThanOrEqual(Math.max(defaultIntervals.first, one.retryAfter, one.spacing * budgetShare))
        expect(slowed === null).toBe(pace <= defaultIntervals.usual)
      }),
    )
  })
})
