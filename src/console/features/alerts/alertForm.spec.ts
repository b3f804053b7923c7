import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { alert as alertSchema, alertInput, type Alert } from '#contract/stack/alerts.ts'
import { LosslessNumber, parseJson, stringifyJson } from '#contract/wire/json.ts'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { changedFields, emptyForm, formSchema, readForm, writeBody, refusals } from './alertForm.ts'
import { alertFields, type AlertField, type AlertForm } from './formFields.ts'
import { sameWritable, writable } from './writableAlert.ts'
import { ApiFailure } from '#console/api/failure.ts'

const id = fc.stringMatching(/^[a-f0-9]{24}$/)
const text = fc.option(fc.string({ minLength: 1, maxLength: 30 }))
const channel = fc.record({ type: fc.constant('webhook'), webhookId: id })

/** Alerts as deployments return them: with or without optional fields, null or not, with unknown fields. */
const alerts: fc.Arbitrary<Alert> = fc
  .record(
    {
      id,
      name: text,
      message: text,
      note: text,
      threshold: fc.integer(),
      thresholdMax: fc.integer({ min: 0 }),
      thresholdType: fc.constantFrom('above', 'below', 'between', 'sideways'),
      interval: fc.constantFrom('1m', '5m', '1h', '3w'),
      numConsecutiveWindows: fc.option(fc.integer({ min: 1, max: 9 })),
      source: fc.constantFrom('tile', 'saved_search', 'inline'),
      dashboardId: fc.option(id),
      tileId: fc.option(id),
      savedSearchId: fc.option(id),
      groupBy: text,
      channel,
      channels: fc.uniqueArray(channel, { minLength: 1, maxLength: 3, selector: ({ webhookId }) => webhookId }),
      renotifyIntervalMinutes: fc.option(fc.integer({ min: 0, max: 60 })),
      scheduleOffsetMinutes: fc.integer({ min: 0, max: 1439 }),
      scheduleStartAt: fc.option(fc.constant('2026-01-01T00:00:00.000Z')),
      state: fc.constantFrom('OK', 'ALERT', 'SLEEPING'),
      updatedAt: fc.constant('2026-01-02T00:00:00.000Z'),
      ownershipTeam: fc.string(),
      severity: fc.record({ level: fc.integer(), exact: fc.constant(new LosslessNumber('12345678901234567890')) }),
    },
    { requiredKeys: ['id', 'threshold', 'thresholdType', 'interval', 'source'] },
  )
  .map((raw) => alertSchema.parse(raw))

const variants = fc.constantFrom('openSource' as const, 'managed' as const)

test('opening and saving without a change changes nothing', () => {
  fc.assert(
    fc.property(alerts, variants, (alert, variant) => {
      const form = readForm(alert)
      expect(changedFields(form, alert)).toEqual([])
      expect(writeBody(form, alert, variant)).toEqual(writable(alert))
    }),
  )
})

/** For each field, a value that no generated alert has. */
const edits: Record<AlertField, AlertForm[AlertField]> = {
  name: 'edited name',
  message: 'edited message',
  note: 'edited note',
  source: 'edited',
  dashboardId: 'ed',
  tileId: 'ed',
  savedSearchId: 'ed',
  groupBy: 'edited group',
  interval: '30m',
  thresholdType: 'not_between',
  threshold: 0.5,
  thresholdMax: 0.5,
  channels: [{ type: 'webhook', webhookId: 'edited' }],
  renotifyIntervalMinutes: 777,
  numConsecutiveWindows: 77,
  scheduleOffsetMinutes: 5000,
  scheduleStartAt: '2025-05-05T00:00:00.000Z',
}

test('one edited field changes only that field', () => {
  /** Fields of the body that an edit may touch besides its own name. */
  const also: Partial<Record<AlertField, string[]>> = { channels: ['channel'] }
  fc.assert(
    fc.property(alerts, variants, fc.constantFrom(...alertFields), (alert, variant, field) => {
      // An upper threshold only applies to ranges; the target's fields are changed together, see below.
      fc.pre(field !== 'source' && (field !== 'thresholdMax' || alert.thresholdType === 'between'))
      const form = { ...readForm(alert), [field]: edits[field] }
      const [before, after] = [writable(alert), writeBody(form, alert, variant)]
      expect(changedFields(form, alert)).toEqual([field])
      const touched = [field, ...(also[field] ?? [])]
      const rest = (body: object) => Object.fromEntries(Object.entries(body).filter(([key]) => !touched.includes(key)))
      expect(rest(after)).toEqual(rest(before))
      if (field !== 'channels') expect(after[field]).toEqual(edits[field])
    }),
  )
})

test('keeps numbers that JavaScript cannot represent', () => {
  const raw =
    '{"id":"a","source":"tile","threshold":1,"thresholdType":"above","interval":"5m","extra":{"n":12345678901234567890,"d":1.0}}'
  const alert = alertSchema.parse(parseJson(raw))
  const body = writeBody({ ...readForm(alert), name: 'x' }, alert, 'openSource')
  expect(stringifyJson(body)).toContain('"extra":{"n":12345678901234567890,"d":1.0}')
})

