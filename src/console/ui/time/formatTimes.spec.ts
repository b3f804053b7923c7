import { expect, test } from 'vitest'
import { formatTimes } from './formatTimes.ts'

const at = Date.parse('2026-11-18T10:00:54.485Z')

test('times have milliseconds only where the range is shorter than a minute', () => {
  expect(formatTimes({ from: at, to: at + 3_600_000 }, 'utc')).toBe('2026-11-18 10:00:54 to 11:00:54')
  expect(formatTimes({ from: at, to: at + 200 }, 'utc')).toBe('2026-11-18 10:00:54.485 to 10:00:54.685')
  expect(formatTimes({ from: at - 54_485, to: at - 54_485 + 86_400_000 }, 'utc')).toBe(
    '2026-11-18 10:00 to 2026-11-19 10:00',
  )
})
