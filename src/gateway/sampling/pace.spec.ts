import { assert, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { budgetShare, paceOf, usualPace } from './pace.ts'

const course = { taken: 10, failures: 0, retryAfter: 0, spacing: 1000 }

describe('the pace', () => {
  it('is close at first, then the usual one', () => {
    expect(paceOf(usualPace, { ...course, taken: 0 })).toEqual({ pace: usualPace.first, slowed: null })
    expect(paceOf(usualPace, course)).toEqual({ pace: usualPace.usual, slowed: null })
  })

  it('takes a small share of what the key may send', () => {
    expect(paceOf(usualPace, { ...course, spacing: 10_000 })).toEqual({ pace: 40_000, slowed: 'budget' })
  })

  it('slows down with each failure, and leaves a deployment alone for as long as it asks', () => {
    expect(paceOf(usualPace, { ...course, failures: 1 })).toEqual({ pace: 30_000, slowed: 'failing' })
    expect(paceOf(usualPace, { ...course, failures: 1000 }).pace).toBe(usualPace.slowest)
    expect(paceOf(usualPace, { ...course, failures: 1, retryAfter: 900_000 }).pace).toBe(900_000)
  })

  it('never asks for more than its share, nor sooner than it was told', () => {
    const any = record({
      taken: integer({ min: 0, max: 1e6 }),
      failures: integer({ min: 0, max: 1e6 }),
      retryAfter: integer({ min: 0, max: 1e7 }),
      spacing: integer({ min: 0, max: 1e6 }),
    })
    assert(
      property(any, (one) => {
        const { pace, slowed } = paceOf(usualPace, one)
        expect(pace).toBeGreaterThanOrEqual(Math.max(usualPace.first, one.retryAfter, one.spacing * budgetShare))
        expect(slowed === null).toBe(pace <= usualPace.usual)
      }),
    )
  })
})
