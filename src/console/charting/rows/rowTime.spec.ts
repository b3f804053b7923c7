import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sqlAtTime, millisecondsOf, nanosecondsOf } from './rowTime.ts'

test.each([
  ['2026-11-20T19:23:48.206000001Z', 1795202628206000001n],
  ['2026-11-20 19:23:48.206000001', 1795202628206000001n],
  ['2026-11-20T19:23:48.2Z', 1795202628200000000n],
  ['2026-11-20T19:23:48Z', 1795202628000000000n],
  ['2026-11-20 19:23:48', 1795202628000000000n],
  ['2026-11-20', 1795132800000000000n],
])('%s', (time, nanoseconds) => {
  expect(nanosecondsOf(time)).toBe(nanoseconds)
  expect(millisecondsOf(time)).toBe(Number(nanoseconds / 1_000_000n))
})

test.each(['', 'web', '1795202628', '2026-11-20T25:00:00Z', '2026-13-01'])('%j is not a time', (time) => {
  expect(nanosecondsOf(time)).toBeNull()
  expect(millisecondsOf(time)).toBeNaN()
})

test('the engine’s times, before 1970 too, are read to the nanosecond', () => {
  const days = { min: Date.UTC(1900, 0), max: Date.UTC(2299, 11, 31) }
  fc.assert(
    fc.property(fc.integer(days), fc.integer({ min: 0, max: 999_999 }), (milliseconds, rest) => {
      const time = `${new Date(milliseconds).toISOString().slice(0, -1)}${String(rest).padStart(6, '0')}Z`
      expect(nanosecondsOf(time)).toBe(BigInt(milliseconds) * 1_000_000n + BigInt(rest))
      expect(millisecondsOf(time)).toBe(milliseconds)
    }),
  )
})

test('quotes in a text that is no time are escaped, so that they cannot end the literal', () => {
  expect(sqlAtTime('Timestamp', "' OR 1 --\\")).toBe(
    String.raw`Timestamp = parseDateTime64BestEffort('\' OR 1 --\\', 9, 'UTC')`,
  )
})
