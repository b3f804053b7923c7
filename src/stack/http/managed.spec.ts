import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namingProfiles } from '#contract/wire/naming.ts'
import { pipeInputs } from '../testing/managedClient.ts'
import { basic, startTestStack, type TestStack } from '../testing/testStack.ts'
import { createDashboard, tileAlert } from '../testing/sampleInputs.ts'

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())

const uuid = '00000000-0000-4000-8000-000000000000'
const requestId = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

function get(path: string) {
  const { keyId, keySecret } = stack.identity
  return stack.send('GET', path, { headers: { authorization: basic(keyId, keySecret) } })
}

describe('authentication', () => {
  test.each([
    ['no header', () => undefined],
    ['a wrong secret', () => basic(stack.identity.keyId, 'wrong')],
    ['a wrong id', () => basic('wrong', stack.identity.keySecret)],
    ['id and secret changed round', () => basic(stack.identity.keySecret, stack.identity.keyId)],
    ['no colon', () => `Basic ${Buffer.from(stack.identity.keyId).toString('base64')}`],
    ['the personal access key', () => `Bearer ${stack.identity.personalAccessKey}`],
    ['the ingestion key', () => basic(stack.identity.keyId, stack.identity.ingestionKey)],
  ])('rejects %s', async (_, authorization) => {
    const value = authorization()
    const answer = await stack.send('GET', '/v1/organizations', { headers: value ? { authorization: value } : {} })
    expect(answer.status).toBe(401)
    expect(answer.json).toEqual({ status: 401, error: 'UNAUTHORIZED: Invalid credentials', requestId })
  })
})

describe('addresses', () => {
  const base = () => `/v1/organizations/${stack.identity.organizationId}`

  test('a key sees only its organization', async () => {
    const { json } = await get('/v1/organizations')
    expect(json).toEqual({
      status: 200,
      requestId,
      result: [expect.objectContaining({ id: stack.identity.organizationId })],
    })
    expect((await get(base())).json.result).toEqual(json.result[0])
  })

  test.each<[string, () => string, number, string | undefined]>([
    ['a malformed organization', () => '/v1/organizations/x', 400, 'BAD_REQUEST: Invalid organization id <string:x>'],
    ['another organization', () => `/v1/organizations/${uuid}`, 404, 'NOT_FOUND'],
    ['its services', () => `/v1/organizations/${uuid}/services`, 404, 'NOT_FOUND'],
    [
      'a malformed service',
      () => `${base()}/services/not-a-uuid`,
      400,
      'BAD_REQUEST: Invalid service id <string:not-a-uuid>',
    ],
    ['another service', () => `${base()}/services/${uuid}`, 404, `NOT_FOUND: ${uuid}`],
    ['the stack of another service', () => `${base()}/services/${uuid}/stack/alerts`, 404, `NOT_FOUND: ${uuid}`],
    [
      'the stack of another organization',
      () => `/v1/organizations/${uuid}/services/${stack.identity.serviceId}/stack/alerts`,
      404,
      'NOT_FOUND',
    ],
    [
      'a malformed alert',
      () => `${base()}/services/${stack.identity.serviceId}/stack/alerts/short`,
      400,
      'BAD_REQUEST: Invalid alert id <string:short>',
    ],
    [
      'a malformed pipe',
      () => `${base()}/services/${stack.identity.serviceId}/datapipes/short`,
      400,
      'BAD_REQUEST: Invalid data pipe id <string:short>',
    ],
  ])('%s', async (_, path, status, error) => {
    const answer = await get(path())
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({ status, error, requestId })
  })

  test.each(['/charts/series', '/webhooks', '/sample', '/nothing'])(
    '%s is not offered: returns an HTML page',
    async (path) => {
      const answer = await stack.managed('GET', path)
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
      expect(answer.text).toContain('Cannot GET /v1/')
    },
  )
})

describe('request bodies', () => {
  test('with an unknown key are rejected completely', async () => {
    const answer = await stack.managed('POST', '/dashboards', { id: 'a', name: 'D', tiles: [] })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toBe("BAD_REQUEST: request body property can't be validated: id")
  })

  test('of an alert reject read-only fields', async () => {
    const alert = tileAlert(stack, await createDashboard(stack), { state: 'OK', teamId: 'x' })
    expect((await stack.managed('POST', '/alerts', alert)).json.error).toBe(
      "BAD_REQUEST: request body property can't be validated: state, teamId",
    )
  })

  test('are rejected with field, rule and value', async () => {
    const alert = tileAlert(stack, await createDashboard(stack), { numConsecutiveWindows: 0, threshold: null })
    expect((await stack.managed('POST', '/alerts', alert)).json).toEqual({
      status: 400,
      error:
        'BAD_REQUEST: request body.threshold: Expected number, received null <null>; ' +
        'request body.numConsecutiveWindows: Number must be greater than or equal to 1 <number:0>',
      requestId,
      issues: [
        { path: ['threshold'], message: 'Expected number, received null' },
        { path: ['numConsecutiveWindows'], message: 'Number must be greater than or equal to 1' },
      ],
    })
  })

  test('that are not JSON', async () => {
    expect((await stack.managed('POST', '/alerts', '{')).json).toEqual({
      status: 400,
      error: 'BAD_REQUEST: Invalid JSON payload',
      requestId,
    })
  })
})

