import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatLength } from './formatLength.ts'
import { formatBucket, formatWithin, formatInstant, formatWeekday } from './formatRangeTime.ts'
import { formatRecent, formatRecentDay, formatRecentSpan } from './formatRecent.ts'
import { formatClock, formatDate, formatDatedMoment, formatDay, formatIsoDay, formatMoment } from './formatTime.ts'
import { clockAt } from './zone.ts'

const time = Date.parse('2026-11-06T19:05:03.042Z')
const local = (text: string) => new Date(text).getTime()

test('formats a moment by the clock of a zone', () => {
  expect(formatClock(time, 'utc')).toBe('19:05')
  expect(formatClock(time, 'utc', 'millisecond')).toBe('19:05:03.042')
  expect(formatDay(time, 'utc')).toBe('6 Nov')
  expect(formatWeekday(time, 'utc')).toBe('Fri 6 Nov')
  expect(formatDate(time, 'utc')).toBe('6 Nov 2026')
  expect(formatIsoDay(time, 'utc')).toBe('2026-11-06')
  expect(formatMoment('2026-11-06T19:05:03Z', 'utc', 'second')).toBe('6 Nov 19:05:03')
  expect(formatDatedMoment(time, 'utc')).toBe('6 Nov 2026 19:05')
  expect(formatBucket(time, 30_000, 'utc')).toBe('Fri 6 Nov 2026, 19:05:03')
  expect(formatBucket(time, 60_000, 'utc')).toBe('Fri 6 Nov 2026, 19:05')
})

test('an instant has only the digits that it needs', () => {
  expect([time, time - 42, time - 3042].map((value) => formatInstant(value, 'utc'))).toEqual([
    '2026-11-06 19:05:03.042',
    '2026-11-06 19:05:03',
    '2026-11-06 19:05',
  ])
})

test('a time of a range is as precise as its length needs', () => {
  expect([60_000, 3_600_000, 86_400_000].map((length) => formatWithin(time, length, 'utc'))).toEqual([
    '19:05:03',
    '19:05',
    '6 Nov 19:05',
  ])
})

test('says the day and the year only of another day and another year', () => {
  const now = local('2026-11-06T23:30')
  const times = ['2026-11-06T00:10', '2026-11-05T23:50', '2025-11-06T10:00']
  expect(times.map((moment) => formatRecent(moment, now))).toEqual(['00:10', '5 Nov 23:50', '6 Nov 2025 10:00'])
  expect(times.map((moment) => formatRecentDay(moment, now))).toEqual(['00:10', '5 Nov', '6 Nov 2025'])
  expect(formatRecentSpan(local('2026-11-05T23:50'), local('2026-11-05T23:55'), now)).toBe('5 Nov 23:50 to 23:55')
  expect(formatRecentSpan(local('2026-11-05T23:50'), local('2026-11-06T00:10'), now)).toBe('5 Nov 23:50 to 00:10')
})

test('an invalid time has no text', () => {
  expect([formatClock(''), formatMoment('soon'), formatRecent(Number.NaN, 0), formatRecentDay('', 0)]).toEqual([
    '',
    '',
    '',
    '',
  ])
})

test('agrees with the dates with which ranges are computed', () => {
  const times = fc.integer({ min: 1e12, max: 9e12 })
  fc.assert(
    fc.property(times, fc.constantFrom('local', 'utc', 'Europe/Berlin', 'Asia/Kolkata'), (value, zone) => {
      expect(formatDatedMoment(value, zone, 'millisecond')).toBe(clockAt(value, zone).format('D MMM YYYY HH:mm:ss.SSS'))
      expect(formatWeekday(value, zone)).toBe(clockAt(value, zone).format('ddd D MMM'))
    }),
  )
})

describe('lengths', () => {
  test.each([
    [0, '0 s'],
    [900, '0 s'],
    [42_000, '42 s'],
    [90_000, '1 min 30 s'],
    [4_320_000, '1 h 12 min'],
    [3 * 86_400_000 + 30_000, '3 d'],
    [3 * 86_400_000 + 7_200_000, '3 d 2 h'],
  ])('%d ms are %s', (ms, text) => expect(formatLength(ms)).toBe(text))
})
