import { expect, test } from 'vitest'
import { isSilenced, wasSilenced, type Silence } from './silence.ts'

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

test('of the past, a silence counts since it was set, and a maintenance window in every week', () => {
  const now = Date.parse('2026-11-18T12:00:00Z') // a Wednesday
  const hour = 3_600_000
  const silence = { from: now - hour, until: now + hour, group: 'service:a' }
  expect(wasSilenced([silence], 'service:a', now)).toBe(true)
  expect(wasSilenced([silence], 'service:b', now)).toBe(false)
  expect(wasSilenced([silence], 'service:a', now - 2 * hour)).toBe(false)
  const weekly = { ...silence, group: null, recurring: { weekdays: [3], startUtc: '11:30', minutes: 60 } }
  expect(wasSilenced([weekly], '', now - 7 * 24 * hour)).toBe(true)
  expect(wasSilenced([weekly], '', now - 6 * 24 * hour)).toBe(false)
})

test.each([
  // From 02:00 the clock of Berlin goes to 03:00: the Saturday's window of a day lasts until Monday 00:59.
  ['2026-03-29T22:58', true],
  ['2026-03-29T22:59', false],
])('a day from 23:59 by a clock that goes forward on the next day: %s %s', (text, expected) => {
  const recurring = { weekdays: [6], start: '23:59', timeZone: 'Europe/Berlin', minutes: 1440 }
  expect(isSilenced([{ until, recurring }], '', at(text))).toBe(expected)
})
