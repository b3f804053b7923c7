import { expect, test } from 'vitest'
import type { Names } from '#console/references/alertNames.ts'
import { alert as alertSchema } from '#contract/alerts.ts'
import { dashboard } from '#contract/dashboards.ts'
import { previewedEvent } from './previewedEvent.ts'

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

test('names the tile, its dashboard and condition', () => {
  expect(previewedEvent(alert, names, 12)).toMatchObject({
    alert: { name: 'Errors', threshold: 10 },
    value: 12,
    watched: { name: 'Errors', dashboard: 'Shop', query: 'level:error' },
  })
})

test('names what was deleted', () => {
  const nothing = { ...names, dashboards: new Map() }
  expect(previewedEvent(alert, nothing, 12).watched).toEqual({ name: 't', dashboard: 'deleted dashboard' })
  const search = { ...alert, source: 'saved_search', savedSearchId: 's' }
  expect(previewedEvent(search, nothing, 12).watched).toEqual({ name: 'deleted saved search' })
})

test('has no value that would not fire, and no state', () => {
  const event = previewedEvent(alert, names, 3)
  expect(event).not.toHaveProperty('value')
  expect(event.alert).not.toHaveProperty('state')
})
