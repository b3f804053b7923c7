import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApiError } from '#contract/wire/kernel.ts'
import { runBulk, type Outcome } from './bulk.ts'
import { ApiFailure } from './failure.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

const records = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
const failure = (code: ApiError['code'], retryAfter?: number) =>
  new ApiFailure({ code, message: code, status: 0, ...(retryAfter !== undefined && { retryAfter }) })

/** Runs it, with what each try of a record throws, in order. */
function run(refusals: Record<string, ApiFailure[]>, signal = new AbortController().signal) {
  const known: Record<string, Outcome['state'][]> = {}
  const last: Record<string, Outcome> = {}
  const tries: string[] = []
  const task = async ({ id }: { id: string }) => {
    tries.push(id)
    const refused = refusals[id]?.shift()
    if (refused) throw refused
  }
  const report = (id: string, outcome: Outcome) => {
    known[id] = [...(known[id] ?? []), outcome.state]
    last[id] = outcome
  }
  return { known, last, tries, end: runBulk(records, task, report, signal) }
}

test('waits after a rate limit error, and tries the same record again', async () => {
  const { known, last, tries, end } = run({ b: [failure('rateLimited', 12), failure('rateLimited')] })
  await vi.advanceTimersByTimeAsync(11_999)
  expect(tries).toEqual(['a', 'b'])
  expect(last.b).toEqual({ state: 'paused', until: 12_000 })
  await vi.advanceTimersByTimeAsync(10_001)
  await end
  expect(tries).toEqual(['a', 'b', 'b', 'b', 'c'])
  expect(known.b).toEqual(['running', 'paused', 'running', 'paused', 'running', 'done'])
})

test('can be stopped while it waits, and reports what was not done', async () => {
  const stop = new AbortController()
  const { last, end } = run({ b: [failure('rateLimited', 600)] }, stop.signal)
  await vi.advanceTimersByTimeAsync(1000)
  stop.abort()
  await end
  expect(last).toEqual({ a: { state: 'done' }, b: { state: 'skipped' }, c: { state: 'skipped' } })
})

test('continues after the failure of one record, but not after one that affects all', async () => {
  const one = run({ a: [failure('conflict')] })
  await one.end
  expect(Object.values(one.last).map(({ state }) => state)).toEqual(['failed', 'done', 'done'])
  const all = run({ b: [failure('readOnly')] })
  await all.end
  expect(Object.values(all.last).map(({ state }) => state)).toEqual(['done', 'failed', 'skipped'])
})
