import { afterAll, expect, test } from 'vitest'
import { ampleFor, seedsTo, sendRaw, startTestGateway, startUpstream } from '../testing/testGateway.ts'
import { invite } from '../testing/testPeople.ts'

const upstream = await startUpstream()
const behind = (...addresses: string[]) =>
  startTestGateway(upstream, {
    seeds: seedsTo(upstream.url),
    budgets: ampleFor(upstream.url),
    proxy: { header: 'X-Forwarded-Email', addresses },
  })
const trusting = await behind('10.2.0.0/16', '127.0.0.0/8')
const other = await behind('10.2.0.0/16', '::1')
afterAll(async () => {
  await Promise.all([trusting.close(), other.close()])
  await upstream.close()
})

test('somebody whom the proxy names is signed in with their role', async () => {
  const { email, id } = await invite(trusting, { role: 'none', roles: { oss: 'viewer' } })
  const as = (path: string, who: string, method = 'GET') =>
    trusting.call(method, path, undefined, { cookie: '', 'x-forwarded-email': who })
  expect((await as('/api/session', email.toUpperCase())).json).toMatchObject({ signedIn: true, person: { email } })
  expect((await as('/api/connections', email)).json).toEqual([expect.objectContaining({ id: 'oss', role: 'viewer' })])
  expect((await as('/api/people', email)).status).toBe(403)
  // Also the document, and what it reads from its own routes.
  const headers = {
    host: new URL(trusting.address).host,
    'x-forwarded-email': email,
    'sec-fetch-site': 'none',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    accept: 'text/html',
  }
  const page = await sendRaw(trusting.address, { path: '/c/oss/alerts', headers })
  expect(page.text).toMatch(/data-read="\/api\/c\/oss\/stack\/alerts" data-status="200"/)
  await trusting.call('PUT', `/api/people/${id}/disabled`, { disabled: true })
  expect((await as('/api/connections', email)).json['message']).toBe('This account is disabled.')
  expect((await as('/api/connections', 'nobody@example.com')).json['message']).toMatch(/^Nobody with this e-mail/)
})

test('the header from any other address is refused, also beside a session', async () => {
  const { email } = await invite(other)
  const reply = await other.call('GET', '/api/connections', undefined, { 'x-forwarded-email': email })
  expect([reply.status, reply.code]).toEqual([403, 'blocked'])
  expect((await other.call('GET', '/api/connections')).status).toBe(200)
})
