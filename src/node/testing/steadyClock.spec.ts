import { expect, test, vi } from 'vitest'
import { currentTime } from '../clock/wallClock.ts'

const hour = 3_600_000

test('a test that steps the clock', () => {
  vi.useFakeTimers()
  currentTime()
  vi.advanceTimersByTime(hour)
  const later = currentTime()
  vi.useRealTimers()
  expect(Math.abs(later - Date.now() - hour)).toBeLessThan(10_000)
  expect(Math.abs(currentTime() - Date.now())).toBeGreaterThan(10_000)
})

test('leaves no step to the next one', () => {
  expect(Math.abs(currentTime() - Date.now())).toBeLessThan(10_000)
})
