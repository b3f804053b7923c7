import { array, assert, constantFrom, integer, property, record, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { alertInput, channelsOf, maxChannels } from '#contract/stack/alerts.ts'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { alertBody, planAlertChange, type AlertChange } from './alertChange.ts'

const hooks = (...ids: string[]) => ids.map((webhookId) => ({ type: 'webhook', webhookId }))
const plan = (more: object, change: AlertChange, most = maxChannels) => planAlertChange(alertOnTile(more), change, most)
const channelIds = (more: object, change: AlertChange, most?: number) => {
  const { after, reason } = plan(more, change, most)
  return after ? channelsOf(after).map(({ webhookId }) => webhookId) : reason
}

test('a threshold changes by percent, both ends of a range', () => {
  expect(plan({ threshold: 0.1 }, { kind: 'threshold', percent: 20 }).after?.threshold).toBe(0.12)
  expect(plan({ threshold: -100 }, { kind: 'threshold', percent: -25 }).after?.threshold).toBe(-75)
  const range = { threshold: 10, thresholdMax: 30, thresholdType: 'between' }
  expect(plan(range, { kind: 'threshold', percent: 50 }).after).toMatchObject({ threshold: 15, thresholdMax: 45 })
  expect(plan({ threshold: 0 }, { kind: 'threshold', percent: 20 }).reason).toBe('its threshold is 0')
})

test('an interval must be longer than the schedule offset', () => {
  expect(plan({}, { kind: 'interval', interval: '1h' }).after?.interval).toBe('1h')
  expect(plan({}, { kind: 'interval', interval: '5m' }).reason).toMatch(/already/)
  expect(plan({ interval: '1h', scheduleOffsetMinutes: 20 }, { kind: 'interval', interval: '15m' }).reason).toMatch(
    /offset of 20 min/,
  )
})

test('webhooks are added, removed and replaced, each is notified once', () => {
  const two = { channels: hooks('a', 'b') }
  expect(channelIds(two, { kind: 'addWebhook', webhookId: 'c' })).toEqual(['a', 'b', 'c'])
  expect(channelIds(two, { kind: 'addWebhook', webhookId: 'b' })).toMatch(/already/)
  expect(channelIds(two, { kind: 'addWebhook', webhookId: 'c' }, 2)).toMatch(/already has 2/)
  expect(channelIds({ channel: hooks('a')[0] }, { kind: 'addWebhook', webhookId: 'c' }, 1)).toMatch(/only one/)
  expect(channelIds(two, { kind: 'removeWebhook', webhookId: 'a' })).toEqual(['b'])
  expect(channelIds({ channels: hooks('a') }, { kind: 'removeWebhook', webhookId: 'a' })).toMatch(/no channel/)
  expect(channelIds(two, { kind: 'replaceWebhook', from: 'a', to: 'c' })).toEqual(['c', 'b'])
  expect(channelIds(two, { kind: 'replaceWebhook', from: 'a', to: 'b' })).toEqual(['b'])
  expect(channelIds(two, { kind: 'replaceWebhook', from: 'x', to: 'b' })).toMatch(/does not notify/)
})

test('the first channel stays in step with the list, and an alert with one field keeps one', () => {
  const both = plan({ channel: hooks('a')[0], channels: hooks('a', 'b') }, { kind: 'removeWebhook', webhookId: 'a' })
  expect(both.after).toMatchObject({ channel: { webhookId: 'b' }, channels: [{ webhookId: 'b' }] })
  const one = plan({ channel: hooks('a')[0] }, { kind: 'replaceWebhook', from: 'a', to: 'b' })
  expect(one.after?.channel?.webhookId).toBe('b')
  expect(one.after?.channels).toBeUndefined()
})

const id = constantFrom('a', 'b', 'c', 'd')
const change = constantFrom<AlertChange['kind'][]>(
  'interval',
  'threshold',
  'addWebhook',
  'removeWebhook',
  'replaceWebhook',
)
const changes = record({
  kind: change,
  interval: constantFrom('1m', '15m', '1d'),
  percent: integer({ min: -99, max: 500 }),
  webhookId: id,
  from: id,
  to: id,
})

test('every planned body is valid, and only the fields of the change differ', () => {
  const ids = uniqueArray(id, { minLength: 1, maxLength: 4 })
  assert(
    property(ids, array(changes, { minLength: 1, maxLength: 4 }), (channels, all) => {
      const alert = alertOnTile({
        channels: hooks(...channels),
        ownField: { kept: true },
        state: 'ALERT',
        thresholdMax: null,
      })
      let now = alert
      for (const one of all) now = planAlertChange(now, one as AlertChange, maxChannels).after ?? now // has the fields of every kind
      const body = alertBody(now)
      expect(alertInput.safeParse(body).error).toBeUndefined()
      expect(body['ownField']).toEqual({ kept: true })
      expect(body).not.toHaveProperty('state')
      const changed = ['interval', 'threshold', 'channel', 'channels']
      const others = (record: object) => Object.entries(record).filter(([field]) => !changed.includes(field))
      expect(others(body)).toEqual(others(alertBody(alert)))
    }),
  )
})
