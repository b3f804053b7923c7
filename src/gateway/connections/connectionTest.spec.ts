import { createServer } from 'node:tls'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { connectionTest, type ConnectionInput } from '#contract/console/connections.ts'
import {
  answerJson,
  answerText,
  gatewayForTests,
  organizationId,
  secrets,
  serviceId,
  shortDeadlines,
  startTestGateway,
} from '../testing/testGateway.ts'

const { upstream, gateway } = await gatewayForTests({
  tuning: { resolve: async (name) => (name === 'named.test' ? ['127.0.0.1'] : []) },
})
beforeEach(() => upstream.become(answerJson({ data: [] })))

const html404 = answerText('<pre>Cannot GET</pre>', 'text/html', 404)

async function run(path: string, body: unknown = {}) {
  const { json } = await gateway.call('POST', path, body)
  return connectionTest.parse(json)
}

type DraftInput = Partial<ConnectionInput> & { connectionId?: string }

const openSourceDraft = (more: DraftInput) => ({
  name: 'Draft',
  variant: 'openSource',
  baseUrl: upstream.url,
  allowPrivate: true,
  accessKey: secrets.accessKey,
  ...more,
})

const draft = (more: DraftInput) => run('/api/connection-test', openSourceDraft(more))

/** A control plane with one organization and one service, and the given responses otherwise. */
function controlPlane(rest = answerJson({ status: 200, requestId: 'r', result: [] })) {
  upstream.become((hit, response) => {
    if (hit.url === '/v1/organizations')
      return answerJson({ status: 200, requestId: 'r', result: [{ id: organizationId }] })(hit, response)
    if (hit.url === `/v1/organizations/${organizationId}/services`) {
      return answerJson({ status: 200, requestId: 'r', result: [{ id: serviceId }] })(hit, response)
    }
    return rest(hit, response)
  })
}

test('a connection is added with its key, and says which one is missing', async () => {
  const input = { name: 'Without a key', baseUrl: upstream.url, allowPrivate: true }
  const managed = { ...input, variant: 'managed', organizationId, serviceId, keyId: 'k' }
  const refused = await gateway.call('POST', '/api/connections', { ...input, variant: 'openSource' })
  expect(refused.status).toBe(422)
  expect(refused.json).toMatchObject({
    fields: [{ path: 'accessKey', message: expect.stringMatching(/team settings/) }],
  })
  const half = await gateway.call('POST', '/api/connections', managed)
  expect(half.json).toMatchObject({ fields: [{ path: 'keySecret', message: expect.stringMatching(/secret/) }] })
})

describe('test of a saved connection', () => {
  test('reports latency and offered resources, with one request for each', async () => {
    upstream.become((hit, response) =>
      (hit.url.startsWith('/api/v2/webhooks')
        ? html404
        : hit.method === 'POST'
          ? answerJson({ message: 'Body validation failed: series: Required' }, 400)
          : answerJson({ data: [] }))(hit, response),
    )
    const found = await run('/api/connections/oss/test')
    expect(found).toMatchObject({ ok: true, latency: expect.any(Number) })
    expect(Object.fromEntries(found.capabilities.map(({ resource, state }) => [resource, state]))).toEqual({
      alerts: 'offered',
      dashboards: 'offered',
      sources: 'offered',
      webhooks: 'notOffered',
      charts: 'offered',
    })
    expect(found.message).toMatch(/Not offered: webhooks\./)
    expect(upstream.hits.map(({ url }) => url).toSorted()).toEqual([
      '/api/v2/alerts?limit=1',
      '/api/v2/charts/series',
      '/api/v2/dashboards',
      '/api/v2/sources',
      '/api/v2/webhooks?limit=1',
    ])
  })

  test('stays within ten requests on the managed variant', async () => {
    controlPlane()
    const found = await run('/api/connections/managed/test')
    expect(found).toMatchObject({ ok: true })
    expect(upstream.hits.length).toBeLessThan(10)
  })

  test.each([
    ['no service of that id', { serviceId: '33333333-3333-4333-8333-333333333333' }, /no service 3333.*it has 2222/],
    [
      'another organization',
      { organizationId: '44444444-4444-4444-8444-444444444444' },
      /belongs to organization 1111.*not to 4444/,
    ],
  ])('reports %s', async (_, ids, words) => {
    controlPlane(answerJson({ status: 404, error: 'NOT_FOUND', requestId: 'r' }, 404))
    const managed = { variant: 'managed', organizationId, serviceId, keyId: 'k', keySecret: 's' } as const
    expect(await draft({ ...managed, ...ids })).toMatchObject({ ok: false, message: expect.stringMatching(words) })
  })

  test('reports wrong field names', async () => {
    controlPlane(html404)
    expect(await run('/api/connections/managed/test')).toMatchObject({
      ok: false,
      message: expect.stringContaining('API naming'),
    })
  })
})

