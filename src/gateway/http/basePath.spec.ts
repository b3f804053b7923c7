/** The console under a path of a host, as a proxy passes requests on that takes nothing off the path. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secrets, sendRaw, startTestGateway, startUpstream } from '../testing/testGateway.ts'

const basePath = '/console'
const upstream = await startUpstream()
const gateway = await startTestGateway(upstream, { basePath, publicUrl: 'https://tools.example' })
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const open = (path: string, headers: Record<string, string> = {}) =>
  gateway.call('GET', path, undefined, { accept: 'text/html', ...headers })

test('the printed link, an invitation and notices lead under it', async () => {
  expect(gateway.url).toBe('https://tools.example/console')
  expect(gateway.signInUrl()).toMatch(/^https:\/\/tools\.example\/console\/sign-in#token=/)
  const person = { email: 'ada@example.com', name: 'Ada', role: 'viewer', roles: {} }
  const { json, text } = await gateway.call('POST', '/console/api/people', person)
  expect(json.link, text).toMatch(/^https:\/\/tools\.example\/console\/sign-in#invitation=/)
})

test('cookies are for it only', async () => {
  expect(gateway.setCookie).toMatch(/^__Secure-\w+=[\w-]{43}; .*Path=\/console; HttpOnly; Secure; SameSite=Strict$/)
  const { headers } = await gateway.call('DELETE', '/console/api/session', undefined, { cookie: 'a=b' })
  for (const cookie of headers.getSetCookie()) expect(cookie).toContain('Path=/console')
})

test.each(['/console', '/console/', '/console/c/oss/alerts', '/console/sign-in'])('%s is a page', async (path) => {
  const { status, text } = await open(path)
  expect(status).toBe(200)
  expect(text).toContain('name="base-path" content="/console"')
  expect(text).not.toContain('__BASE_PATH__')
})

describe('a document', () => {
  let text = ''
  beforeAll(async () => {
    const navigation = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const headers = { ...navigation, cookie: gateway.cookie }
    text = (await sendRaw(gateway.address, { path: '/console/c/oss/alerts', headers })).text
  })

  test('links to pages and files under it', () => {
    const links = [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => link)
    expect(links).toEqual(
      expect.arrayContaining([
        '/console/assets/page-4f2a.js',
        '/console/icon.svg',
        '/console/c/oss/alerts',
        '#main',
        'https://elsewhere.example/',
      ]),
    )
    expect(links.filter((link) => link?.startsWith('/') && !link.startsWith('/console/'))).toEqual([])
    expect(text).toContain('url(/console/assets/font.woff2)')
  })

  test('has the first reads, by their paths in the API', () => {
    expect(text).toContain('<script type="application/json" data-read="/api/c/oss/stack/alerts" data-status="200"')
  })
})

test('files are served, compressed and for a long time', async () => {
  const headers = { 'accept-encoding': 'br' }
  const answer = await sendRaw(gateway.address, { path: '/console/assets/page-4f2a.js', headers })
  expect([answer.status, answer.text]).toEqual([200, 'compressed'])
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await gateway.call('GET', '/console/assets/no.js')).status).toBe(404)
})

test('the API answers under it, and unknown parts of it with an error', async () => {
  expect((await gateway.call('GET', '/console/api/connections')).status).toBe(200)
  const body = { password: secrets.password }
  expect((await gateway.call('POST', '/console/api/session', body, { cookie: '' })).status).toBe(200)
  expect((await gateway.call('GET', '/console/api/nothing')).code).toBe('notFound')
  expect((await gateway.call('GET', '/console/api/c/oss/al%65rts')).code).toBe('blocked')
})

test.each(['/', '/api/connections', '/assets/page-4f2a.js', '/consoles', '/sign-in', '/Console/'])(
  'nothing is at %s, and the answer says where the console is',
  async (path) => {
    const page = await open(path)
    expect([page.status, page.headers.get('set-cookie')]).toEqual([404, null])
    expect(page.text).toContain('under /console')
    if (!path.startsWith('/api/')) expect(page.text).toContain('<a href="/console/">')
    expect((await gateway.call('GET', path, undefined, { accept: '*/*' })).code).toBe('notFound')
  },
)

test('probes reach the port without it', async () => {
  for (const path of ['/healthz', '/console/healthz']) {
    expect((await sendRaw(gateway.address, { path, headers: { host: 'probe.example' } })).status).toBe(200)
  }
})

test('another host is refused before its path is looked at', async () => {
  for (const path of ['/', '/console/']) {
    expect((await sendRaw(gateway.address, { path, headers: { host: 'attacker.example' } })).status).toBe(421)
  }
})
