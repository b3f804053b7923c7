import { expect, test } from 'vitest'
import { ApiFailure } from '../../api/failure.ts'
import { tooManyGroups } from './tooManyGroups.ts'

const failure = (message: string, detail?: string) =>
  new ApiFailure({ code: 'invalid', status: 400, message, ...(detail !== undefined && { detail }) })

test('a result with too many points is known, with its limit where the deployment names it', () => {
  const reason = 'series: the result has more than 100000 points: choose a coarser granularity, or fewer groups'
  expect(tooManyGroups(failure(reason))).toEqual({ maxPoints: 100_000 })
  expect(tooManyGroups(failure('Bad request', 'more than 10,000 points'))).toEqual({ maxPoints: 10_000 })
  expect(tooManyGroups(failure('too many groups: group by fewer fields'))).toEqual({ maxPoints: null })
  expect(tooManyGroups(failure('the query took too long'))).toBeNull()
  expect(tooManyGroups(new Error('offline'))).toBeNull()
})