test('lists sources without paging', async () => {
  const { json } = await stack.managed('GET', '/sources')
  expect(json).toEqual({ status: 200, requestId, result: (await stack.openSource('GET', '/sources')).json.data })
})

test('a deployment with other field names uses only those', async () => {
  const other = await startTestStack({ names: namingProfiles.clickhouse })
  try {
    const { organizationId, serviceId, keyId, keySecret } = other.identity
    const headers = { authorization: basic(keyId, keySecret) }
    const service = `/v1/organizations/${organizationId}/services/${serviceId}`
    expect((await other.managed('GET', '/dashboards')).status).toBe(200)
    expect((await other.send('GET', `${service}/stack/dashboards`, { headers })).text).toContain('Cannot GET')
    expect((await other.send('GET', `${service}/clickpipes`, { headers })).json.result).toEqual([])
    const { result } = (await other.send('GET', service, { headers })).json
    expect(result).toHaveProperty('clickhouseVersion')
    expect(result).not.toHaveProperty('dbVersion')

    const refused = async (method: string, path: string, body: unknown) =>
      (await other.send(method, `${service}${path}`, { headers, body })).json.error
    const settings = { clickhouse_max_threads: 3 }
    expect(await refused('POST', '/clickpipes', { ...pipeInputs.kafka, settings })).toContain(
      'request body.settings.clickhouse_max_threads: Setting is not supported for Kafka pipes <number:3>',
    )
    const { id } = (await other.send('POST', `${service}/clickpipes`, { headers, body: pipeInputs.kafka })).json.result
    const puts = (body: object) => refused('PUT', `/clickpipes/${id}/settings`, body)
    expect(await puts(settings)).toContain('request body.clickhouse_max_threads: Setting is not supported')
    expect(await puts({ clickhouse_max_thread: 3 })).toContain('validated: clickhouse_max_thread')
    expect(await puts({ db_max_threads: 3 })).toContain('validated: db_max_threads')
  } finally {
    await other.close()
  }
})

describe('under the names of the product', () => {
  let product: TestStack
  const call = (method: string, path: string) => {
    const { keyId, keySecret } = product.identity
    return product.send(method, path, { headers: { authorization: basic(keyId, keySecret) } })
  }
  beforeAll(async () => {
    product = await startTestStack({ names: namingProfiles.clickhouse })
  })
  afterAll(() => product.close())

  test('a key may ask who it is', async () => {
    const { organizationId } = product.identity
    expect((await call('GET', '/v1/whoami')).json).toEqual({
      status: 200,
      requestId,
      result: {
        actorType: 'apiKey',
        keyId: expect.stringMatching(/^[\da-f-]{36}$/),
        name: expect.any(String),
        organizationId,
      },
    })
    expect((await product.send('GET', '/v1/whoami')).status).toBe(401)
  })

  test('an organization tells what private endpoints in a region connect to', async () => {
    const base = `/v1/organizations/${product.identity.organizationId}`
    const { provider, region } = (await call('GET', `${base}/services`)).json.result[0]
    const at = (query: string) => call('GET', `${base}/privateEndpointConfig?${query}`)
    const { json } = await at(`cloud_provider=${provider}&region_id=${region}`)
    expect(json.result.endpointServiceId).toContain(region)
    expect(await at('cloud_provider=gcp&region_id=nowhere')).toMatchObject({ status: 400 })
  })

  test.each([
    ['GET', '/snapshots', 'snapshots'],
    ['PATCH', '/snapshotConfiguration', 'snapshots'],
    ['GET', '/saved-queries/some', 'saved queries'],
    ['GET', '/clickstack/roles', 'roles of the observability API'],
    ['DELETE', '/clickstack/roles/some', 'roles of the observability API'],
    ['GET', '/../../notifications', 'notifications of the organization'],
    ['POST', '/../../postgres', 'Postgres services'],
  ])('%s %s is not offered, in JSON', async (method, path, what) => {
    const { organizationId, serviceId } = product.identity
    const url = new URL(`http://x/v1/organizations/${organizationId}/services/${serviceId}${path}`)
    expect((await call(method, url.pathname)).json).toEqual({
      status: 404,
      error: `NOT_FOUND: This deployment does not offer ${what}`,
      requestId,
    })
    expect((await product.send(method, url.pathname)).status).toBe(401)
  })

  test('an alert always has a display name and tags: its own, or those of what it watches', async () => {
    const dashboard = await createDashboard(product)
    const body = tileAlert(product, dashboard)
    const made = (await product.managed('POST', '/alerts', body)).json.result
    expect(made).toMatchObject({ displayName: dashboard.tiles[0]?.name, tags: [] })
    expect((await product.openSource('GET', `/alerts/${made.id}`)).json.data).not.toHaveProperty('displayName')
    // A record that was read can be sent back, and stays that of the tile.
    const { displayName, tags } = made
    await product.managed('PUT', `/alerts/${made.id}`, { ...body, displayName, tags })
    expect((await product.openSource('GET', `/alerts/${made.id}`)).json.data).not.toHaveProperty('displayName')
    const own = { displayName: 'Checkout', tags: ['p1'] }
    expect((await product.managed('PUT', `/alerts/${made.id}`, { ...body, ...own })).json.result).toMatchObject(own)
    expect((await product.managed('GET', '/alerts')).json.result[0]).toMatchObject(own)
  })
})
