import { expect, test } from 'vitest'
import { executionProblems } from './executionProblems.ts'

const error = (type?: string) => ({ type, timestamp: '2026-11-20T00:00:00Z', message: 'm' })

test.each([
  ['WEBHOOK_ERROR', 'warning', /delivered/, /current/],
  ['QUERY_ERROR', 'error', /query returned an error/, /earlier evaluation/],
  ['QUERY_TIMEOUT', 'error', /timed out/, /earlier evaluation/],
  ['INVALID_ALERT', 'error', /configuration/, /last successful evaluation/],
  ['UNKNOWN', 'error', /unknown reason/, /earlier evaluation/],
  ['LATER_ERROR', 'error', /problem/, /out of date/],
  [undefined, 'error', /problem/, /out of date/],
])('%s explains what it means for the state', (type, tone, title, state) => {
  expect(executionProblems({ executionErrors: [error(type)] })).toEqual([
    { tone, title: expect.stringMatching(title), state: expect.stringMatching(state), errors: [error(type)] },
  ])
})

test('a failed delivery is listed separately, after a failed evaluation', () => {
  const errors = [error('WEBHOOK_ERROR'), error('QUERY_ERROR'), error('WEBHOOK_ERROR')]
  const found = executionProblems({ executionErrors: errors })
  expect(found.map(({ tone, errors }) => [tone, errors.length])).toEqual([
    ['error', 1],
    ['warning', 2],
  ])
  expect(executionProblems({ executionErrors: null })).toEqual([])
})
