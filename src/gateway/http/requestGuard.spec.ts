import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { consoleHeader } from '#contract/console/connections.ts'
import { consoleEndpoints as endpoints } from '#contract/index.ts'
import { fillPath, pathTemplate, variants } from '#contract/wire/kernel.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import { urlProblem } from './requestGuard.ts'
import { answerJson, gatewayForTests, newAlert, sendBytes, sendRaw } from '../testing/testGateway.ts'

const { upstream, gateway } = await gatewayForTests({
  publicUrl: 'https://console.example',
  allowedHosts: ['lan-host:9000'],
})
beforeEach(() => void (upstream.hits.length = 0))

const alerts = '/api/c/oss/stack/alerts'

describe('Host header', () => {
  const get = (path: string, host: string, more = {}) =>
    sendRaw(gateway.address + path, { headers: { [consoleHeader]: '1', cookie: gateway.cookie, host, ...more } })
  const own = () => [`127.0.0.1:${gateway.port}`, `localhost:${gateway.port}`, `LOCALHOST:${gateway.port}`]

  test('may name this server', async () => {
    for (const host of [...own(), 'console.example', 'lan-host:9000'])
      expect((await get(alerts, host)).status).toBe(200)
  })

  test.each([
    'attacker.example',
    'attacker.example:8080',
    '127.0.0.1',
    'localhost',
    'localhost.',
    '127.0.0.1:1',
    'lan-host',
    'console.example:443',
    'console.example.',
    'x.console.example',
    '127.0.0.1:0@evil',
    '2130706433',
  ])('is rejected for "%s" on any route, with a matching origin or not', async (host) => {
    for (const path of [alerts, '/api/session', '/', '/c/oss/alerts', '/assets/page-4f2a.js', '/nothing']) {
      const forwarded = { 'x-forwarded-host': own()[0], forwarded: `host=${own()[0]}` }
      const { status } = await get(path, host, { origin: `http://${host}`, ...forwarded })
      expect(status).toBe(421)
    }
    expect(upstream.hits).toEqual([])
  })

  test('is rejected if it is repeated', async () => {
    const [host] = own()
    const answer = await sendBytes(
      gateway.port,
      `GET ${alerts} HTTP/1.1\r\nHost: ${host}\r\nHost: attacker.example\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/)
    expect(upstream.hits).toEqual([])
  })
})

describe('Origin and Fetch Metadata headers', () => {
  type Case = { title: string; headers: Record<string, string>; reads: boolean; writes: boolean }
  const type = 'content-type'
  const json = { [type]: 'application/json' }
  const marked = { [consoleHeader]: '1' }
  const self = () => ({ origin: gateway.address })
  const cases = (): Case[] => [
    {
      title: 'our page',
      headers: { ...marked, ...json, ...self(), 'sec-fetch-site': 'same-origin' },
      reads: true,
      writes: true,
    },
    { title: 'our page without fetch metadata', headers: { ...marked, ...json, ...self() }, reads: true, writes: true },
    {
      title: 'our page with a charset',
      headers: { ...marked, ...self(), [type]: 'application/json; charset=utf-8' },
      reads: true,
      writes: true,
    },
    {
      title: 'metadata but no origin',
      headers: { ...marked, ...json, 'sec-fetch-site': 'same-origin' },
      reads: true,
      writes: true,
    },
    { title: 'neither origin nor metadata', headers: { ...marked, ...json }, reads: true, writes: false },
    {
      title: 'no header of ours',
      headers: { ...json, ...self(), 'sec-fetch-site': 'same-origin' },
      reads: false,
      writes: false,
    },
    {
      title: 'another site',
      headers: { ...marked, ...json, ...self(), 'sec-fetch-site': 'cross-site' },
      reads: false,
      writes: false,
    },
    {
      title: 'the same site',
      headers: { ...marked, ...json, ...self(), 'sec-fetch-site': 'same-site' },
      reads: false,
      writes: false,
    },
    {
      title: 'an address bar',
      headers: { ...marked, ...json, ...self(), 'sec-fetch-site': 'none' },
      reads: false,
      writes: false,
    },
    {
      title: 'another origin',
      headers: { ...marked, ...json, origin: 'https://attacker.example' },
      reads: false,
      writes: false,
    },
    {
      title: 'another port',
      headers: { ...marked, ...json, origin: 'http://127.0.0.1:1' },
      reads: false,
      writes: false,
    },
    {
      title: 'the public origin at another host',
      headers: { ...marked, ...json, origin: 'https://console.example' },
      reads: false,
      writes: false,
    },
    { title: 'no origin at all', headers: { ...marked, ...json, origin: 'null' }, reads: false, writes: false },
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json, text/html',
      'application/jsonp',
      '',
    ].map((contentType) => ({
      title: `a body of "${contentType}"`,
      headers: { ...marked, ...self(), [type]: contentType },
      reads: true,
      writes: false,
    })),
  ]

  test('are checked for every method', async () => {
    const body = JSON.stringify(newAlert)
    const item = `${alerts}/65f5e4a3b9e77c001a000001`
    const methods = [
      ['GET', alerts, ''],
      ['POST', alerts, body],
      ['PUT', item, body],
      ['DELETE', item, ''],
    ] as const
    for (const { title, headers, reads, writes } of cases()) {
      for (const [method, path, sent] of methods) {
        upstream.hits.length = 0
        const { status } = await sendRaw(
          gateway.address + path,
          {
            method,
            headers: {
              cookie: gateway.cookie,
              ...headers,
              ...(sent ? { 'content-length': Buffer.byteLength(sent) } : {}),
            },
          },
          sent,
        )
        const allowed = method === 'GET' ? reads : writes
        expect(upstream.hits.length > 0, `${method} from ${title}: ${status}`).toBe(allowed)
        if (!allowed) expect([403, 415]).toContain(status)
      }
    }
  })

  test('allow an https origin if the gateway is served over https', async () => {
    const headers = { ...marked, ...json, cookie: gateway.cookie, host: 'console.example' }
    const post = (origin: string) =>
      sendRaw(gateway.address + alerts, { method: 'POST', headers: { ...headers, origin } }, JSON.stringify(newAlert))
    upstream.become(answerJson({ data: { id: 'a' } }))
    expect((await post('https://console.example')).status).toBe(200)
    expect((await post('http://console.example')).status).toBe(403)
  })

  test('nothing is answered without a session, whatever the headers', async () => {
    for (const cookie of ['', 'stack_console_0=x', `${gateway.cookie}x`, gateway.cookie.toUpperCase()]) {
      const headers = { ...marked, ...self(), cookie }
      expect((await sendRaw(gateway.address + alerts, { headers })).status).toBe(401)
      expect((await sendRaw(`${gateway.address}/api/connections`, { headers })).status).toBe(401)
    }
    expect(upstream.hits).toEqual([])
  })
})

describe('request paths', () => {
  test.each([
    '/api//c/oss/stack/alerts',
    '//api/c/oss/stack/alerts',
    '/api/c/oss/stack/./alerts',
    '/api/c/oss/stack/../alerts',
    '/api/c/oss/stack/alerts/..',
    '/api/c/oss/stack/%61lerts',
    '/api/c/oss/stack/alerts%2f..',
    '/api/c/oss%2fstack/alerts',
    '/api/c/oss/stack/alerts/%2e%2e',
    '/api/c/oss/stack/alerts/a%5cb',
    '/api/c/oss/stack/alerts\\x',
    '/api/c/oss/stack/alerts;x',
    '/api/c/oss/stack/alerts/a%00',
    '/api/c/oss/stack/älerts',
    `/api/c/oss/stack/alerts/${'a'.repeat(2100)}`,
    '/%',
    'http://attacker.example/api/c/oss/stack/alerts',
    '*',
    '/api/c/oss/stack/alerts?x=%zz',
    '/api/c/oss/stack/alerts?x=<',
  ])('%s is rejected', async (path) => {
    const answer = await sendBytes(
      gateway.port,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\n${consoleHeader}: 1\r\nCookie: ${gateway.cookie}\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/)
    expect(upstream.hits).toEqual([])
  })

  const templates = variants.flatMap((variant) =>
    Object.values(namingProfiles).flatMap((names) =>
      endpoints.flatMap((endpoint) => pathTemplate(endpoint, variant, names) ?? []),
    ),
  )
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({
      unit: fc.constantFrom(
        '.',
        '/',
        '\\',
        '%',
        '2',
        'e',
        'f',
        ';',
        '?',
        '#',
        '@',
        ':',
        'a',
        '-',
        '_',
        '\0',
        '\r',
        '\n',
      ),
    }),
    fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/),
  )

  test('an ID stays within its path segment or is rejected', () => {
    let filled = 0
    fc.assert(
      fc.property(fc.constantFrom(...templates), nasty, nasty, nasty, (template, a, b, c) => {
        const ids = { organizationId: a, serviceId: b, alertId: c, dashboardId: c, dataPipeId: c }
        let path: string
        try {
          path = fillPath(template, ids)
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          return
        }
        filled++
        const url = new URL(`https://host.example/prefix${path}`)
        expect(url.pathname).toBe(`/prefix${path}`)
        expect(url.search + url.hash).toBe('')
        expect(path.split('/')).toHaveLength(template.split('/').length)
        expect(urlProblem(path)).toBeNull()
      }),
      { numRuns: 12_000 },
    )
    expect(filled).toBeGreaterThan(1_000)
  })

  test('every accepted raw path has one interpretation', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const path = `/${text}`
        if (urlProblem(path) !== null) return
        const url = new URL(`http://host.example${path}`)
        expect(url.pathname + url.search).toBe(path.replace(/^([^?]*)\?$/, '$1'))
        expect(decodeURIComponent(url.pathname)).toBe(url.pathname)
      }),
      { numRuns: 10_000 },
    )
  })

  test('an unusual ID in a route reaches no deployment, or only its own segment', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, async (id) => {
        upstream.hits.length = 0
        const path = `/api/c/oss/stack/alerts/${encodeURI(id.replace(/[\uD800-\uDFFF]/g, ''))}`
        await sendRaw(`http://127.0.0.1:${gateway.port}`, {
          path: path.replace(/[^\x21-\x7e]/g, ''),
          headers: { [consoleHeader]: '1', cookie: gateway.cookie },
        }).catch(() => {})
        for (const { url } of upstream.hits)
          expect(url).toMatch(/^\/api\/v2\/alerts(\/[A-Za-z0-9_-]{1,128}|\?limit=1000&offset=0)$/)
      }),
      { numRuns: 300 },
    )
  })
})

describe('request smuggling', () => {
  const head = () =>
    `POST ${alerts} HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nOrigin: ${gateway.address}\r\n${consoleHeader}: 1\r\nCookie: ${gateway.cookie}\r\nContent-Type: application/json\r\n`

  test.each([
    ['both lengths', 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x'],
    ['an odd encoding', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a folded header', 'X-A: b\r\n c\r\nContent-Length: 2\r\n\r\n{}'],
    ['a bare line feed', 'X-A: b\nContent-Length: 2\r\n\r\n{}'],
    ['a space before the colon', 'Content-Length : 2\r\n\r\n{}'],
  ])('%s is rejected', async (_, rest) => {
    const answer = await sendBytes(gateway.port, head() + rest)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/)
    expect(upstream.hits).toEqual([])
  })
})
