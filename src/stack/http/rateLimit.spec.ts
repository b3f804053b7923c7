/** Windows of a rate limit while the clock of the machine is set. */
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RateWindows } from '#node/concurrency/rateWindows.ts'
import { limitRate } from './rateLimit.ts'

const hour = 3_600_000
let app: FastifyInstance

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  app = fastify()
  await limitRate(app, {
    requests: 2,
    seconds: 60,
    keyOf: ({ headers }) => headers.authorization ?? '',
    headers: 'ratelimit',
    message: 'Too many',
  })
  app.get('/', async () => 'ok')
})
afterEach(async () => {
  await app.close()
  vi.useRealTimers()
})

const statuses = async (requests: number, authorization = 'a key') => {
  const found: number[] = []
  for (let n = 0; n < requests; n++) {
    const { statusCode } = await app.inject({ url: '/', headers: { authorization } })
    found.push(statusCode)
  }
  return found
}

test.each([6 * hour, -6 * hour])('a window has its length when the clock is set by %i ms', async (by) => {
  expect(await statuses(3)).toEqual([200, 200, 429])
  vi.setSystemTime(Date.now() + by)
  vi.advanceTimersByTime(59_000)
  expect(await statuses(1)).toEqual([429])
  vi.advanceTimersByTime(1_000)
  expect(await statuses(3)).toEqual([200, 200, 429])
})

test('each key has windows of its own', async () => {
  expect(await statuses(3)).toEqual([200, 200, 429])
  expect(await statuses(2, 'another one')).toEqual([200, 200])
})

test('more keys than are counted at a time do not end the window of a recent one', () => {
  const windows = new RateWindows()
  const countOf = (key: string) => {
    let count = 0
    windows.incr(key, (_, result) => void (count = result?.current ?? 0), 60_000)
    return count
  }
  for (let n = 0; n < 6000; n++) countOf(`key ${n}`)
  expect([countOf('key 5999'), countOf('key 0')]).toEqual([2, 1])
})
