/** The rate limit of a key that two consoles on one PostgreSQL database use. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { priorityHeader } from '#contract/wire/gatewayWire.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { openDatabase } from '../database/database.ts'
import {
  answerJson,
  secrets,
  startTestGateway,
  startUpstream,
  type TestGateway,
  type TestUpstream,
} from '../testing/testGateway.ts'

const rule = { limit: 20, window: 5_000 }
/** When the deployment counted each request, by `performance.now()`. */
const counted: number[] = []

let upstream: TestUpstream
let consoles: TestGateway[]
let databaseUrl: string
beforeAll(async () => {
  databaseUrl = await newDatabase()
  upstream = await startUpstream((hit, response) => {
    counted.push(performance.now())
    return answerJson({ data: { id: 'd', name: 'D', tags: [], tiles: [] } })(hit, response)
  })
  const options = {
    databaseUrl,
    secret: 'the-secret-of-both-consoles-31',
    budgets: { [upstream.url]: { openSource: rule, managed: rule } },
    tuning: { retries: { retries: [], readBacks: [], wait: 60_000 } },
  }
  consoles = [await startTestGateway(upstream, options), await startTestGateway(upstream, options)]
}, 60_000)
afterAll(async () => {
  await Promise.all(consoles.map((console) => console.close()))
  await upstream.close()
})

let reads = 0
/** Reads something that nobody read before. */
const read = (at: number) => {
  const path = `/api/c/oss/stack/dashboards/65f5e4a3b9e77c001a${String(reads++).padStart(6, '0')}`
  return consoles[at]!.call('GET', path, undefined, { [priorityHeader]: 'user' }) // there are two
}
const remaining = async (at: number) =>
  (await consoles[at]!.call('GET', '/api/connections/oss/budget')).json['remaining'] // there are two

test('is kept by both together, and both show what is left', { timeout: 60_000 }, async () => {
  for (let at = 0; at < 6; at++) expect((await read(0)).status).toBe(200)
  await vi.waitFor(async () => expect([await remaining(0), await remaining(1)]).toEqual([14, 14]), {
    timeout: rule.window,
  })
  const answers = await Promise.all(Array.from({ length: 34 }, (_, at) => read(at % 2)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(counted).toHaveLength(40)
  const busiest = counted.map((from) => counted.filter((at) => at >= from && at < from + rule.window).length)
  expect(Math.max(...busiest)).toBeLessThanOrEqual(rule.limit)
  // Each had its part of what both wanted.
  await vi.waitFor(async () => expect([await remaining(0), await remaining(1)]).toEqual([20, 20]), {
    timeout: 30_000,
    interval: 200,
  })
  const database = await openDatabase('/nowhere', databaseUrl)
  await expect.poll(() => database.rows('SELECT * FROM budget_portions')).toEqual([])
  // The stored rows name no key.
  expect(JSON.stringify(await database.rows('SELECT * FROM request_budgets'))).not.toContain(secrets.accessKey)
  await database.close()
})

test('a pause that one was told is kept by the other at once', { timeout: 60_000 }, async () => {
  upstream.become(answerJson({ message: 'Slow down' }, 429, { 'retry-after': '300' }))
  expect((await read(0)).code).toBe('rateLimited')
  await vi.waitFor(async () => expect(await remaining(0)).toBe(0), { timeout: 30_000 })
  const database = await openDatabase('/nowhere', databaseUrl)
  await expect.poll(() => database.rows('SELECT name FROM request_budgets WHERE paused_for > 0')).toHaveLength(1)
  await database.close()
  upstream.become(answerJson({ data: { id: 'd', name: 'D', tags: [], tiles: [] } }))
  const refused = await read(1)
  expect(refused.code).toBe('rateLimited')
  expect(Number(Object(refused.json).retryAfter)).toBeGreaterThan(250)
  expect(upstream.hits).toHaveLength(0)
  expect(await remaining(1)).toBe(0)
})
