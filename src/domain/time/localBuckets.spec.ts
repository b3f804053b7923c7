import { constantFrom, assert as holds, integer, property } from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bucketEnd, bucketStart, movedBucket, timezoneOf } from './localBuckets.ts'

const hour = 3_600_000
const day = 24 * hour

const before = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'Europe/Berlin'
})
afterEach(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

const at = (text: string) => Date.parse(`${text}Z`)
const text = (time: number) => new Date(time).toISOString().slice(0, 16)

/** The starts of buckets in a row, and the end of the last. */
function bucketsFrom(time: number, bucketMs: number, count: number): string[] {
  const starts = [bucketStart(time, bucketMs, 'local')]
  while (starts.length <= count) starts.push(bucketEnd(starts.at(-1)!, bucketMs, 'local'))
  return starts.map(text)
}

test('a day starts at local midnight, on both sides of a change of clocks', () => {
  expect(bucketsFrom(at('2026-03-28T12:00'), day, 3)).toEqual([
    '2026-03-27T23:00',
    '2026-03-28T23:00',
    '2026-03-29T22:00',
    '2026-03-30T22:00',
  ])
  expect(bucketsFrom(at('2026-10-24T12:00'), day, 3)).toEqual([
    '2026-10-23T22:00',
    '2026-10-24T22:00',
    '2026-10-25T23:00',
    '2026-10-26T23:00',
  ])
})

test('two hours hold three where clocks go back, and one where they go forward', () => {
  expect(bucketsFrom(at('2026-10-24T22:30'), 2 * hour, 3)).toEqual([
    '2026-10-24T22:00',
    '2026-10-25T00:00',
    '2026-10-25T03:00',
    '2026-10-25T05:00',
  ])
  expect(bucketsFrom(at('2026-03-28T23:30'), 2 * hour, 3)).toEqual([
    '2026-03-28T23:00',
    '2026-03-29T01:00',
    '2026-03-29T02:00',
    '2026-03-29T04:00',
  ])
})

test('the hour that is repeated is two buckets', () => {
  expect(bucketsFrom(at('2026-10-24T23:10'), hour, 3)).toEqual([
    '2026-10-24T23:00',
    '2026-10-25T00:00',
    '2026-10-25T01:00',
    '2026-10-25T02:00',
  ])
})

test('every time lies in its bucket, and buckets follow each other', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'Africa/Cairo', 'America/Havana']
  holds(
    property(
      constantFrom(...zones),
      constantFrom(1, 2, 6, 12, 24, 48, 168, 720),
      integer({ min: at('2025-01-01T00:00'), max: at('2027-12-31T00:00') }),
      (zone, hours, time) => {
        process.env.TZ = zone
        const bucketMs = hours * hour
        const start = bucketStart(time, bucketMs, 'local')
        const end = bucketEnd(start, bucketMs, 'local')
        expect(start).toBeLessThanOrEqual(time)
        expect(end).toBeGreaterThan(time)
        expect([start, end, end - 1].map((value) => bucketStart(value, bucketMs, 'local'))).toEqual([start, end, start])
      },
    ),
    { numRuns: 2000 },
  )
})

test('in UTC, and shorter than an hour, buckets are whole multiples since 1970', () => {
  const time = at('2026-03-29T01:23')
  expect(bucketStart(time, day, 'utc')).toBe(at('2026-03-29T00:00'))
  expect(bucketEnd(at('2026-03-29T00:00'), day, 'utc')).toBe(at('2026-03-30T00:00'))
  expect(bucketStart(time, 300_000, 'local')).toBe(at('2026-03-29T01:20'))
})

test('a bucket of a deployment without time zones ends a length later', () => {
  expect(bucketEnd(at('2026-03-29T00:00'), day, 'local')).toBe(at('2026-03-30T00:00'))
})

test('a day before clocks changed is moved onto a day after', () => {
  expect(text(movedBucket(at('2026-03-27T23:00'), 3 * day, day, 'local'))).toBe('2026-03-30T22:00')
  expect(text(movedBucket(at('2026-03-28T00:00'), 3 * day, day, 'local'))).toBe('2026-03-31T00:00')
  expect(text(movedBucket(at('2026-03-28T00:00'), 3 * day, day, 'utc'))).toBe('2026-03-31T00:00')
})

test('a time zone is only asked for where it matters', () => {
  expect([timezoneOf(day, 'local'), timezoneOf(300_000, 'local'), timezoneOf(day, 'utc')]).toEqual([
    'Europe/Berlin',
    undefined,
    undefined,
  ])
  process.env.TZ = 'UTC'
  expect(timezoneOf(day, 'local')).toBeUndefined()
})
