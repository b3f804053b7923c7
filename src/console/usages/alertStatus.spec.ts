import { expect, test } from 'vitest'
import { tile as tileSchema } from '#contract/stack/dashboards/dashboards.ts'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { lastRunFailed, neverEvaluated, problemsBeside, shownState } from './alertStatus.ts'

const tileOf = (displayType: string) => tileSchema.parse({ id: 't', x: 0, y: 0, w: 1, h: 1, config: { displayType } })
const alertOf = (state: string, ...types: string[]) =>
  alertOnTile({
    state,
    executionErrors: types.map((type) => ({ timestamp: '2026-11-20T00:00:00Z', type, message: 'm' })),
  })

test.each([
  ['OK', 'line', [], 'OK', 0],
  ['OK', 'line', ['QUERY_ERROR'], lastRunFailed, 0],
  ['PENDING', 'number', ['QUERY_TIMEOUT', 'WEBHOOK_ERROR'], lastRunFailed, 1],
  ['ALERT', 'line', ['QUERY_ERROR'], 'ALERT', 1],
  ['ALERT', 'line', ['WEBHOOK_ERROR'], 'ALERT', 1],
  ['OK', 'line', ['WEBHOOK_ERROR'], 'OK', 1],
  ['OK', 'table', [], neverEvaluated, 0],
  ['ALERT', 'table', [], 'ALERT', 0],
  ['DISABLED', 'table', [], 'DISABLED', 0],
])('%s on a %s tile after %j is shown as %s', (state, type, errors, shown, problems) => {
  const alert = alertOf(state, ...errors)
  expect(shownState(alert, tileOf(type))).toBe(shown)
  expect(problemsBeside(alert, tileOf(type))).toHaveLength(problems)
})

test('an alert with a saved search or an unknown tile counts as evaluated', () => {
  expect(shownState(alertOf('OK'), undefined)).toBe('OK')
  expect(shownState({ ...alertOf('OK'), source: 'saved_search' }, tileOf('table'))).toBe('OK')
})
