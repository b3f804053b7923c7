import { expect, test } from 'vitest'
import type { Names } from '#console/usages/alertNames.ts'
import { dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { alertGroup, alertOrder } from './alertGroups.ts'

const board = dashboard.parse({ id: 'd', name: 'Orders', tiles: [] })
const names: Names = {
  dashboards: new Map([['d', board]]),
  savedSearches: new Map([['s', { id: 's', name: 'Payment errors', sourceId: 'logs' }]]),
  webhooks: new Map([
    ['w', { id: 'w', name: 'Pager', service: 'slack' }],
    ['v', { id: 'v', name: 'Team', service: 'slack' }],
  ]),
}
const failed = { executionErrors: [{ timestamp: '2026-11-20T00:00:00Z', type: 'QUERY_ERROR', message: 'm' }] }

test('what needs attention comes first, and the same state is in the order of names', () => {
  const alerts = [
    alertOnTile({ name: 'paused', state: 'DISABLED' }),
    alertOnTile({ name: 'b fine', state: 'OK' }),
    alertOnTile({ name: 'a fine', state: 'OK' }),
    alertOnTile({ name: 'failed', state: 'OK', ...failed }),
    alertOnTile({ name: 'pending', state: 'PENDING' }),
    alertOnTile({ name: 'other', state: 'SLEEPING' }),
    alertOnTile({ name: 'fires', state: 'ALERT', ...failed }),
  ]
  expect(alerts.toSorted(alertOrder(names)).map(({ name }) => name)).toEqual([
    'fires',
    'pending',
    'failed',
    'other',
    'a fine',
    'b fine',
    'paused',
  ])
})

test('each alert is in one group', () => {
  const onTile = alertOnTile({
    state: 'ALERT',
    channels: ['w', 'v'].map((webhookId) => ({ type: 'webhook', webhookId })),
  })
  const onSearch = {
    ...onTile,
    source: 'saved_search',
    dashboardId: null,
    tileId: null,
    savedSearchId: 's',
    channels: [],
  }
  const titles = (grouping: 'state' | 'dashboard' | 'channel') => [onTile, onSearch].map(alertGroup(grouping, names)!)
  expect(titles('state')).toEqual(['Firing', 'Firing'])
  expect(titles('dashboard')).toEqual(['Orders', 'Saved search: Payment errors'])
  expect(titles('channel')).toEqual(['Pager, Team', 'No channel'])
  expect(alertGroup('none', names)).toBeUndefined()
})
