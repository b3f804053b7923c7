import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestStack, type TestStack } from '../testing/testStack.ts'
import { createDashboard, tileAlert } from '../testing/sampleInputs.ts'
import { webhookRows } from '../documents/webhookRows.ts'

let stack: TestStack
const oid = 'a'.repeat(24)
let names = 0

beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())

const input = (changes: object = {}) => ({
  name: `Hook ${names++}`,
  service: 'generic',
  url: 'https://hooks.example/alerts',
  ...changes,
})
const create = (changes: object = {}) => stack.openSource('POST', '/webhooks', input(changes))
const put = (id: string, body: object) => stack.openSource('PUT', `/webhooks/${id}`, body)

/** A signal between two parts of a test. */
function signal() {
  let give = () => {}
  const given = new Promise<void>((done) => (give = done))
  return { given, give: () => give() }
}

const storedAs = (id: string) => webhookRows.get(stack.store, id)

describe('new webhook', () => {
  test('reads back without write-only fields', async () => {
    const { status, json } = await create({
      name: '  Team  ',
      description: 'd',
      body: '{}',
      headers: { 'X-Key': 'secret-of-a-header' },
      queryParams: { token: 'secret-of-a-parameter' },
      unknown: 1,
      id: oid,
    })
    expect(status).toBe(200)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'Team',
        service: 'generic',
        url: 'https://hooks.example/alerts',
        description: 'd',
        body: '{}',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: json.data.createdAt,
      },
    })
    const list = await stack.openSource('GET', '/webhooks')
    expect(list.json.data).toContainEqual(json.data)
    expect(list.text).not.toContain('secret-of')
    expect(await storedAs(json.data.id)).toMatchObject({
      headers: { 'X-Key': 'secret-of-a-header' },
      queryParams: { token: 'secret-of-a-parameter' },
    })
  })

  test('of incident.io does not return its body', async () => {
    const { json } = await create({ service: 'incidentio', body: '{"a":1}' })
    expect(json.data).not.toHaveProperty('body')
    expect(await storedAs(json.data.id)).toMatchObject({ body: '{"a":1}' })
  })
})

describe('violations of the schema', () => {
  const slack = { service: 'slack', url: 'https://hooks.slack.com/services/x' }
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`H${at}`, 'v']))
  test.each<[object, string | RegExp]>([
    [{ name: '  ' }, 'name: String must contain at least 1 character(s)'],
    [{ name: 'x'.repeat(1025) }, 'name: String must contain at most 1024 character(s)'],
    [{ service: undefined }, 'service: Required'],
    [
      { service: 'email' },
      "service: Invalid enum value. Expected 'slack' | 'generic' | 'incidentio', received 'email'",
    ],
    [{ url: 'no address' }, 'url: Invalid url'],
    [{ url: undefined }, 'url: Required'],
    [{ url: `https://hooks.example/${'x'.repeat(2048)}` }, 'url: String must contain at most 2048 character(s)'],
    [{ description: 'x'.repeat(2049) }, 'description: String must contain at most 2048 character(s)'],
    [{ body: 'x'.repeat(16_385) }, 'body: String must contain at most 16384 character(s)'],
    [{ headers: { '1st': 'a' } }, /^headers\.1st: /],
    [{ headers: { 'a b': 'a' } }, /^headers\.a b: /],
    [{ headers: { '': 'a' } }, /^headers/],
    [{ headers: { a: 'line\nbreak' } }, 'headers.a: Invalid'],
    [{ headers: { a: 'x'.repeat(4097) } }, 'headers.a: String must contain at most 4096 character(s)'],
    [{ headers: many }, /^headers: /],
    [{ headers: [] }, 'headers: Expected record, received array'],
    [{ queryParams: { a: 'nul\0' } }, 'queryParams.a: Invalid'],
    [{ queryParams: many }, /^queryParams: /],
    [{ ...slack, headers: { a: 'b' } }, 'headers: headers is not supported for the slack webhook service'],
    [{ ...slack, body: '' }, 'body: body is not supported for the slack webhook service'],
    [{ ...slack, queryParams: {} }, 'queryParams: queryParams is not supported for the slack webhook service'],
  ])('%#', async (changes, message) => {
    const answer = await create(changes)
    expect(answer.status).toBe(400)
    const said = answer.json.message.replace('Body validation failed: ', '')
    if (typeof message === 'string') expect(said).toBe(message)
    else expect(said).toMatch(message)
  })
})

test.each([
  ['http://127.0.0.1:9/', 'Webhook URL resolves to a private or reserved address.'],
  ['file:///etc/passwd', 'Webhook URL must use http or https.'],
])('rejects an address that the policy forbids: %s', async (url, message) => {
  const answer = await create({ url })
  expect([answer.status, answer.json]).toEqual([400, { message }])
  const { data } = (await create()).json
  expect((await put(data.id, input({ url }))).json).toEqual({ message })
})

test('service and name are unique together', async () => {
  const name = 'Twice'
  const first = (await create({ name })).json.data
  const taken = { message: 'A webhook with this service and name already exists' }
  const again = await create({ name: ' Twice ' })
  expect([again.status, again.json]).toEqual([400, taken])
  const other = (await create({ name, service: 'incidentio' })).json.data
  expect((await put(other.id, input({ name }))).json).toEqual(taken)
  expect((await put(first.id, input({ name, description: 'same name as before' }))).status).toBe(200)
})

