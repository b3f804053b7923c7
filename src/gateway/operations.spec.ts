import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { createScraper } from '#node/selfTelemetry/prometheus.ts'
import { expositionProblems } from '#node/testing/expositionProblems.ts'
import { parseExposition } from '#domain/exposition.ts'
import { gatewayForTests, sendRaw, startTestGateway, answerJson } from './testing/testGateway.ts'

const token = 'token-of-the-scraper'
const { reader, scrape } = createScraper()
const meter = new MeterProvider({ readers: [reader] }).getMeter('gateway')
const { gateway, upstream } = await gatewayForTests({ meter, metrics: { scrape, token } })

beforeEach(() => upstream.become(answerJson({ data: [] })))

test.each(['/healthz', '/readyz', '/metrics'])('%s needs no sign-in, and accepts every host name', async (path) => {
  const authorization = `Bearer ${token}`
  const hosts = [`127.0.0.1:${gateway.port}`, '10.2.3.4:8080', 'console-7f9c.pods.internal']
  for (const host of hosts) {
    const { status } = await sendRaw(gateway.address, { path, headers: { host, authorization } })
    expect(status, host).toBe(200)
  }
  const other = await sendRaw(gateway.address, { path: '/api/session', headers: { host: '10.2.3.4:8080' } })
  expect(other.status, 'other paths are as before').toBe(421)
})

test('probes count in no limit', async () => {
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => sendRaw(gateway.address, { path: '/healthz', headers: {} })),
  )
  for (const { headers } of replies) expect(headers['x-ratelimit-remaining']).toBeUndefined()
})

test('is not ready while its database cannot be read', async () => {
  const own = await startTestGateway(upstream)
  const ready = async () => {
    const { status, text } = await sendRaw(own.address, { path: '/readyz' })
    return { status, body: JSON.parse(text) }
  }
  expect(await ready()).toEqual({ status: 200, body: { status: 'ready', parts: { database: { status: 'ok' } } } })
  for (const file of ['console.db', 'console.db-wal', 'console.db-shm']) truncateSync(join(own.folder, 'data', file), 8)
  await expect.poll(ready).toEqual({
    status: 503,
    body: {
      status: 'notReady',
      parts: { database: { status: 'failed', reason: 'The database of the console cannot be read.' } },
    },
  })
  expect((await sendRaw(own.address, { path: '/healthz' })).status).toBe(200)
  await own.close()
})

test('is not ready while its stack is not', async () => {
  const reason = 'The local stack is not ready.'
  const own = await startTestGateway(upstream, {
    parts: { stack: { check: () => Promise.reject(new Error('x')), reason } },
  })
  const { status, text } = await sendRaw(own.address, { path: '/readyz' })
  expect(status).toBe(503)
  expect(JSON.parse(text).parts).toEqual({ database: { status: 'ok' }, stack: { status: 'failed', reason } })
  await own.close()
})

test('the metrics have requests to deployments by outcome, and what is left of the rate limit', async () => {
  await gateway.call('GET', '/api/c/oss/stack/alerts')
  upstream.become(answerJson({ message: 'no' }, 400))
  await gateway.call('GET', '/api/c/managed/stack/alerts')
  const { text } = await sendRaw(gateway.address, { path: '/metrics', headers: { authorization: `Bearer ${token}` } })
  expect(expositionProblems(text)).toEqual([])
  const value = (name: string, labels: Record<string, string>) =>
    parseExposition(text).find(
      (sample) => sample.name === name && Object.entries(labels).every(([key, one]) => sample.labels[key] === one),
    )?.value
  const count = 'upstream_request_duration_seconds_count'
  expect(value(count, { variant: 'openSource', outcome: 'success' })).toBeGreaterThan(0)
  expect(value(count, { variant: 'managed', outcome: 'refused' })).toBeGreaterThan(0)
  expect(value('upstream_budget_left', { variant: 'openSource' })).toBeLessThan(1)
  expect(value('upstream_requests_waiting', { variant: 'managed' })).toBe(0)
  for (const secret of ['SEEDED', 'Open source', '"oss"', '127.0.0.1']) expect(text).not.toContain(secret)
})
