import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ComparedRow } from './attributeCounts.ts'
import { countAttributes } from './countAttributes.ts'
import { chanceDivergence, jensenShannon } from './divergence.ts'
import { rankAttributes } from './rankAttributes.ts'
import { plantedCase, randomOf } from './testing/plantedCase.ts'

const explain = (inside: ComparedRow[], outside: ComparedRow[]) => {
  const { counts, clocks } = countAttributes({ inside, outside })
  return { ranked: rankAttributes(counts, { inside: inside.length, outside: outside.length }), clocks }
}
const row = (values: Record<string, string>, at = NaN): ComparedRow => ({ at, values: new Map(Object.entries(values)) })
const times = (count: number, make: (at: number) => ComparedRow) => Array.from({ length: count }, (_, at) => make(at))

describe('divergence', () => {
  const weights = fc.array(fc.tuple(fc.nat(1000), fc.nat(1000)), { minLength: 1, maxLength: 30 })

  test('is between 0 and 1, the same in both directions, and 0 for equal shares', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 9 }), (pairs, factor) => {
        const [p, q] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)]
        const bits = jensenShannon(p, q)
        expect(bits).toBeGreaterThanOrEqual(0)
        expect(bits).toBeLessThanOrEqual(1)
        expect(jensenShannon(q, p)).toBeCloseTo(bits, 12)
        expect(
          jensenShannon(
            p,
            p.map((value) => value * factor),
          ),
        ).toBeCloseTo(0, 12)
      }),
    )
  })

  test('is 1 without a common value', () => {
    expect(jensenShannon([3, 0, 4], [0, 9, 0])).toBe(1)
    expect(jensenShannon([1, 1], [])).toBe(0)
  })

  test('of two samples of one distribution is rarely above that of chance', () => {
    const random = randomOf(7)
    const above = Array.from({ length: 2000 }, () => {
      const values = 2 + Math.floor(random() * 10)
      const sample = (size: number) => {
        const counts = Array.from({ length: values }, () => 0)
        for (let at = 0; at < size; at++) counts[Math.floor(random() * values)]! += 1
        return counts
      }
      const sizes = [100 + Math.floor(random() * 400), 100 + Math.floor(random() * 400)] as const
      return jensenShannon(sample(sizes[0]), sample(sizes[1])) > chanceDivergence(values, ...sizes)
    }).filter(Boolean).length
    expect(above).toBeLessThan(2000 * 0.005)
  })
})

describe('attributes', () => {
  test('with another value in each row, and those that follow the clock, say nothing', () => {
    const make = (side: string, first: number) =>
      times(400, (at) => row({ id: `${side}${at}`, sequence: String(first + at), host: `h${at % 3}` }, first + at))
    const { ranked, clocks } = explain(make('a', 1000), make('b', 0))
    expect(ranked).toEqual([])
    expect(clocks).toEqual(['sequence'])
  })

  test('that few rows have count by the rows that have them', () => {
    const make = (size: string, failed: number) =>
      times(500, (at) => row({ status: at < failed ? 'error' : 'ok', ...(at < 20 && { 'pool.size': size }) }))
    const { ranked } = explain(make('5', 60), make('50', 10))
    expect(ranked.map(({ attribute }) => attribute)).toEqual(['pool.size', 'status'])
    expect(ranked[0]).toMatchObject({ present: { inside: 20, outside: 20 }, of: 'present' })
    expect(ranked[0]?.divergence).toBeGreaterThan(0.75)
  })

  test('that only one side has differ by being there', () => {
    const { ranked } = explain(
      times(300, (at) => row(at < 150 ? { error: `e${at % 2}` } : {})),
      times(300, () => row({})),
    )
    expect(ranked[0]).toMatchObject({ attribute: 'error', present: { inside: 150, outside: 0 }, of: 'all' })
  })

  test('of many numbers are compared by ranges that end at round numbers', () => {
    const { ranked } = explain(
      times(300, (at) => row({ Duration: String(5000 + ((at * 37) % 1000)) })),
      times(900, (at) => row({ Duration: String((at * 37) % 1000) })),
    )
    const [first] = ranked
    expect(first?.values.every(({ value }) => value.kind === 'range')).toBe(true)
    expect(first?.values.reduce((sum, { inside, outside }) => sum + inside + outside, 0)).toBe(1200)
    const above = first?.values.filter(({ value }) => value.kind === 'range' && (value.from ?? 0) >= 1000)
    expect(above?.reduce((sum, { inside }) => sum + inside, 0)).toBeGreaterThan(290)
    expect(above?.reduce((sum, { outside }) => sum + outside, 0)).toBe(0)
  })

  test('that are the same under two names are listed once', () => {
    const make = (name: string) =>
      times(100, () => row({ ServiceName: name, "ResourceAttributes['service.name']": name }))
    expect(explain(make('a'), make('b')).ranked).toMatchObject([
      { attribute: 'ServiceName', same: ["ResourceAttributes['service.name']"] },
    ])
  })

  test('no rows on one side explain nothing', () => {
    expect(
      explain(
        [],
        times(50, () => row({ a: 'x' })),
      ).ranked,
    ).toEqual([])
  })
})

test('every result is within its bounds, whatever the rows are', () => {
  const value = fc.oneof(fc.constantFrom('', 'a', 'b'), fc.integer().map(String), fc.string())
  const rows = fc.array(fc.dictionary(fc.constantFrom('x', 'y', 'z', '__proto__'), value), { maxLength: 60 })
  fc.assert(
    fc.property(rows, rows, (inside, outside) => {
      for (const attribute of explain(
        inside.map((values) => row(values)),
        outside.map((values) => row(values)),
      ).ranked) {
        expect(attribute.divergence).toBeGreaterThan(0)
        expect(attribute.divergence).toBeLessThanOrEqual(1)
        expect(attribute.present.inside).toBeLessThanOrEqual(inside.length)
        expect(attribute.present.outside).toBeLessThanOrEqual(outside.length)
      }
    }),
  )
})

test('a planted cause is first in 19 of 20 random cases', () => {
  const cases = Array.from({ length: 60 }, (_, seed) => plantedCase(seed + 1))
  const found = cases.filter(({ cause, inside, outside }) => explain(inside, outside).ranked[0]?.attribute === cause)
  expect(found.length / cases.length).toBeGreaterThanOrEqual(0.95)
})
