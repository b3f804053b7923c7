import { expect, test } from 'vitest'
import { isSilenced, type Silence } from './silence.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const until = at('2026-04-01T00:00')

test('of the alert, or of one group, until its end', () => {
  const group: Silence = { until, group: 'service:a' }
  expect(isSilenced([{ until }], 'service:a', until - 1)).toBe(true)
  expect(isSilenced([{ until }], '', until)).toBe(false)
  expect(isSilenced([group], 'service:a', until - 1)).toBe(true)
  expect(isSilenced([group], 'service:b', until - 1)).toBe(false)
})

test.each([
  ['2026-03-01T21:59', false],
  ['2026-03-01T22:00', true],
  ['2026-03-02T01:59', true],
  ['2026-03-02T02:00', false],
  // Monday is not one of its days.
  ['2026-03-02T22:30', false],
  ['2026-03-04T23:00', true],
  ['2026-03-05T01:00', true],
  ['2026-03-06T01:00', false],
  ['2026-04-01T22:30', false],
])('every Sunday and Wednesday at 22:00 for four hours: %s %s', (text, expected) => {
  const recurring = { weekdays: [0, 3], startUtc: '22:00', minutes: 240 }
  expect(isSilenced([{ until, recurring }], '', at(text))).toBe(expected)
})
