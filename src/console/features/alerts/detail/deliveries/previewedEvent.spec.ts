import { expect, test } from 'vitest'
import type { Names } from '#console/usages/alertNames.ts'
import { alert as alertSchema } from '#contract/stack/alerts.ts'
import { dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { EvaluatedWindow, WindowState } from '../model/evaluatedWindows.ts'
import { lastWindowEvent, previewedEvent } from './previewedEvent.ts'

const alert = alertSchema.parse({
  id: 'a',
  name: 'Errors',
  threshold: 10,
  thresholdType: 'above',
  interval: '5m',
  source: 'tile',
  dashboardId: 'd',
  tileId: 't',
  state: 'ALERT',
  channel: { type: 'webhook', webhookId: 'w' },
})
const shop = dashboard.parse({
  id: 'd',
  name: 'Shop',
  tags: [],
  tiles: [
    {
      id: 't',
      name: 'Errors',
      x: 0,
      y: 0,
      w: 1,
      h: 1,
      config: {
        displayType: 'line',
        sourceId: 's',
        select: [
          { aggFn: 'count', where: 'level:error' },
          { aggFn: 'count', where: '' },
        ],
      },
    },
  ],
})
const names: Names = { dashboards: new Map([['d', shop]]), savedSearches: new Map(), webhooks: undefined }

const fired = { start: 60_000, end: 120_000, value: 12, group: '' }

test('names the tile, its dashboard and condition', () => {
  expect(previewedEvent(alert, names, fired, 'number')).toMatchObject({
    alert: { name: 'Errors', threshold: 10 },
    value: 12,
    start: 60_000,
    end: 120_000,
    watched: { name: 'Errors', dashboard: 'Shop', query: 'level:error' },
  })
})

test('names what was deleted', () => {
  const nothing = { ...names, dashboards: new Map() }
  expect(previewedEvent(alert, nothing, fired, 'number').watched).toEqual({ name: 't', dashboard: 'deleted dashboard' })
  const search = { ...alert, source: 'saved_search', savedSearchId: 's' }
  expect(previewedEvent(search, nothing, fired, 'number').watched).toEqual({ name: 'deleted saved search' })
})

test('has the group with its key, also one that is NULL', () => {
  const group = 'service:cart, region IS NULL'
  expect(previewedEvent(alert, names, { ...fired, group }, 'number')).toMatchObject({
    group: { service: 'cart', region: null },
    groupKey: group,
  })
})

/** A window with groups, ended after so many minutes. */
function windowAt(minutes: number, state: WindowState, groups: [string, WindowState, number][]): EvaluatedWindow {
  const values = groups.map(([, , value]) => value)
  return {
    start: (minutes - 1) * 60_000,
    end: minutes * 60_000,
    state,
    value: Math.max(...values),
    groups: groups.map(([key, state, value]) => ({ key, state, value, noRows: false })),
    groupsTotal: groups.length,
    noRows: false,
    silenced: false,
    readMs: null,
    problem: null,
  }
}

test('is about the newest window that fired, and the group that did', () => {
  const below = { ...alert, thresholdType: 'below' as const }
  const windows = [
    windowAt(4, 'unread', []),
    windowAt(3, 'ok', [['a:1', 'ok', 40]]),
    windowAt(2, 'firing', [
      ['a:2', 'firing', 3],
      ['a:1', 'ok', 40],
    ]),
  ]
  // The value is that of the group, and not the highest one.
  expect(lastWindowEvent(below, windows)).toEqual({ start: 60_000, end: 120_000, value: 3, group: 'a:2' })
  expect(lastWindowEvent(below, windows.slice(0, 2))).toEqual({
    start: 120_000,
    end: 180_000,
    value: null,
    group: 'a:1',
  })
  expect(lastWindowEvent(below, [])).toBeNull()
})

test('has no value that would not fire, and no state', () => {
  const event = previewedEvent(alert, names, { ...fired, value: null }, 'number')
  expect(event).not.toHaveProperty('value')
  expect(event.alert).not.toHaveProperty('state')
})
