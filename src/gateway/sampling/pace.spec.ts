import { assert, boolean, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { budgetShare, paceOf, shortness, usualPace } from './pace.ts'

const course = { taken: 10, failures: 0, limited: false, retryAfter: 0, spacing: 1000, short: 0 }

describe('the pace', () => {
  it('is close at first, then the usual one', () => {
    expect(paceOf(usualPace, { ...course, taken: 0 })).toEqual({ pace: usualPace.first, slowed: null })
    expect(paceOf(usualPace, course)).toEqual({ pace: usualPace.usual, slowed: null })
  })

  it('takes a small share of what the key may send', () => {
    expect(paceOf(usualPace, { ...course, spacing: 10_000 })).toEqual({ pace: 40_000, slowed: 'limit' })
  })

  it('slows down while others use up the limit, and recovers step by step', () => {
    let short = 0
    const paces = [1, 0.4, 0.1, 0, 0.9, 0.6, 0.5, 1].map((left) => {
      short = shortness(short, left)
      return paceOf(usualPace, { ...course, short }).pace / usualPace.usual
    })
    expect(paces).toEqual([1, 2, 4, 8, 4, 2, 1, 1])
    expect(paceOf(usualPace, { ...course, short: 1 }).slowed).toBe('budget')
  })

  it('takes as many steps back as it takes to be slowest, however long it was short', () => {
    let short = 0
    for (let look = 0; look < 100; look++) short = shortness(short, 0)
    expect(paceOf(usualPace, { ...course, short }).pace).toBe(usualPace.slowest)
    for (let look = 0; look < 5; look++) short = shortness(short, 1)
    expect(paceOf(usualPace, { ...course, short })).toEqual({ pace: usualPace.usual, slowed: null })
  })

  it('slows down with each failure, and leaves a deployment alone for as long as it asks', () => {
    expect(paceOf(usualPace, { ...course, failures: 1 })).toEqual({ pace: 30_000, slowed: 'failing' })
    expect(paceOf(usualPace, { ...course, failures: 1000 }).pace).toBe(usualPace.slowest)
    expect(paceOf(usualPace, { ...course, failures: 1, limited: true, retryAfter: 900_000 })).toEqual({
      pace: 900_000,
      slowed: 'rateLimited',
    })
  })

  it('never asks for more than its share, nor sooner than it was told', () => {
    const any = record({
      limited: boolean(),
      short: integer({ min: 0, max: 1e6 }),
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
