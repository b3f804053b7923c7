import { beforeEach, describe, expect, test } from 'vitest'
import { consoleEndpoints as endpoints } from '#contract/index.ts'
import { fillPath, gatewayPath, pathTemplate, type Endpoint } from '#contract/wire/kernel.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import { mask } from '#node/upstream/masks.ts'
import {
  answerJson,
  answerText,
  gatewayForTests,
  newAlert,
  organizationId,
  secrets,
  serviceId,
} from '../testing/testGateway.ts'

const { upstream, gateway } = await gatewayForTests()
beforeEach(() => upstream.become(answerJson({ data: [] })))

const item = '65f5e4a3b9e77c001a000001'

/** Values for every parameter that a path may have. */
function idsFor(path: string): Record<string, string> {
  return Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, item]))
}

const urlOf = (connectionId: string, endpoint: Endpoint) =>
  fillPath(gatewayPath(endpoint), { ...idsFor(endpoint.path), connectionId })

/** Bodies that the contract accepts. Endpoints with a body that is missing here must reject an empty one. */
const query = { startTime: 1.7e12, endTime: 1.7e12 + 3_600_000, series: [{ sourceId: 's', aggFn: 'count' }] }
const bodies: Record<string, unknown> = {
  'alerts.create': newAlert,
  'alerts.update': newAlert,
  'alerts.silence': { mutedUntil: '2999-01-01T00:00:00Z' },
  'alerts.pause': { reason: 'Migration' },
  'alerts.acknowledge': { note: 'On it' },
  'alerts.test': {},
  'dashboards.create': { name: 'n', tiles: [] },
  'dashboards.update': { name: 'n', tiles: [] },
  'dashboards.validate': { name: 'n', tiles: [] },
  'apiKeys.update': { state: 'disabled' },
  'charts.query': query,
  'serviceBackups.configure': { backupRetentionPeriodInHours: 48 },
  'services.password': { newPasswordHash: `${'A'.repeat(43)}=` },
  'members.update': { role: 'developer' },
  'organizations.update': { name: 'New name' },
  'roles.update': { name: 'New name' },
  'services.update': { name: 'New name' },
  'services.state': { command: 'stop' },
  'pipes.update': { name: 'New name' },
  'webhooks.test': {},
  'pipes.discover': { source: {} },
  'pipes.scaling': { replicas: 2 },
  'pipes.state': { command: 'stop' },
  'pipes.previewOffsets': { strategy: 'from_latest' },
  'pipes.resetOffsets': { strategy: 'from_latest' },
}

/** Queries of endpoints that need one. */
const queries: Record<string, string> = {
  'charts.progress': '?ids=a,b',
  'usageCost.get': '?from_date=2026-01-01&to_date=2026-01-31',
}

