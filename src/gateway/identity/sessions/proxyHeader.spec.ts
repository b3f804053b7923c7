import { afterAll, expect, test } from 'vitest'
import type { AuditPage } from '#contract/console/audit.ts'
import {
  generousBudgetsFor,
  secrets,
  seedsTo,
  sendRaw,
  startTestGateway,
  startUpstream,
  type TestGateway,
} from '../../testing/testGateway.ts'
import { invite } from '../../testing/testPeople.ts'

const upstream = await startUpstream()
const behind = (...addresses: string[]) =>
  startTestGateway(upstream, {
    seeds: seedsTo(upstream.url),
    budgets: generousBudgetsFor(upstream.url),
    proxy: { header: 'X-Forwarded-Email', addresses },
    proxyAddresses: addresses,
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
  expect((await as('/api/session', email.toUpperCase())).json).toMatchObject({
    signedIn: true,
    byProxy: true,
    person: { email },
  })
  expect((await trusting.call('GET', '/api/session')).json).not.toHaveProperty('byProxy')
  expect((await as('/api/connections', email)).json).toEqual([expect.objectContaining({ id: 'oss', role: 'viewer' })])
  expect((await as('/api/people', email)).status).toBe(403)
  // Also the document, and what it reads from its own routes.
  const headers = {
    host: new URL(trusting.address).host,
    'x-forwarded-email': email,
    'x-forwarded-for': '203.0.113.7',
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

test('an invitation ends once the proxy has signed its person in', async () => {
  const { email, invitation } = await invite(trusting)
  const as = { cookie: '', 'x-forwarded-email': email }
  expect((await trusting.call('GET', '/api/session', undefined, as)).json).toMatchObject({ signedIn: true })
  const proof = { invitation, password: 'a password of whoever found the link' }
  expect((await trusting.call('POST', '/api/session', proof, { cookie: '' })).status).toBe(401)
})

test('the header from any other address is refused, also beside a session', async () => {
  const { email } = await invite(other)
  const reply = await other.call('GET', '/api/connections', undefined, { 'x-forwarded-email': email })
  expect([reply.status, reply.code]).toEqual([403, 'blocked'])
  expect((await other.call('GET', '/api/connections')).status).toBe(200)
})

test('the address of a client is the one that the proxy saw, and what others send is ignored', async () => {
  const from = async (gateway: TestGateway, chain: string) => {
    await gateway.call('POST', '/api/session', { token: 'wrong' }, { cookie: '', 'x-forwarded-for': chain })
    const { json } = await gateway.call('GET', '/api/audit?area=session&limit=1')
    const { entries } = json as unknown as AuditPage // the route's reply
    return entries[0]?.address
  }
  expect(await from(trusting, '198.51.100.1, 203.0.113.7')).toBe('203.0.113.7')
  expect(await from(trusting, '198.51.100.1, 203.0.113.8, 10.2.3.4')).toBe('203.0.113.8')
  expect(await from(trusting, '203.0.113.9, <script>')).toBe('127.0.0.1')
  expect(await from(other, '203.0.113.7')).toBe('127.0.0.1')

  // Wrong passwords of one client behind the proxy do not lock out the others.
  const signIn = (password: string, chain: string) =>
    trusting.call('POST', '/api/session', { password }, { cookie: '', 'x-forwarded-for': chain })
  let last: unknown
  for (let attempt = 0; attempt < 10 && last !== 'rateLimited'; attempt++) {
    last = (await signIn('wrong password', `198.51.100.${attempt}, 203.0.113.66`)).code
  }
  expect(last).toBe('rateLimited')
  expect((await signIn(secrets.password, '203.0.113.67')).status).toBe(200)
})
