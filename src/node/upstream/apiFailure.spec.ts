import { expect, test } from 'vitest'
import { failureSentence, failure } from './apiFailure.ts'

const required = [{ path: 'name', message: 'Required' }]

test.each([
  ['Body validation failed: name: Required', { fields: required, detail: 'Body validation failed: name: Required' }],
  ['Alert not found', { detail: 'NOT_FOUND: Alert not found' }],
  ['Alert not found', { detail: 'Alert not found' }],
  ['Alert not found', {}],
])('what a deployment said is not repeated: %s', (message, more) => {
  expect(failureSentence(failure('invalid', message, more))).toBe(message)
})

test('what the message does not say is added: the fields, or the text of the deployment', () => {
  expect(failureSentence(failure('invalid', 'Refused.', { fields: required, detail: 'no' }))).toBe(
    'Refused. name: Required',
  )
  expect(failureSentence(failure('upstreamFailed', 'It failed.', { detail: 'Out of disk' }))).toBe(
    'It failed. Out of disk',
  )
})
