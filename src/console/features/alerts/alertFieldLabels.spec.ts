import { expect, test } from 'vitest'
import type { Names } from '#console/usages/alertNames.ts'
import { dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { webhook } from '#contract/stack/webhooks.ts'
import { emptyForm } from './alertForm.ts'
import { formatAlertField } from './alertFieldLabels.ts'
import type { AlertForm } from './formFields.ts'

const board = dashboard.parse({
  id: 'd1',
  name: 'Orders',
  tiles: [{ id: 't1', name: 'Errors', x: 0, y: 0, w: 6, h: 3, config: { displayType: 'markdown', markdown: '' } }],
})
const names: Names = {
  dashboards: new Map([['d1', board]]),
  savedSearches: new Map([['s1', { id: 's1', name: 'Payment errors', sourceId: 'logs' }]]),
  webhooks: new Map([['w1', webhook.parse({ id: 'w1', name: 'On call', service: 'slack' })]]),
}
const form: AlertForm = {
  ...emptyForm,
  dashboardId: 'd1',
  tileId: 't1',
  savedSearchId: 's1',
  threshold: 5,
  channels: [
    { type: 'webhook', webhookId: 'w1' },
    { type: 'webhook', webhookId: 'w9' },
  ],
}

test.each([
  ['source', 'Dashboard tile'],
  ['dashboardId', 'Orders'],
  ['tileId', 'Errors'],
  ['savedSearchId', 'Payment errors'],
  ['thresholdType', 'at least'],
  ['threshold', '5'],
  ['interval', '5 minutes'],
  ['channels', 'On call, w9'],
  ['note', 'none'],
  ['thresholdMax', 'none'],
] as const)('%s is read as "%s"', (field, words) => {
  expect(formatAlertField(field, form, names)).toBe(words)
})

test('shows IDs without a known name', () => {
  const unknown: Names = { dashboards: new Map(), savedSearches: undefined, webhooks: undefined }
  const shown = (values: AlertForm) =>
    (['dashboardId', 'tileId', 'savedSearchId', 'channels'] as const).map((field) =>
      formatAlertField(field, values, unknown),
    )
  expect(shown(emptyForm)).toEqual(['none', 'none', 'none', 'none'])
  expect(shown(form)).toEqual(['d1', 't1', 's1', 'w1, w9'])
})
