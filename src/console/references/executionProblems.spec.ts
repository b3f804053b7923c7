import { expect, test } from 'vitest'
import { executionProblems } from './executionProblems.ts'

const error = (type?: string) => ({ type, timestamp: '2026-11-20T00:00:00Z', message: 'm' })

test.each([
  ['WEBHOOK_ERROR', 'warning', /delivered/, /current/],
  ['QUERY_ERROR', 'error', /query was not answered/, /before/],
  ['QUERY_TIMEOUT', 'error', /took too long/, /before/],
  ['INVALID_ALERT', 'error', /configured/, /last evaluation that was possible/],
  ['UNKNOWN', 'error', /unknown reason/, /before/],
  ['LATER_ERROR', 'error', /problem/, /not known/],
  [undefined, 'error', /problem/, /not known/],
])('%s says what it means for the state', (type, tone, title, state) => {
  expect(executionProblems({ executionErrors: [error(type)] })).toEqual([
    { tone, title: expect.stringMatching(title), state: expect.stringMatching(state), errors: [error(type)] },
  ])
})

test('a failed delivery beside a failed evaluation is told apart, and comes after it', () => {
  const errors = [error('WEBHOOK_ERROR'), error('QUERY_ERROR'), error('WEBHOOK_ERROR')]
  const found = executionProblems({ executionErrors: errors })
  expect(found.map(({ tone, errors }) => [tone, errors.length])).toEqual([
    ['error', 1],
    ['warning', 2],
  ])
  expect(executionProblems({ executionErrors: null })).toEqual([])
})
