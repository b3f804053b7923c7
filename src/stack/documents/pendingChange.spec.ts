import { expect, test } from 'vitest'
import { effectiveAt, isDue } from './pendingChange.ts'

const now = Date.UTC(2026, 2, 2, 10)
const after = (milliseconds: number) => ({ at: new Date(now + milliseconds).toISOString() })

test('a change is in effect at its time, and if that is further ahead than a change takes', () => {
  expect(isDue(after(0), now)).toBe(true)
  expect(isDue(after(1), now)).toBe(false)
  expect(isDue(after(3_600_000), now)).toBe(false)
  // It was requested before the clock was set back.
  expect(isDue(after(6 * 3_600_000), now)).toBe(true)
  expect(effectiveAt(after(6 * 3_600_000), now)).toBe(now)
})