describe('the route table', () => {
  test.each(endpoints.map((endpoint) => [`${endpoint.resource}.${endpoint.verb}`, endpoint] as const))(
    '%s is sent to its own address on both variants, or to none',
    async (_, endpoint) => {
      for (const [connectionId, variant, names] of [
        ['oss', 'openSource', namingProfiles.neutral],
        ['managed', 'managed', namingProfiles.neutral],
        ['wired', 'managed', namingProfiles.clickhouse],
      ] as const) {
        upstream.hits.length = 0
        const template = pathTemplate(endpoint, variant, names)
        const answer = await gateway.call(
          endpoint.method,
          urlOf(connectionId, endpoint) + (queries[`${endpoint.resource}.${endpoint.verb}`] ?? ''),
          bodies[`${endpoint.resource}.${endpoint.verb}`],
        )
        const own = endpoint.scope === 'stack' ? { organizationId, serviceId } : { organizationId }
        if (template === null) {
          expect(upstream.hits).toEqual([])
          expect(answer.code).toBe('notOffered')
        } else if (!endpoint.body.safeParse(bodies[`${endpoint.resource}.${endpoint.verb}`] ?? {}).success) {
          expect(answer.code).toBe('invalid')
          expect(upstream.hits).toEqual([])
        } else {
          const [first] = upstream.hits
          expect(first?.method).toBe(endpoint.method)
          expect(first?.url.split('?')[0]).toBe(fillPath(template, { ...idsFor(endpoint.path), ...own }))
        }
      }
    },
  )

  test.each([
    ['oss', '/api/v2/dashboards'],
    ['managed', `/v1/organizations/${organizationId}/services/${serviceId}/stack/dashboards`],
  ])('summaries of %s are made of the whole records, which are asked for once', async (connectionId, path) => {
    const tiles = [{ id: 't', name: 'T', x: 0, y: 0, w: 12, h: 4, config: { displayType: 'table', select: [] } }]
    const records = [{ id: item, name: 'Shop', tags: ['web'], tiles, filters: [], future: { kept: true } }]
    upstream.become(answerJson({ data: records }))
    upstream.hits.length = 0
    const [short, whole] = await Promise.all([
      gateway.call('GET', `/api/c/${connectionId}/summaries/dashboards`),
      gateway.call('GET', `/api/c/${connectionId}/stack/dashboards`),
    ])
    expect(short.json).toMatchObject({
      result: [{ id: item, name: 'Shop', tags: ['web'], tileCount: 1, outline: '0 0 12 4', unevaluatedTiles: ['t'] }],
    })
    expect(short.text).not.toContain('future')
    expect(whole.json).toMatchObject({ result: records })
    expect(upstream.hits.map(({ url }) => url)).toEqual([path])
    upstream.become(answerJson({ data: [{ ...records[0], name: 'Renamed' }] }))
    const later = await gateway.call('GET', `/api/c/${connectionId}/summaries/dashboards`)
    expect(later.json).toMatchObject({ result: [{ id: item, name: 'Renamed', tileCount: 1 }] })
  })

  test('forwards the name of a read, and tells sessions apart without saying whose they are', async () => {
    await gateway.call('GET', '/api/c/oss/stack/sources', undefined, { 'x-query-id': 'read-1', 'x-asker': 'forged' })
    const { 'x-query-id': queryId, 'x-asker': asker } = upstream.hits[0]?.headers ?? {}
    expect(queryId).toBe('read-1')
    expect(asker).toMatch(/^[0-9a-f]{16}$/)
  })

  test('does not forward headers of the browser', async () => {
    await gateway.call('GET', '/api/c/oss/stack/sources', undefined, {
      'x-evil': '1',
      'x-forwarded-for': '1.2.3.4',
      authorization: 'Bearer stolen',
      'accept-language': 'de',
      referer: 'http://a',
    })
    const { host: _, connection: __, ...headers } = upstream.hits[0]?.headers ?? {}
    expect(headers).toEqual({
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'stack-console',
      authorization: `Bearer ${secrets.accessKey}`,
    })
  })

  test('sends the managed key as Basic', async () => {
    await gateway.call('GET', '/api/c/managed/stack/sources')
    const expected = `Basic ${Buffer.from(`key-id:${secrets.keySecret}`).toString('base64')}`
    expect(upstream.hits[0]?.headers.authorization).toBe(expected)
  })

  test.each([
    ['GET', '/api/c/oss/stack/users'],
    ['POST', '/api/c/oss/stack/sources'],
    ['PATCH', `/api/c/oss/stack/alerts/${item}`],
    ['GET', '/api/c/oss/summaries/alerts'],
    ['GET', '/api/c/oss/summaries/dashboards?limit=1'],
    ['GET', '/api/c/oss/stack/alerts/a.b'],
    ['GET', `/api/c/oss/stack/alerts/${'a'.repeat(129)}`],
    ['GET', '/api/c/unknown/stack/alerts'],
    ['GET', '/api/c/oss/stack/sources?filter=x'],
    ['GET', '/api/c/oss/stack/alerts?limit=1&limit=2'],
    ['GET', '/api/c/oss/stack/alerts?limit=0'],
    ['GET', '/api/c/oss/stack/alerts?__proto__=1'],
  ])('%s %s is rejected without a request', async (method, path) => {
    expect((await gateway.call(method, path)).status).toBeGreaterThanOrEqual(400)
    expect(upstream.hits).toEqual([])
  })
})

