import { expect, test } from 'vitest'
import type { ChangeRequestDetail, ChangeRequestState, RequestedOutcome } from '#contract/console/changeRequests.ts'
import { outcomeToast } from './changeRequestLabels.ts'

const done: RequestedOutcome = { key: 'a', state: 'done' }
const failed: RequestedOutcome = { key: 'b', state: 'failed', reason: 'The name is taken.' }
const skipped: RequestedOutcome = { key: 'c', state: 'skipped', reason: 'An earlier change was not carried out.' }
const unknown: RequestedOutcome = { key: 'b', state: 'unknown', reason: 'Check the record.' }

test.each<[string, ChangeRequestState, RequestedOutcome[], string, string]>([
  ['success', 'carriedOut', [done], 'ok', 'Change request 58 applied'],
  [
    'the reason of a failure, before what was skipped because of it',
    'carriedOutWithFailures',
    [skipped, done, failed],
    'bad',
    'Change request 58 failed: 1 of 3 changes done. Checkout: The name is taken.',
  ],
  [
    'a record whose name is not known',
    'carriedOutWithFailures',
    [{ ...failed, key: 'd' }],
    'bad',
    'Change request 58 failed: 0 of 1 change done. The name is taken.',
  ],
  [
    'an outcome that nobody knows',
    'carriedOutWithFailures',
    [done, unknown],
    'unknown',
    'Change request 58 may have failed: 1 of 2 changes done. Checkout: Check the record.',
  ],
  [
    'a run that was stopped',
    'carriedOutWithFailures',
    [done, { key: 'b', state: 'waiting' }],
    'bad',
    'Change request 58 failed: 1 of 2 changes done.',
  ],
  ['a run that never began', 'waiting', [], 'bad', 'Change request 58 was not applied. It waits for approval again.'],
])('tells %s', (_, state, outcomes, tone, text) => {
  const request = { number: 58, state, outcomes, approved: { changes: [{ key: 'b', name: 'Checkout' }] } }
  // Only what it reads.
  expect(outcomeToast(request as ChangeRequestDetail)).toEqual({ tone, text })
})