const base = alertOnTile({
  name: 'n',
  scheduleOffsetMinutes: 2,
  channel: { type: 'webhook', webhookId: 'w1' },
  channels: [
    { type: 'webhook', webhookId: 'w1' },
    { type: 'webhook', webhookId: 'w2' },
  ],
})

test('clears a cleared field on the deployment', () => {
  const form = { ...readForm(base), name: '', scheduleOffsetMinutes: null }
  expect(writeBody(form, base, 'openSource')).toMatchObject({ name: null, scheduleOffsetMinutes: 0 })
})

test('keeps both channel fields in step, and keeps further channels', () => {
  const channels = [
    { type: 'webhook', webhookId: 'w9' },
    { type: 'webhook', webhookId: 'w2' },
  ]
  const body = writeBody({ ...readForm(base), channels }, base, 'openSource')
  expect(body).toMatchObject({ channel: { webhookId: 'w9' }, channels })
  expect(alertInput.safeParse(body).success).toBe(true)
})

test('keeps the single channel field of a managed alert', () => {
  const { channels: _several, ...one } = base
  const single = alertSchema.parse(one)
  const body = writeBody({ ...readForm(single), channels: [{ type: 'webhook', webhookId: 'w9' }] }, single, 'managed')
  expect(body).toMatchObject({ channel: { webhookId: 'w9' } })
  expect(body).not.toHaveProperty('channels')
})

test('sends only the target of an alert whose target was changed', () => {
  const form = { ...readForm(base), source: 'saved_search', dashboardId: '', tileId: '', savedSearchId: 's' }
  expect(writeBody(form, base, 'openSource')).toMatchObject({ savedSearchId: 's', dashboardId: null, tileId: null })
})

const complete: AlertForm = {
  ...emptyForm,
  dashboardId: 'd',
  tileId: 't',
  threshold: 100,
  channels: [{ type: 'webhook', webhookId: 'w' }],
}

test('a new alert matches the specification, without empty fields', () => {
  expect(writeBody({ ...complete, name: 'CPU' }, null, 'managed')).toEqual({
    source: 'tile',
    dashboardId: 'd',
    tileId: 't',
    threshold: 100,
    thresholdType: 'above',
    interval: '5m',
    channel: { type: 'webhook', webhookId: 'w' },
    name: 'CPU',
  })
})

const faults = (form: AlertForm) =>
  (formSchema(null, 'openSource').safeParse(form).error?.issues ?? []).map((issue) => issue.path.join('.'))

test('a complete form has no errors, an empty one has all of them at once', () => {
  expect(faults(complete)).toEqual([])
  expect(faults(emptyForm).toSorted()).toEqual(['channels.0.webhookId', 'dashboardId', 'threshold', 'tileId'])
})

test('checks rules between fields', () => {
  expect(faults({ ...complete, thresholdType: 'between' })).toEqual(['thresholdMax'])
  expect(faults({ ...complete, thresholdType: 'between', thresholdMax: 99 })).toEqual(['thresholdMax'])
  expect(faults({ ...complete, thresholdType: 'between', thresholdMax: 100 })).toEqual([])
  expect(faults({ ...complete, scheduleOffsetMinutes: 5 })).toEqual(['scheduleOffsetMinutes'])
  expect(faults({ ...complete, numConsecutiveWindows: 0 })).toEqual(['numConsecutiveWindows'])
  expect(faults({ ...complete, threshold: Number.NaN })).toEqual(['threshold'])
  expect(faults({ ...complete, source: 'saved_search' })).toEqual(['savedSearchId'])
  expect(faults({ ...complete, source: 'something new' })).toEqual([])
})

test('ignores read-only fields in the comparison of alerts', () => {
  expect(sameWritable(base, { ...base, state: 'ALERT', updatedAt: 'later' })).toBe(true)
  expect(sameWritable(base, { ...base, threshold: 2 })).toBe(false)
})

const refusal = (message: string, fields?: { path: string; message: string }[]) =>
  refusals(new ApiFailure({ code: 'invalid', status: 400, message, ...(fields ? { fields } : {}) }))

test.each([
  ['Invalid dashboard ID', 'dashboardId'],
  ['Dashboard not found', 'dashboardId'],
  ['Tile not found', 'tileId'],
  ['Alerts on Raw SQL tiles are only supported for Line, Stacked Bar, or Number display types', 'tileId'],
  ['Saved search not found', 'savedSearchId'],
  ['At least one notification channel is required', 'channels'],
  ['Webhook not found', 'channels'],
])('"%s" is about %s', (message, path) => {
  expect(refusal(message)).toEqual([{ path, message }])
})

test('fields that the deployment names come first', () => {
  expect(refusal('Body validation failed', [{ path: 'channel.webhookId', message: 'Required' }])).toEqual([
    { path: 'channels.0.webhookId', message: 'Required' },
  ])
})

test('other errors are shown above the form', () => {
  expect(refusal('Something else')).toEqual([])
  expect(refusals(new ApiFailure({ code: 'upstreamFailed', status: 500, message: 'Tile not found' }))).toEqual([])
})
