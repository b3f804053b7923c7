import { describe, expect, test } from 'vitest'
import { alert, alertInput, alertInputStrict, channelsOf, intervalMinutes } from './alerts.ts'

const channel = { type: 'webhook', webhookId: 'a'.repeat(24) }
const valid = {
  source: 'tile',
  dashboardId: 'd',
  tileId: 't',
  interval: '5m',
  threshold: 1,
  thresholdType: 'above',
  channel,
}

const pathsOf = (schema: typeof alertInput | typeof alertInputStrict, changes: object) =>
  schema.safeParse({ ...valid, ...changes }).error?.issues.map((issue) => issue.path.join('.')) ?? []

describe.each([
  ['for deployments', alertInput],
  ['for the stack', alertInputStrict],
] as const)('checks rules between fields: %s', (_, schema) => {
  test.each<[object, string[]]>([
    [{}, []],
    [{ dashboardId: undefined, tileId: undefined }, ['dashboardId', 'tileId']],
    [{ source: 'saved_search', dashboardId: null, tileId: null }, ['savedSearchId']],
    [{ source: 'saved_search', savedSearchId: 's', dashboardId: null, tileId: null }, []],
    [{ thresholdType: 'between' }, ['thresholdMax']],
    [{ thresholdType: 'between', thresholdMax: 0.5 }, ['thresholdMax']],
    [{ thresholdType: 'between', thresholdMax: 1 }, []],
    [{ channel: undefined }, ['channels']],
    [{ channels: [{ webhookId: channel.webhookId, type: 'webhook' }] }, []],
    [{ channels: [{ ...channel, webhookId: 'b' }] }, ['channels']],
    [{ channel: undefined, channels: [channel, { webhookId: channel.webhookId, type: 'webhook' }] }, ['channels']],
    [
      { channel: undefined, channels: Array.from({ length: 11 }, (_, n) => ({ ...channel, webhookId: `${n}` })) },
      ['channels'],
    ],
    [{ scheduleOffsetMinutes: 4 }, []],
    [{ scheduleOffsetMinutes: 5 }, ['scheduleOffsetMinutes']],
    [{ scheduleOffsetMinutes: 1, scheduleStartAt: new Date().toISOString() }, ['scheduleOffsetMinutes']],
    [{ scheduleOffsetMinutes: 0, scheduleStartAt: new Date().toISOString() }, []],
  ])('%j', (changes, paths) => {
    expect(pathsOf(schema, changes)).toEqual(paths)
  })
})

test('passes unknown values through from deployments; the stack rejects or drops them', () => {
  const newer = {
    ...valid,
    source: 'inline',
    interval: '2h',
    channel: { type: 'email', emailRecipients: ['a'] },
    extra: 1,
  }
  expect(alertInput.parse(newer)).toEqual(newer)
  expect(alertInputStrict.safeParse(newer).success).toBe(false)
  expect(alertInputStrict.parse({ ...valid, extra: 1 })).toEqual(valid)
})

test('reads an alert of a newer deployment with all of its fields', () => {
  const read = { id: 'a', threshold: 1, thresholdType: 'sideways', interval: '2h', source: 'inline', later: { a: [1] } }
  expect(alert.parse(read)).toEqual(read)
})

test.each([
  ['30s', 0.5],
  ['1m', 1],
  ['1h', 60],
  ['1d', 1440],
  ['2w', 20_160],
  ['h', null],
  ['1', null],
  ['1y', null],
  ['', null],
])('the interval %s is %d minutes', (interval, minutes) => {
  expect(intervalMinutes(interval)).toBe(minutes)
})

test('finds channels in either field', () => {
  expect(channelsOf({ channel, channels: [channel, { type: 'email' }] })).toEqual([channel, { type: 'email' }])
  expect(channelsOf({ channel, channels: [] })).toEqual([channel])
  expect(channelsOf({ channel: null })).toEqual([])
})
