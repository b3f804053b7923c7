import { expect, test } from 'vitest'
import { ApiFailure } from '#console/api/failure.ts'
import { refusals } from './refusals.ts'

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