describe('test of a draft', () => {
  test('does not save it', async () => {
    const before = (await gateway.call('GET', '/api/connections')).text
    expect(await draft({})).toMatchObject({ ok: true })
    expect(upstream.hits[0]?.headers.authorization).toBe(`Bearer ${secrets.accessKey}`)
    expect((await gateway.call('GET', '/api/connections')).text).toBe(before)
  })

  test('uses the key of the saved connection only at the same address', async () => {
    expect(await draft({ accessKey: undefined, connectionId: 'oss' })).toMatchObject({ ok: true })
    expect(upstream.hits[0]?.headers.authorization).toBe(`Bearer ${secrets.accessKey}`)
    upstream.hits.length = 0
    const elsewhere = {
      variant: 'openSource',
      name: 'x',
      baseUrl: 'http://named.test:1',
      allowPrivate: true,
      connectionId: 'oss',
    }
    expect((await gateway.call('POST', '/api/connection-test', elsewhere)).json).toMatchObject({
      code: 'invalid',
      fields: [{ path: 'accessKey' }],
    })
    expect(upstream.hits).toEqual([])
  })

  test.each([
    ['a rejected key', answerText('Unauthorized', 'text/plain', 401), {}, /rejected the key/],
    ['no key', answerText('Unauthorized', 'text/plain', 401), { accessKey: undefined }, /has no key/],
    ['a web page', answerText('<html>', 'text/html'), {}, /web page/],
    ['another server', html404, {}, /not this API/],
    [
      'a redirect',
      answerText('', 'text/plain', 301, { location: 'https://final.example/x' }),
      {},
      /https:\/\/final\.example/,
    ],
    ['an unknown name', answerJson({}), { baseUrl: 'http://unknown.test' }, /unknown\.test cannot be resolved/],
    ['a closed port', answerJson({}), { baseUrl: 'http://127.0.0.1:1' }, /127\.0\.0\.1:1 refused the connection/],
    ['a private address', answerJson({}), { allowPrivate: false }, /Allow private addresses/],
    ['a metadata address', answerJson({}), { baseUrl: 'http://169.254.169.254' }, /never connects to/],
  ] as const)('explains %s in a sentence', async (_, respond, input, words) => {
    upstream.become(respond)
    const { ok, message, capabilities } = await draft(input)
    expect({ ok, message }).toEqual({ ok: false, message: expect.stringMatching(words) })
    expect(message).not.toContain(secrets.accessKey)
    if (!message.includes('not this API') && !message.includes('redirect')) expect(capabilities).toEqual([])
  })

  test('explains no response in a sentence', async () => {
    upstream.become(() => {})
    // All others have time: on a busy machine an ordinary response takes longer than these deadlines.
    const hasty = await startTestGateway(upstream, { tuning: { deadlines: shortDeadlines } })
    onTestFinished(hasty.close)
    const { json } = await hasty.call('POST', '/api/connection-test', openSourceDraft({}))
    const { ok, message, capabilities } = connectionTest.parse(json)
    expect({ ok, message }).toEqual({ ok: false, message: expect.stringMatching(/did not respond within/) })
    expect(message).not.toContain(secrets.accessKey)
    expect(capabilities).toEqual([])
  })

  test('reports https on an http port', async () => {
    expect((await draft({ baseUrl: upstream.url.replace('http:', 'https:') })).message).toMatch(/does not use TLS/)
  })

  test('reports a server without a certificate', async () => {
    const server = createServer({})
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo // a listening TCP server has one
    const { ok, message } = await draft({ baseUrl: `https://127.0.0.1:${port}` })
    await new Promise((closed) => server.close(closed))
    expect({ ok, message }).toEqual({ ok: false, message: expect.stringMatching(/Failed to connect|certificate|TLS/) })
  })
})
