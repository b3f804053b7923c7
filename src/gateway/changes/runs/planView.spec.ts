/** How long the requests of a plan take. */
import { expect, test } from 'vitest'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { secondsFor } from './planView.ts'

// Nothing else of a target matters here.
const target = { variant: 'openSource' } as UpstreamTarget
const budget = { limit: 100, remaining: 100, reset: 0, next: 0, waiting: 0 }

test('few requests take as long as their responses', () => {
  expect(secondsFor(20, target, budget)).toBe(2)
})

test('more requests than the key has left take as long as its limit says', () => {
  // 220 of 300 requests, at four fifths of 100 a minute.
  expect(secondsFor(300, target, budget)).toBe(165)
})

test('where the next request has to wait, the time to it counts', () => {
  expect(secondsFor(2, target, { ...budget, remaining: 0, next: 41, waiting: 1 })).toBe(41)
  expect(secondsFor(0, target, { ...budget, remaining: 0, next: 41 })).toBe(0)
})

test('without a limit, only the responses take time', () => {
  expect(secondsFor(20, target, { ...budget, limit: Infinity, remaining: Infinity })).toBe(2)
})
