import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { answerText, gatewayForTests, inlineScript, newAlert, sendRaw } from '../testing/testGateway.ts'

const { upstream, gateway } = await gatewayForTests()

const always = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')
const locked = "default-src 'none'; frame-ancestors 'none'; sandbox"

test('sets the security headers on every response, errors and files included', async () => {
  upstream.become(answerText('<script>alert(1)</script>', 'text/html'))
  const { own, cookie } = gateway
  const get = (path: string, headers: Record<string, string> = {}) =>
    sendRaw(gateway.address + path, { headers: { ...own, cookie, ...headers } })
  const answers = {
    ok: await get('/api/connections'),
    'unknown route': await get('/api/nothing'),
    'upstream failure': await get('/api/c/oss/stack/alerts'),
    'signed out': await get('/api/connections', { cookie: '' }),
    'unknown host': await get('/', { host: 'attacker.example' }),
    'odd path': await sendRaw(gateway.address, { path: '/%00', headers: own }),
    'long id': await get(`/api/c/${'a'.repeat(1500)}/stack/alerts`),
    'wrong method': await sendRaw(`${gateway.address}/api/session`, { method: 'PATCH', headers: { ...own, cookie } }),
    'bad body': await sendRaw(
      `${gateway.address}/api/c/oss/stack/alerts`,
      { method: 'POST', headers: { ...own, cookie, 'content-type': 'application/json' } },
      '{"__proto__":1}',
    ),
    'missing file': await get('/nothing.js'),
    file: await get('/assets/page-4f2a.js'),
  }
  for (const [name, { headers, status, text }] of Object.entries(answers)) {
    expect(headers, name).toMatchObject(always)
    expect(headers['content-security-policy'], name).toBe(locked)
    if (name !== 'file') expect(headers['cache-control'], name).toBe('no-store')
    if (status >= 400 && name !== 'missing file') {
      expect(headers['content-type'], name).toBe('application/json; charset=utf-8')
      expect(JSON.parse(text), name).toMatchObject({ code: expect.any(String), message: expect.any(String) })
    }
  }
  expect(Object.values(answers).map(({ status }) => status)).toEqual([
    200, 404, 502, 401, 421, 400, 422, 404, 400, 404, 200,
  ])
})

test('an internal error does not expose its message', async () => {
  upstream.become((_, response) => void response.destroy())
  const answer = await gateway.call('POST', '/api/c/oss/stack/alerts', { ...newAlert, threshold: '1' })
  expect(answer.json).toMatchObject({ code: 'invalid', fields: [{ path: 'threshold' }] })
})

test('a page has a content security policy without eval, with the hash of its inline script and a nonce for styles', async () => {
  const page = async (path: string) => sendRaw(gateway.address + path, { headers: {} })
  const answers = [
    await page('/'),
    await page('/c/oss/alerts'),
    await page('/sign-in'),
    await page('/c/oss/alerts?q=a%20b'),
  ]
  const nonces = answers.map(({ status, headers, text }) => {
    const policy = String(headers['content-security-policy'])
    const nonce = /style-src 'self' 'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? ''
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      ...always,
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
    })
    expect(text).toContain(`<script>${inlineScript}</script>`)
    expect(policy.replace(nonce, 'N').replace(sha256(inlineScript), 'H')).toMatchInlineSnapshot(
      `"default-src 'none'; script-src 'self' 'sha256-H'; style-src 'self' 'nonce-N'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"`,
    )
    expect(text).toContain(`content="${nonce}"`)
    expect(text).not.toContain('__CSP_NONCE__')
    return nonce
  })
  expect(new Set(nonces).size).toBe(answers.length)
})

test('caches hashed files forever, and revalidates others', async () => {
  const cacheOf = async (path: string) =>
    (await sendRaw(gateway.address + path, { headers: {} })).headers['cache-control']
  expect(await cacheOf('/assets/page-4f2a.js')).toBe('public, max-age=31536000, immutable')
  expect(await cacheOf('/icon.svg')).toBe('no-cache')
})

test('a new file is not found under another spelling', async () => {
  for (const path of [
    '/index.html',
    '/assets/',
    '/assets/../index.html',
    '/assets/page-4f2a.js/',
    '/assets/page-4f2a.js.br',
    '/assets/..%2findex.html',
    '/ASSETS/page-4f2a.js',
  ]) {
    const { status } = await sendRaw(gateway.address, { path, headers: {} })
    expect([400, 404], path).toContain(status)
  }
})
