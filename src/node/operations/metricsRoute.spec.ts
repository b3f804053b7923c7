import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { registerMetrics, type MetricsOptions } from './metricsRoute.ts'

const apps: FastifyInstance[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

interface Call {
  from?: string
  headers?: Record<string, string>
}

async function metrics(options: Partial<MetricsOptions> = {}) {
  const app = fastify()
  apps.push(app)
  registerMetrics(app, { scrape: async () => 'up 1\n', ...options })
  return async ({ from = '127.0.0.1', headers = {} }: Call = {}) => {
    const host = 'localhost:8080'
    const response = await app.inject({ url: '/metrics', remoteAddress: from, headers: { host, ...headers } })
    return [response.statusCode, response.body]
  }
}

const token = 'a-token-of-the-scraper'
const served = [200, 'up 1\n']
const local = [403, 'Only for this machine: set METRICS_TOKEN.\n']
const unauthorized = [401, 'METRICS_TOKEN is required as Bearer token.\n']

test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])(
  'are for programs of this machine: %s',
  async (from) => {
    expect(await (await metrics())({ from })).toEqual(served)
    expect(await (await metrics({ token }))({ from })).toEqual(served)
  },
)

test.each(['10.0.0.7', '203.0.113.9', 'fe80::1', '::ffff:10.0.0.7'])('are not for others: %s', async (from) => {
  expect(await (await metrics())({ from })).toEqual(local)
  expect(await (await metrics({ token }))({ from })).toEqual(unauthorized)
})

test.each<Record<string, string>>([
  { 'x-forwarded-for': '203.0.113.9' },
  { forwarded: 'for=203.0.113.9' },
  { 'x-real-ip': '203.0.113.9' },
  { via: '1.1 proxy' },
  { host: 'console.example' },
  { host: 'localhost.evil.example' },
])('are not for the clients of a proxy on this machine, nor for rebound names: %o', async (headers) => {
  expect(await (await metrics())({ headers })).toEqual(local)
})

test('a token opens them from anywhere, and a wrong one closes them', async () => {
  const get = await metrics({ token })
  const from = '203.0.113.9'
  expect(await get({ from, headers: { authorization: `Bearer ${token}`, host: 'console.example' } })).toEqual(served)
  for (const authorization of [`Bearer ${token}x`, `Basic ${token}`, token, 'Bearer ', '']) {
    expect(await get({ from, headers: { authorization } }), authorization).toEqual(unauthorized)
  }
  expect(await get({ headers: { authorization: 'Bearer wrong' } }), 'from this machine too').toEqual(unauthorized)
})

test('without a token, none is right', async () => {
  expect(await (await metrics())({ headers: { authorization: 'Bearer undefined' } })).toEqual(local)
})

test('scrapes at the same time are one', async () => {
  let scrapes = 0
  const scrape = async () => {
    scrapes++
    await new Promise((next) => setImmediate(next))
    return 'up 1\n'
  }
  const get = await metrics({ scrape })
  expect(await Promise.all([get(), get(), get()])).toEqual([served, served, served])
  expect(scrapes).toBe(1)
  expect(await get()).toEqual(served)
  expect(scrapes).toBe(2)
})
