import { expect, test } from 'vitest'
import { thresholdTypes } from '#contract/stack/alerts.ts'
import { dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { alertName, formatChannels, formatChannel, formatAlertSubject, type Names } from '#console/usages/alertNames.ts'
import { formatAlertState, formatPending } from '#console/records/alerts/alertStates.ts'
import { evaluationWarning, tileOptions } from './tileOptions.ts'
import { conditionSentence, formatCondition, formatInterval } from './alertLabels.ts'

const board = dashboard.parse({
  id: 'd',
  name: 'Orders',
  tiles: [
    { id: 'line', name: 'Errors', x: 0, y: 0, w: 1, h: 1, config: { displayType: 'line' } },
    { id: 'pie', name: '', x: 0, y: 0, w: 1, h: 1, config: { displayType: 'pie' } },
    { id: 'text', name: 'About', x: 0, y: 0, w: 1, h: 1, config: { displayType: 'markdown' } },
    { id: 'sqlPie', name: 'S', x: 0, y: 0, w: 1, h: 1, config: { displayType: 'pie', configType: 'sql' } },
    { name: 'without id', x: 0, y: 0, w: 1, h: 1 },
  ],
})
const names: Names = {
  dashboards: new Map([['d', board]]),
  savedSearches: new Map([['s', { id: 's', name: 'Payment errors', sourceId: 'logs' }]]),
  webhooks: new Map([['w', { id: 'w', name: 'Pager', service: 'slack' }]]),
}
const alert = alertOnTile({
  tileId: 'line',
  threshold: 100,
  channels: [{ type: 'webhook', webhookId: 'w' }, { type: 'email' }],
})

test('every condition type has its own sentence', () => {
  expect(formatCondition(alert)).toBe('value at least 100 over 5m')
  expect(formatCondition({ ...alert, thresholdType: 'between', thresholdMax: 200, numConsecutiveWindows: 3 })).toBe(
    'value between 100 and 200 over 5m, 3 consecutive windows',
  )
  expect(conditionSentence({ ...alert, source: 'saved_search' })).toBe('number of rows is at least 100 over 5 minutes')
  const all = thresholdTypes.map((thresholdType) => formatCondition({ ...alert, thresholdType }))
  expect(new Set(all).size).toBe(thresholdTypes.length)
})

test('shows unknown values as they are', () => {
  expect(formatCondition({ ...alert, thresholdType: 'anomalous', interval: '3w' })).toBe('value anomalous 100 over 3w')
  expect(formatInterval('1h')).toBe('1 hour')
  expect(formatInterval('soon')).toBe('soon')
  expect(formatPending({ ...alert, numConsecutiveWindows: 3, pendingWindows: 2 })).toBe('Pending 2 of 3')
  expect(formatPending({ ...alert, numConsecutiveWindows: 3 })).toBe('Pending')
  expect(formatAlertState('SLEEPING')).toEqual({ label: 'SLEEPING', tone: 'neutral' })
})

test('shows names instead of known IDs', () => {
  expect(formatAlertSubject(alert, names)).toBe('Orders / Errors')
  expect(formatChannels(alert, names)).toBe('Pager, email')
  expect(alertName(alert, names)).toBe('Alert on Orders / Errors')
  const nothing: Names = { dashboards: new Map(), savedSearches: undefined, webhooks: undefined }
  expect(formatAlertSubject(alert, nothing)).toBe('d / line')
  expect(formatChannels(alert, nothing)).toBe('w, email')
  expect(formatAlertSubject({ ...alert, tileId: 'gone' }, names)).toBe('Orders / deleted tile')
  const onSearch = { ...alert, source: 'saved_search', tileId: null, savedSearchId: 's' }
  expect(formatAlertSubject(onSearch, names)).toBe('Payment errors')
  expect(alertName(onSearch, names)).toBe('Alert on Payment errors')
  expect(formatAlertSubject({ ...onSearch, savedSearchId: 'gone' }, names)).toBe('deleted saved search')
  expect(formatAlertSubject(onSearch, nothing)).toBe('Saved search s')
})

test('tiles that the API rejects cannot be selected; tiles that are never evaluated show a warning', () => {
  const options = tileOptions(board)
  expect(options.map(({ value, disabled }) => [value, disabled !== undefined])).toEqual([
    ['line', false],
    ['pie', false],
    ['text', true],
    ['sqlPie', true],
  ])
  expect(evaluationWarning(board.tiles[0])).toBeUndefined()
  expect(evaluationWarning(board.tiles[1])).toContain('never evaluated')
})

test('shows the recipients of an email channel, which some deployments offer', () => {
  const channel = { type: 'email', emailRecipients: ['a@b.example', 'c@d.example'] }
  const names = { dashboards: new Map(), savedSearches: undefined, webhooks: undefined }
  expect(formatChannel(channel, names)).toBe('email to a@b.example, c@d.example')
})
