import { expect, test } from 'vitest'
import { differenceOf } from './ClockNotice.tsx'

test.each([
  [1.5e9, '1.5 s ahead'],
  [-90e9, '90 s behind'],
  [1000e9, '16.7 min ahead'],
  [18_000e9, '5 h ahead'],
  [-400_000e9, '4.63 d behind'],
])('a difference of %d ns is %s', (ahead, text) => expect(differenceOf(ahead)).toBe(text))
