import { expect, it } from 'vitest'
import { sampleAt } from './testSamples.ts'
import { errorsRise, troubleRank } from './trouble.ts'

const errors = (...counts: (number | null)[]) => counts.map((count, at) => sampleAt(at, { errors: count }))

it('tells new errors from old ones, and from a counter that starts anew', () => {
  expect([errors(5, 5, 5), errors(5, 0, 0), errors(null, 3), errors(3), []].map(errorsRise)).toEqual(
    Array.from({ length: 5 }, () => false),
  )
  expect(errorsRise(errors(0, 1, 1))).toBe(true)
  expect(errorsRise(errors(5, 0, 2))).toBe(true)
})

it('puts what failed first, and a state that nobody knows with those that run', () => {
  const calm = errors(0, 0)
  const ranks = ['Failed', 'InternalError', 'Degraded', 'Paused', 'Running', 'Hibernating', undefined].map((state) =>
    troubleRank({ state }, calm),
  )
  expect(ranks).toEqual([0, 0, 2, 3, 4, 4, 4])
  expect(troubleRank({ state: 'Running' }, errors(0, 1))).toBe(1)
})
