import { describe, expect, test } from 'vitest'
import { isTyped } from './backtestFields.ts'

const values = { groupBy: 'Service', scheduleOffsetMinutes: null, scheduleStartAt: '' }
const grouped = (groupBy: string) => ({ ...values, groupBy })

describe('a change is typing', () => {
  test.each([
    ['Service', 'ServiceN'],
    ['Service', 'Servic'],
    ['Service', 'Srvice'],
    ['', 'S'],
    ['aa', 'a'],
  ])('from %j to %j', (before, now) => {
    expect(isTyped(grouped(before), grouped(now))).toBe(true)
  })

  test('of a number or a date', () => {
    expect(isTyped(values, { ...values, scheduleOffsetMinutes: 5 })).toBe(true)
    expect(isTyped(values, { ...values, scheduleStartAt: '2026' })).toBe(true)
  })
})

describe('a change is not typing', () => {
  test.each([
    // A replaced text, one character longer.
    ['ServiceName', 'SeverityText'],
    ['Service', ''],
    ['Service', 'ServiceName'],
    ['Service', 'Service'],
  ])('from %j to %j', (before, now) => {
    expect(isTyped(grouped(before), grouped(now))).toBe(false)
  })
})
