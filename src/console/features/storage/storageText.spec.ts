import { expect, test } from 'vitest'
import { deletionSentence, forecastSentence, formatDays } from './storageText.ts'

const mebibyte = 2 ** 20
const rate = { mean: 100 * mebibyte, least: 100 * mebibyte, most: 100 * mebibyte, days: 7 }
const base = { rate, steadyBytes: 3000 * mebibyte, fullIn: null, earliest: null, latest: null }

test('the disk is full in some days, with how far these may be off', () => {
  const varied = { ...rate, least: 50 * mebibyte, most: 200 * mebibyte }
  expect(forecastSentence({ ...base, rate: varied, fullIn: 40, earliest: 20, latest: 80 })).toBe(
    'The last 7 days took on average 100 MiB, from 50 MiB to 200 MiB. At this rate the disk is full in about 40 days (20 to 80).',
  )
  expect(forecastSentence({ ...base, fullIn: 1, earliest: 1, latest: 1 })).toMatch(/is full in about 1 day\.$/)
  expect(forecastSentence({ ...base, fullIn: 40, earliest: 20, latest: null })).toMatch(/\(20 or later, or never\)\.$/)
})

test('a disk that retention keeps from getting full says so', () => {
  expect(forecastSentence(base)).toBe(
    'The last 7 days took on average 100 MiB. At this rate the disk does not get full: retention keeps telemetry at about 2.93 GiB.',
  )
  expect(forecastSentence({ ...base, earliest: 12 })).toMatch(/like the largest one, it would be full in 12 days\.$/)
})

test('without a whole day, nothing is said', () => {
  expect(forecastSentence(null)).toBe('How fast it fills is known once a whole day has been stored.')
})

test('what is deleted is named with its days', () => {
  const days = [
    { day: '2026-11-20', rows: 1000, bytes: mebibyte },
    { day: '2026-11-21', rows: 500, bytes: mebibyte },
  ]
  expect(deletionSentence(days, { signal: 'logs' })).toBe(
    '2 days of logs with 1,500 rows (2 MiB), 2026-11-20 to 2026-11-21, will be deleted.',
  )
  expect(formatDays({ oldestDay: '2026-11-20', newestDay: '2026-11-20' })).toBe('2026-11-20')
  expect(formatDays({})).toBe('')
})