test('the secret of a new API key reaches the page, and no other', async () => {
  const created = { key: { id: 'k', name: 'CI', keySecret: 'inner' }, keyId: 'new-id', keySecret: 'new-secret' }
  upstream.become(answerJson({ status: 200, requestId: 'r', result: created }))
  const made = await gateway.call('POST', '/api/c/managed/organization/keys', { name: 'CI' })
  expect(made.json['result']).toEqual({ ...created, key: { ...created.key, keySecret: mask } })
  upstream.become(answerJson({ status: 200, requestId: 'r', result: { ...created.key, keySecret: 'stored' } }))
  const read = await gateway.call('GET', `/api/c/managed/organization/keys/${item}`)
  expect(read.json['result']).toMatchObject({ name: 'CI', keySecret: mask })
})

describe('dashboard validation', () => {
  const verdict = { valid: false, errors: [{ path: 'tiles.0', message: 'too wide' }], normalized: null }
  const check = (connectionId: string) =>
    gateway.call('POST', `/api/c/${connectionId}/stack/dashboards/validate`, { name: 'n', tiles: [] })

  test.each([
    ['oss', 'bare', verdict],
    ['oss', 'in an envelope', { data: verdict }],
    ['managed', 'in its envelope', { status: 200, requestId: 'r', result: verdict }],
  ])('of %s is read %s', async (connectionId, _, body) => {
    upstream.become(answerJson(body))
    expect((await check(connectionId)).json['result']).toEqual(verdict)
  })

  test('is reported as malformed if it is anything else', async () => {
    upstream.become(answerJson({ ok: true }))
    expect(await check('oss')).toMatchObject({ code: 'malformedReply' })
  })
})