describe('replaced webhook', () => {
  const secrets = { headers: { 'X-Key': 'h' }, queryParams: { token: 'q' } }
  const edited = async (changes: object) => {
    const { data } = (await create({ description: 'd', body: '{}', ...secrets })).json
    const { id: _, createdAt: __, updatedAt: ___, description: ____, body: _____, ...same } = data
    const answer = await put(data.id, { ...same, ...changes })
    expect(answer.status).toBe(200)
    return { before: data, answer: answer.json.data, stored: await storedAs(data.id) }
  }

  test('keeps omitted headers and query parameters, and clears description and body', async () => {
    const { before, answer, stored } = await edited({ name: `Renamed ${names++}` })
    expect(stored).toMatchObject(secrets)
    expect(answer).not.toHaveProperty('description')
    expect(stored).not.toHaveProperty('body')
    expect(answer).toMatchObject({ id: before.id, createdAt: before.createdAt })
    expect(answer.updatedAt > before.updatedAt).toBe(true)
  })

  test.each([
    [{ headers: {} }, { headers: {}, queryParams: secrets.queryParams }],
    [{ queryParams: { other: '1' } }, { headers: secrets.headers, queryParams: { other: '1' } }],
    [{ url: 'https://hooks.example/elsewhere', headers: { 'X-New': 'n' } }, { headers: { 'X-New': 'n' } }],
  ])('accepts %j', async (changes, expected) => {
    const { stored } = await edited(changes)
    expect({ headers: undefined, queryParams: undefined, ...stored }).toMatchObject({
      queryParams: undefined,
      ...expected,
    })
  })

  test.each([{ url: 'https://hooks.example/elsewhere' }, { service: 'incidentio' }])(
    'clears them with its address or service: %j',
    async (changes) => {
      const { stored } = await edited(changes)
      expect(stored).not.toHaveProperty('headers')
      expect(stored).not.toHaveProperty('queryParams')
    },
  )

  test('keeps an unchanged address that the policy would reject, such as the sample’s', async () => {
    const answer = await put(stack.webhookId, input({ url: 'http://127.0.0.1:9/alerts' }))
    expect(answer.status).toBe(200)
  })

  test('is rejected if it changed during the DNS lookup', async () => {
    const requested = signal()
    const resolved = signal()
    const slow = await startTestStack({
      webhookAddresses: async (url) => {
        if (!url.includes('slow')) return null
        requested.give()
        await resolved.given
        return null
      },
    })
    try {
      const { data } = (await slow.openSource('POST', '/webhooks', input())).json
      const late = slow.openSource('PUT', `/webhooks/${data.id}`, input({ url: 'https://slow.example/' }))
      await requested.given
      expect((await slow.openSource('PUT', `/webhooks/${data.id}`, { ...data, description: 'first' })).status).toBe(200)
      resolved.give()
      const answer = await late
      expect([answer.status, answer.json]).toEqual([
        409,
        { message: 'Webhook was modified concurrently; please retry with the current state' },
      ])
    } finally {
      await slow.close()
    }
  })
})

test('a webhook is deleted unless it is the first channel of an alert', async () => {
  const first = (await create()).json.data.id
  const second = (await create()).json.data.id
  const dashboard = await createDashboard(stack)
  const channels = [first, second].map((webhookId) => ({ type: 'webhook', webhookId }))
  const alert = await stack.openSource('POST', '/alerts', tileAlert(stack, dashboard, { channel: undefined, channels }))
  expect(alert.status).toBe(200)
  const refused = await stack.openSource('DELETE', `/webhooks/${first}`)
  expect([refused.status, refused.json]).toEqual([
    409,
    { message: 'Cannot delete webhook: 1 alert(s) still reference it. Reassign or remove those alerts first.' },
  ])
  expect((await stack.openSource('DELETE', `/webhooks/${second}`)).json).toEqual({})
  await stack.openSource('DELETE', `/alerts/${alert.json.data.id}`)
  expect((await stack.openSource('DELETE', `/webhooks/${first}`)).json).toEqual({})
})

test('unknown webhook', async () => {
  const missing = { message: 'Webhook not found' }
  for (const answer of [await put(oid, input()), await stack.openSource('DELETE', `/webhooks/${oid}`)]) {
    expect([answer.status, answer.json]).toEqual([404, missing])
  }
  expect((await put('short', input())).json).toEqual({ message: 'Params validation failed: id: Invalid ObjectId' })
})

test.each([
  ['GET', `/webhooks/${oid}`],
  ['PATCH', `/webhooks/${oid}`],
])('a single webhook has no %s', async (method, path) => {
  expect((await stack.openSource(method, path)).text).toContain('Cannot')
})

test.each(['POST', 'PUT', 'DELETE'])('the managed variant has no %s', async (method) => {
  const answer = await stack.managed(method, method === 'POST' ? '/webhooks' : `/webhooks/${oid}`, input())
  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
})
