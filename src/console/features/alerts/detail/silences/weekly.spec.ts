import { expect, test } from 'vitest'
import { silenceInput } from '#contract/stack/alertHistory.ts'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { isSilenced } from '#domain/alerting/silence.ts'
import { formatReplaced } from './replacing.ts'
import { emptySilence, silenceBody, silenceSchema } from './silences.ts'
import { formatNextWindow, formatRecurrence, recurrenceOf } from './weekly.ts'

const at = (text: string) => Date.parse(text)
const monday = { weekdays: [1], start: '23:30', minutes: 60 }

test('days and start are stored by the clock of the zone that is shown, and as UTC where that is the zone', () => {
  const berlin = { weekdays: [1], start: '23:30', minutes: 60, timeZone: 'Europe/Berlin' }
  expect(recurrenceOf(monday, 'Europe/Berlin')).toEqual(berlin)
  expect(recurrenceOf({ ...monday, weekdays: [6, 1] }, 'utc')).toEqual({
    weekdays: [1, 6],
    startUtc: '23:30',
    minutes: 60,
  })
  const form = silenceSchema.parse({ ...emptySilence, ...monday, length: 'weekly', until: '2999-01-05T12:00:00.000Z' })
  const body = silenceBody(form, 'Europe/Berlin', at('2998-01-01T00:00Z'))
  expect(silenceInput.parse(body).recurring).toEqual(berlin)
})

test('a window in a zone whose day is another than that of UTC is in effect on its local day', () => {
  const kiritimati = recurrenceOf({ weekdays: [1], start: '08:00', minutes: 60 }, 'Pacific/Kiritimati')
  const silence = { until: Infinity, recurring: kiritimati }
  // Monday 08:00 there is Sunday 18:00 in UTC.
  expect(isSilenced([silence], '', at('2026-11-29T18:30Z'))).toBe(true)
  expect(isSilenced([silence], '', at('2026-11-30T08:30Z'))).toBe(false)
  expect(formatRecurrence(kiritimati, 'utc', at('2026-11-25T00:00Z'))).toBe(
    'Sun 18:00 UTC for 60 min, every week (stored as 08:00 Pacific/Kiritimati)',
  )
})

test('a window keeps its time when the clocks change, and says so', () => {
  const berlin = recurrenceOf(monday, 'Europe/Berlin')
  expect(isSilenced([{ until: Infinity, recurring: berlin }], '', at('2026-10-19T21:45Z'))).toBe(true)
  expect(isSilenced([{ until: Infinity, recurring: berlin }], '', at('2026-10-26T21:45Z'))).toBe(false)
  expect(isSilenced([{ until: Infinity, recurring: berlin }], '', at('2026-10-26T22:45Z'))).toBe(true)
  const now = at('2026-10-20T00:00Z')
  expect(formatNextWindow(monday, 'Europe/Berlin', at('2026-10-12T12:00Z'), at('2026-12-01T00:00Z'))).toBe(
    'Next: Mon 12 Oct 23:30 to 13 Oct 00:30. It begins at 23:30 also after the clocks change.',
  )
  expect(formatRecurrence(berlin, 'Europe/Berlin', now)).toBe('Mon 23:30 Europe/Berlin for 60 min, every week')
})

test('of a window that is stored in UTC, it says from when on it begins at another time here', () => {
  const utc = { weekdays: [1], startUtc: '22:30', minutes: 60 }
  const [now, until] = [at('2026-10-12T12:00Z'), at('2026-12-01T00:00Z')]
  expect(formatRecurrence(utc, 'Europe/Berlin', now, until)).toBe(
    'Tue 00:30 Europe/Berlin for 60 min, every week (stored as 22:30 UTC: from 26 Oct it begins at 23:30)',
  )
  expect(formatRecurrence(utc, 'utc', now, until)).toBe('Mon 22:30 UTC for 60 min, every week')
})

test('a start that the clock skips begins an hour later on that day, which is said', () => {
  const sunday = { weekdays: [0], start: '02:30', minutes: 60 }
  expect(formatNextWindow(sunday, 'Europe/Berlin', at('2026-03-20T00:00Z'), at('2026-05-01T00:00Z'))).toBe(
    'Next: Sun 22 Mar 02:30 to 03:30. On 29 Mar the clock skips 02:30: the window begins at 03:30.',
  )
})

test('what a new silence replaces is said before it does', () => {
  const now = at('2026-11-18T12:00:00Z')
  const weekly = { ...emptySilence, ...monday, length: 'weekly' as const }
  const silenced = { until: '2026-11-18T16:00:00Z', reason: 'Upgrade' }
  const alert = alertOnTile({ silenced })
  expect(formatReplaced(alert, weekly, 'utc', now)).toBe(
    'This replaces the silence that is in effect until 16:00 (reason: Upgrade): notifications are sent again until the window begins.',
  )
  expect(formatReplaced(alert, { ...weekly, weekdays: [3], start: '11:30' }, 'utc', now)).not.toContain('sent again')
  expect(formatReplaced(alert, { ...weekly, group: 'service:a' }, 'utc', now)).toBeNull()
  expect(formatReplaced(alert, weekly, 'utc', at('2026-11-18T17:00:00Z'))).toBeNull()
  const planned = alertOnTile({ silenced: { recurring: { weekdays: [1], startUtc: '23:30', minutes: 60 } } })
  expect(formatReplaced(planned, emptySilence, 'utc', now)).toBe(
    'This replaces the maintenance window, which does not come back when the silence ends: Mon 23:30 UTC for 60 min, every week.',
  )
})