describe('read-only connection', () => {
  test.each(
    endpoints
      .filter(({ mutates }) => mutates)
      .map((endpoint) => [`${endpoint.method} ${endpoint.resource} ${endpoint.path}`, endpoint] as const),
  )('rejects %s without a request', async (_, endpoint) => {
    const withBody = endpoint.method === 'DELETE' ? undefined : {}
    const answer = await gateway.call(endpoint.method, urlOf('locked', endpoint), withBody)
    expect(answer).toMatchObject({ status: 403, code: 'readOnly' })
    expect(upstream.hits).toEqual([])
  })

  test('allows reads, including a POST that only reads', async () => {
    expect((await gateway.call('GET', '/api/c/locked/stack/alerts')).status).toBe(200)
    expect((await gateway.call('POST', '/api/c/locked/stack/charts/series', query)).status).toBe(200)
    expect(upstream.hits.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })
})

describe('responses', () => {
  test('keep numbers, unknown fields and unknown values', async () => {
    const row = '{"id":"a","big":12345678901234567890,"one":1.0,"odd":{"x":[1e400,null]},"state":"NEW_STATE"}'
    upstream.become(answerText(`{"data":[${row},{"nonsense":true}],"meta":{"total":2}}`, 'application/json'))
    const { text } = await gateway.call('GET', '/api/c/oss/stack/alerts')
    expect(text).toContain(`{"result":[${row},{"nonsense":true}],"total":2,`)
  })

  test.each([
    ['oss', { data: [{ id: 'a' }] }],
    ['oss', { status: 200, requestId: 'r', result: [{ id: 'a' }] }],
    ['managed', { status: 200, requestId: 'r', result: [{ id: 'a' }] }],
    ['managed', { data: [{ id: 'a' }] }],
    ['oss', [{ id: 'a' }]],
  ])('%s: unwraps either envelope', async (connectionId, body) => {
    upstream.become(answerJson(body))
    expect((await gateway.call('GET', `/api/c/${connectionId}/stack/sources`)).json.result).toEqual([{ id: 'a' }])
  })

  test('use neutral names whatever the deployment’s names are', async () => {
    upstream.become(answerJson({ status: 200, requestId: 'r', result: [{ id: 'a', clickhouseVersion: '25.1' }] }))
    const { json } = await gateway.call('GET', '/api/c/wired/organization/services')
    expect(upstream.hits[0]?.url).toBe(`/v1/organizations/${organizationId}/services`)
    expect(json).toMatchObject({ result: [{ id: 'a', dbVersion: '25.1' }], requestId: 'r' })
  })

  test('mask secrets of cloud records', async () => {
    const source = {
      objectStorage: { connectionString: 'AccountKey=abc', url: 'https://user:pw@host/x' },
      kafka: { brokers: 'b:9092', caCertificate: '-----BEGIN CERTIFICATE-----', credentials: { password: 'pw' } },
    }
    upstream.become(answerJson({ status: 200, requestId: 'r', result: { id: 'p', name: 'n', source } }))
    const { text } = await gateway.call('GET', `/api/c/managed/organization/services/${serviceId}/datapipes/${item}`)
    expect(JSON.parse(text).result.source).toEqual({
      objectStorage: { connectionString: mask, url: `https://${mask}@host/x` },
      kafka: { brokers: 'b:9092', caCertificate: mask, credentials: { password: mask } },
    })
  })

  test('show the host of a webhook URL and mask its token', async () => {
    const url = 'https://hooks.example.com/services/T0001/B0002/abcdefghijklmnopqrstuvwx?key=secret'
    const result = [{ id: 'w', url, headers: { 'x-key': 'abc' }, queryParams: { a: 'b' } }]
    upstream.become(answerJson({ data: result }))
    const { json } = await gateway.call('GET', '/api/c/oss/stack/webhooks')
    expect(json.result).toEqual([
      {
        id: 'w',
        url: `https://hooks.example.com/services/${mask}/${mask}/${mask}?key=${mask}`,
        headers: { 'x-key': mask },
        queryParams: { a: mask },
      },
    ])
  })

  test.each([
    ['https://hooks.example/s3cr3t', `https://hooks.example/${mask}`],
    ['https://hooks.example/api/v2/hooks/abc', `https://hooks.example/api/v2/hooks/${mask}`],
    ['https://hooks.example/abc?justatoken', `https://hooks.example/${mask}?${mask}`],
    ['https://hooks.example/services?a=1&b', `https://hooks.example/services?a=${mask}&${mask}`],
    ['https://hooks.example/a%20b/c;d/#token', `https://hooks.example/${mask}/${mask}/#${mask}`],
    ['https://hooks.example:8443', 'https://hooks.example:8443'],
    ['not an address', mask],
  ])('of the webhook %s show only what reveals no secret', async (url, shown) => {
    upstream.become(answerJson({ data: [{ id: 'w', url }] }))
    const { json } = await gateway.call('GET', '/api/c/oss/stack/webhooks')
    expect(json.result).toEqual([{ id: 'w', url: shown }])
  })

  test('do not mask the text of alerts', async () => {
    const row = { id: 'a', message: 'password: https://user:pw@host', token: 'mine' }
    upstream.become(answerJson({ data: row }))
    expect((await gateway.call('GET', `/api/c/oss/stack/alerts/${item}`)).json.result).toEqual(row)
  })
})

describe('request bodies', () => {
  test('are forwarded with their unknown fields and numbers', async () => {
    upstream.become(answerJson({ data: { id: item } }))
    const body = `{"name":"n","tiles":[{"x":0,"y":0,"w":1.0,"h":12345678901234567890,"later":{"a":1.50}}],"future":"field"}`
    const answer = await gateway.call('PUT', `/api/c/oss/stack/dashboards/${item}`, body)
    expect(answer.status).toBe(200)
    expect(upstream.hits[0]?.body).toBe(body)
    expect(upstream.hits[0]?.headers['content-type']).toBe('application/json')
  })

  test.each([
    [{ ...newAlert, thresholdType: 'between' }, 'thresholdMax'],
    [{ ...newAlert, threshold: 'many' }, 'threshold'],
    [{ ...newAlert, channel: undefined }, 'channels'],
  ])('are rejected with the invalid field, %#', async (body, path) => {
    const answer = await gateway.call('POST', '/api/c/oss/stack/alerts', body)
    expect(answer).toMatchObject({ status: 422, code: 'invalid', json: { fields: [{ path }] } })
    expect(upstream.hits).toEqual([])
  })

  test.each([
    ['not JSON', '{"a":', 400],
    ['a prototype key', '{"a":{"__proto__":{"b":1}}}', 400],
    ['too deep', '['.repeat(5_000), 400],
    ['too large', JSON.stringify({ ...newAlert, filler: 'x'.repeat(1024 * 1024) }), 413],
  ])('that are %s are rejected without a request', async (_, body, status) => {
    expect((await gateway.call('POST', '/api/c/oss/stack/alerts', body)).status).toBe(status)
    expect(upstream.hits).toEqual([])
  })

  test('that are optional are not sent if there is none', async () => {
    upstream.become(answerJson({ data: {} }))
    const path = `/api/c/oss/stack/alerts/${item}/deliveries/${item}/resend`
    expect((await gateway.call('POST', path)).status).toBe(200)
    expect(upstream.hits.at(-1)).toMatchObject({ method: 'POST', body: '' })
  })

  test('are rejected for operations without a body', async () => {
    expect((await gateway.call('DELETE', `/api/c/oss/stack/alerts/${item}`, { a: 1 })).status).toBe(400)
    expect(upstream.hits).toEqual([])
  })

  test('are rejected if they contain a mask', async () => {
    const services = endpoints.find(({ resource, verb }) => resource === 'services' && verb === 'update')
    if (!services) return
    const path = urlOf('managed', services)
    const answer = await gateway.call(services.method, path, { transparentDataEncryptionKeyId: mask })
    expect(answer.json).toMatchObject({ code: 'invalid', fields: [{ path: 'transparentDataEncryptionKeyId' }] })
    expect(upstream.hits).toEqual([])
  })
})

describe('paged lists', () => {
  const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => ({ id: `a${from + at}` }))

  /** A deployment with this many alerts that answers pages of at most `cap`. */
  function pages(count: number, { cap = 1000, meta = true, ignoresOffset = false } = {}) {
    upstream.become(({ url }, response) => {
      const query = new URL(url, 'http://x').searchParams
      const offset = ignoresOffset ? 0 : Number(query.get('offset'))
      const limit = Math.min(Number(query.get('limit')), cap)
      const data = rows(offset, Math.max(offset, Math.min(count, offset + limit)))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data, ...(meta ? { meta: { total: count, limit, offset } } : {}) }))
    })
  }

  async function list() {
    const { json } = await gateway.call('GET', '/api/c/oss/stack/alerts?limit=5&offset=2')
    return { rows: (json.result as unknown[]).length, total: json.total, requests: upstream.hits.length }
  }

  test.each([
    [0, {}, { rows: 0, total: 0, requests: 1 }],
    [1000, {}, { rows: 1000, total: 1000, requests: 1 }],
    [1001, {}, { rows: 1001, total: 1001, requests: 2 }],
    [2500, {}, { rows: 2500, total: 2500, requests: 3 }],
    [450, { cap: 200 }, { rows: 450, total: 450, requests: 3 }],
    [2500, { meta: false }, { rows: 2500, total: undefined, requests: 3 }],
    [999, { meta: false }, { rows: 999, total: undefined, requests: 1 }],
    [5000, { meta: false, ignoresOffset: true }, { rows: 1000, total: undefined, requests: 2 }],
    [30_000, {}, { rows: 20_000, total: 30_000, requests: 20 }],
  ])('return %i rows for %o', async (count, shape, expected) => {
    pages(count, shape)
    expect(await list()).toEqual(expected)
  })

  test('are requested without parameters if the deployment rejects them', async () => {
    upstream.become(({ url }, response) => {
      const refused = url.includes('?')
      response.writeHead(refused ? 400 : 200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(refused ? { status: 400, error: 'BAD_REQUEST: request query' } : { result: rows(0, 3) }),
      )
    })
    expect(await list()).toEqual({ rows: 3, total: undefined, requests: 2 })
  })

  test('do not end early because of hidden rows', async () => {
    upstream.become(({ url }, response) => {
      const offset = Number(new URL(url, 'http://x').searchParams.get('offset'))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data: rows(offset, offset + 990), meta: { total: 2000, limit: 1000, offset } }))
    })
    expect(await list()).toEqual({ rows: 1980, total: 2000, requests: 2 })
  })
})
