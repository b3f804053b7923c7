import { expect, test } from 'vitest'
import { alert as alertSchema } from '#contract/stack/alerts.ts'
import { dashboard as dashboardSchema } from '#contract/stack/dashboards/dashboards.ts'
import { source as sourceSchema } from '#contract/stack/sources.ts'
import { webhook as webhookSchema } from '#contract/stack/webhooks.ts'
import { alertsWithoutWebhook, danglingUses, sourceUsers, sourceUses, webhookUses } from './usage.ts'

const place = { x: 0, y: 0, w: 1, h: 1 }
const board = dashboardSchema.parse({
  id: 'd',
  name: 'Shop',
  tiles: [
    { ...place, id: 't1', name: 'Errors', config: { displayType: 'line', sourceId: 'logs' } },
    {
      ...place,
      id: 't2',
      config: {
        displayType: 'table',
        sourceId: 'logs',
        onClick: { type: 'search', target: { mode: 'id', id: 'traces' } },
      },
    },
    { ...place, id: 't3', name: 'Text', config: { displayType: 'markdown' } },
    { ...place, id: 't4', name: 'Link', config: { onClick: { type: 'dashboard', target: { mode: 'id', id: 'd2' } } } },
  ],
  filters: [{ id: 'f', name: 'Service', sourceId: 'logs', appliesToSourceIds: ['logs', 'gone'] }],
})
const alert = (id: string, more: object) =>
  alertSchema.parse({ id, threshold: 1, thresholdType: 'above', interval: '5m', source: 'tile', ...more })
const source = (id: string, more: object = {}) => sourceSchema.parse({ id, name: id, kind: 'log', ...more })

test('finds sources of a dashboard in tiles, links and filters, each place once', () => {
  expect(sourceUses(board).map(({ sourceId, place: at }) => [sourceId, at])).toEqual([
    ['logs', 'tile “Errors”'],
    ['logs', 'tile “Untitled”'],
    ['traces', 'tile “Untitled”'],
    ['logs', 'filter “Service”'],
    ['gone', 'filter “Service”'],
  ])
})

test('users of a source are dashboards, the alerts on their tiles, and linked sources', () => {
  const alerts = [
    alert('on', { dashboardId: 'd', tileId: 't1' }),
    alert('other tile', { dashboardId: 'd', tileId: 't3' }),
    alert('other dashboard', { dashboardId: 'd2', tileId: 't1' }),
    alert('search', { source: 'saved_search', savedSearchId: 's' }),
  ]
  const sources = [source('logs', { logSourceId: 'logs' }), source('traces', { logSourceId: 'logs' })]
  const users = sourceUsers('logs', { dashboards: [board], alerts, sources })
  expect(users.uses).toHaveLength(3)
  expect(users.alerts.map(({ id }) => id)).toEqual(['on'])
  expect(users.sources.map(({ id }) => id)).toEqual(['traces'])
})

test('reports references to a missing source', () => {
  const dangling = danglingUses([board], [source('logs'), source('traces')])
  expect(dangling.map(({ sourceId, place: at }) => [sourceId, at])).toEqual([['gone', 'filter “Service”']])
})

test('a webhook is in use only as a first channel', () => {
  const channels = (...ids: string[]) => ids.map((webhookId) => ({ type: 'webhook', webhookId }))
  const alerts = [
    alert('first', { channels: channels('w', 'v') }),
    alert('second', { channels: channels('v', 'w') }),
    alert('alone', { channel: channels('w')[0] }),
    alert('mail', { channels: [{ type: 'email' }] }),
  ]
  expect(webhookUses('w', alerts).map(({ alert: { id }, guarded }) => [id, guarded])).toEqual([
    ['first', true],
    ['second', false],
    ['alone', true],
  ])
  const there = [webhookSchema.parse({ id: 'w', name: 'W', service: 'slack' })]
  expect(alertsWithoutWebhook(alerts, there).map(({ id }) => id)).toEqual(['first', 'second'])
})
