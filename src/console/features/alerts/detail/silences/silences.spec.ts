import { expect, test } from 'vitest'
import { silenceInput } from '#contract/stack/alertHistory.ts'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { formatAcknowledged } from '#console/records/alerts/alertStates.ts'
import { formatAcknowledgement } from './acknowledgements.ts'
import { emptySilence, silenceBody, silenceChip, silenceProblems, silenceSchema, silencesOf } from './silences.ts'

const now = Date.parse('2999-01-05T12:00:00Z') // a Saturday
const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
const weekly = { weekdays: [6], startUtc: '11:30', minutes: 60 }

test('silences that have not ended, that of the whole alert first', () => {
  const alert = alertOnTile({
    silenced: { until: at(1), reason: 'Deployment', by: 'ada@example.com' },
    silencedGroups: [
      { group: 'service:a', until: at(-1) },
      { group: 'service:b', until: at(2) },
    ],
  })
  expect(silencesOf(alert, now)).toMatchObject([
    { until: at(1), reason: 'Deployment', by: 'ada@example.com', inEffect: true },
    { group: 'service:b', inEffect: true },
  ])
  expect(silenceChip(silencesOf(alert, now))).toBe('Silenced')
})

test('a maintenance window is in effect in its hours only', () => {
  const alert = alertOnTile({ silenced: { until: at(200), recurring: weekly } })
  expect(silencesOf(alert, now)[0]?.inEffect).toBe(true)
  expect(silenceChip(silencesOf(alert, now + 3_600_000))).toBe('Maintenance window planned')
})

test.each([
  [{}, { mutedUntil: at(1) }],
  [
    { length: '30', reason: ' Deployment ', group: 'service:a' },
    { mutedUntil: at(0.5), reason: 'Deployment', group: 'service:a' },
  ],
  [{ length: 'date', until: at(5) }, { mutedUntil: at(5) }],
  [
    { length: 'weekly', until: at(900), weekdays: [6, 1], minutes: 90 },
    { mutedUntil: at(900), recurring: { weekdays: [1, 6], startUtc: '22:00', minutes: 90 } },
  ],
] as const)('%j is sent as %j', (form, body) => {
  const values = silenceSchema.parse({ ...emptySilence, ...form })
  expect(silenceProblems(values, now)).toEqual([])
  expect(silenceBody(values, 'utc', now)).toEqual(body)
  expect(silenceInput.safeParse(body).success).toBe(true)
})

test.each([
  [{ length: 'date' }, /when/],
  [{ length: 'date', until: at(-1) }, /future/],
  [{ length: 'weekly', until: at(9) }, /weekday/],
  [{ length: 'weekly', until: at(9), weekdays: [1], minutes: 1441 }, /1440/],
] as const)('%j is refused', (form, problem) => {
  const problems = silenceProblems({ ...emptySilence, ...form }, now)
  expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(problem)])
})

test('who acknowledged an alert, and the note, show characters that reorder or hide text', () => {
  const acknowledged = { by: 'Ada\u202e', note: 'On\u200b it' }
  expect(formatAcknowledged({ acknowledged })).toBe(String.raw`Acknowledged by Ada\u{202e}: On\u{200b} it`)
  expect(formatAcknowledgement({ acknowledged })).toBe(String.raw`Ada\u{202e} acknowledged it: On\u{200b} it.`)
})
