import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { nanosecondsOf, secondsOf } from './instants.ts'

const secondsIn = (time: bigint) => secondsOf(Number(time & 0xffffffffn), Number(time >> 32n))

test('gives the whole seconds of any 64-bit time', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (time) => {
      expect(secondsIn(time)).toBe(Number(time / 1_000_000_000n))
    }),
    { numRuns: 5000 },
  )
})

test('gives the seconds of times next to a whole second, where a floating-point quotient rounds up', () => {
  for (let second = 1_700_000_000n; second < 1_700_000_500n; second += 1n) {
    const times = [-1n, 0n, 1n].map((offset) => secondsIn(second * 1_000_000_000n + offset))
    expect(times).toEqual([Number(second) - 1, Number(second), Number(second)])
  }
})

test('splits milliseconds into two halves', () => {
  const { low, high } = nanosecondsOf(1_700_000_000_123)
  expect((BigInt(high) << 32n) | BigInt(low)).toBe(1_700_000_000_123_000_000n)
})
