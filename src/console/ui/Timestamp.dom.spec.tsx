import { afterEach, expect, test, vi } from 'vitest'
import { testRoot } from './testing/testRoot.ts'
import { Timestamp } from './Timestamp.tsx'

const { page, render } = testRoot()

afterEach(() => {
  vi.useRealTimers()
})

test('what was just made is now, also where no time was shown for long', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-29T09:00:00Z') })
  render(<Timestamp iso="2026-11-29T08:57:00Z" />)
  expect(page().textContent).toBe('3 min ago')
  render(<p>A page without times</p>)
  vi.setSystemTime(Date.parse('2026-11-29T09:20:00Z'))
  render(<Timestamp iso="2026-11-29T09:20:00Z" />)
  expect(page().textContent).toBe('now')
})
