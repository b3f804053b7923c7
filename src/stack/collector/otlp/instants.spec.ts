import * as fc from 'fast-check'
import Long from 'long'
import { expect, test } from 'vitest'
import { instant, instantText, millisecondsInstant } from './instants.ts'

test('splits any 64-bit time without losing a nanosecond', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (time) => {
      const { seconds, nanos } = instant(Long.fromBigInt(time, true))
      expect([seconds, nanos]).toEqual([Number(time / 1_000_000_000n), Number(time % 1_000_000_000n)])
    }),
    { numRuns: 5000 },
  )
})

test('splits times next to a whole second, where a floating-point quotient rounds up', () => {
  for (let second = 1_700_000_000n; second < 1_700_000_500n; second += 1n) {
    for (const offset of [-1n, 0n, 1n]) {
      const time = second * 1_000_000_000n + offset
      const { seconds, nanos } = instant(Long.fromBigInt(time, true))
      expect(BigInt(seconds) * 1_000_000_000n + BigInt(nanos)).toBe(time)
    }
  }
})

test('prints nine decimals', () => {
  expect(instantText({ seconds: 1_700_000_000, nanos: 42 })).toBe('1700000000.000000042')
  expect(instantText(millisecondsInstant(1_700_000_000_123))).toBe('1700000000.123000000')
})
