import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, startTestStack, type TestStack } from '../testing/testStack.ts'

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack({ corsOrigin: 'http://127.0.0.1:8080' })
})
afterAll(() => stack.close())

const oid = 'a'.repeat(24)

describe('authentication', () => {
  test.each([
    ['no header', () => undefined],
    ['a wrong key', () => 'Bearer 00000000-0000-4000-8000-000000000000'],
    ['an empty key', () => 'Bearer '],
    ['the word in lower case', () => `bearer ${stack.identity.personalAccessKey}`],
    ['the ingestion key', () => `Bearer ${stack.identity.ingestionKey}`],
    ['the managed key', () => basic(stack.identity.keyId, stack.identity.keySecret)],
  ])('rejects %s in plain text', async (_, authorization) => {
    const value = authorization()
    const answer = await stack.send('GET', '/api/v2/alerts', { headers: value ? { authorization: value } : {} })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.text).toBe('Unauthorized')
  })
})

describe('unknown routes', () => {
  test('return an HTML page with the escaped path', async () => {
    const answer = await stack.openSource('GET', '/nothing/<script>')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.text).toContain('Cannot GET /api/v2/nothing/%3Cscript%3E')
  })

  test.each(['/alerts/%E0%A4%A', `/alerts/${'x'.repeat(300)}`, '/../v2/nothing'])(
    'include malformed addresses: %s',
    async (path) => {
      const answer = await stack.openSource('GET', path)
      expect(answer.status).toBe(404)
      expect(answer.text).toContain('Cannot GET')
    },
  )

  test('with a malformed body return the usual error', async () => {
    const answer = await stack.openSource('POST', '/nothing', '{')
    expect([answer.status, answer.json]).toEqual([400, { message: 'Invalid JSON payload' }])
  })

  test('a trailing slash is ignored', async () => {
    expect((await stack.openSource('GET', '/alerts/')).json).toEqual((await stack.openSource('GET', '/alerts')).json)
  })

  test.each(['/services', '/organizations'])('include routes of the managed variant: %s', async (path) => {
    expect((await stack.openSource('GET', path)).text).toContain('Cannot GET')
  })

  test.each([
    ['GET', `/alerts/${oid}`, 404, { message: 'Alert not found' }],
    ['DELETE', `/alerts/${oid}`, 404, { message: 'Alert not found' }],
    ['GET', '/alerts/twelve-chars', 404, { message: 'Alert not found' }],
    ['GET', '/alerts/short', 400, { message: 'Params validation failed: id: Invalid ObjectId' }],
    ['PUT', '/dashboards/short', 400, undefined],
    ['DELETE', `/dashboards/${oid}`, 200, {}],
  ])('%s %s returns %i', async (method, path, status, body) => {
    const answer = await stack.openSource(method, path, method === 'PUT' ? {} : undefined)
    expect(answer.status).toBe(status)
    if (body) expect(answer.json).toEqual(body)
  })

  test('an unknown dashboard returns plain text', async () => {
    const answer = await stack.openSource('GET', `/dashboards/${oid}`)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.text).toBe('Not Found')
  })

  test('reports errors of params and body, the body first', async () => {
    const answer = await stack.openSource('PUT', '/dashboards/short', { name: 1, tiles: [] })
    expect(answer.json.message).toBe(
      'Body validation failed: name: Expected string, received number; Params validation failed: id: Invalid ObjectId',
    )
  })
})

describe('request bodies', () => {
  test.each([
    ['cut short', '{"a":'],
    ['a prototype', '{"__proto__":{"admin":true}}'],
    ['a constructor', '{"constructor":{"prototype":{"admin":true}}}'],
  ])('that are not JSON: %s', async (_, body) => {
    const answer = await stack.openSource('POST', '/alerts', body)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ message: 'Invalid JSON payload' })
  })

  test.each([
    ['nothing', undefined, 'Body validation failed: Required; Invalid input'],
    ['a list', [], 'Body validation failed: Expected object, received array; Invalid input'],
    [
      'an empty object',
      {},
      'Body validation failed: interval: Required; threshold: Required; thresholdType: Required; Invalid input',
    ],
  ])('that are %s', async (_, body, message) => {
    const answer = await stack.openSource('POST', '/alerts', body)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ message })
  })

  test('of another type are rejected', async () => {
    const answer = await stack.send('POST', '/api/v2/alerts', {
      body: 'a=1',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Bearer ${stack.identity.personalAccessKey}`,
      },
    })
    expect(answer.status).toBe(415)
  })

  test('over 1 MiB are rejected, dashboards over 8 MiB', async () => {
    const filler = (mebibytes: number) => JSON.stringify({ filler: 'x'.repeat(mebibytes * 1024 * 1024) })
    expect((await stack.openSource('POST', '/alerts', filler(1))).status).toBe(413)
    expect((await stack.openSource('POST', '/dashboards', filler(2))).status).toBe(400)
    expect((await stack.openSource('POST', '/dashboards', filler(8))).status).toBe(413)
  })

  test('can be empty in a DELETE with a JSON content type', async () => {
    const answer = await stack.send('DELETE', `/api/v2/dashboards/${oid}`, {
      headers: { authorization: `Bearer ${stack.identity.personalAccessKey}`, 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(200)
  })
})

describe('page of another origin', () => {
  const origin = 'http://127.0.0.1:8080'

  test('gets a preflight response', async () => {
    const answer = await stack.send('OPTIONS', '/api/v2/alerts', {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'PUT' },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, PUT, PATCH, POST, DELETE')
    expect(answer.headers.get('vary')).toBe('Origin, Access-Control-Request-Headers')
  })

  test('gets the configured origin, never its own, on errors too', async () => {
    const answer = await stack.send('GET', '/api/v2/alerts', { headers: { origin: 'https://evil.example' } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('vary')).toBe('Origin')
  })
})

describe('lists', () => {
  test.each(['limit=0', 'limit=1001', 'limit=x', 'limit=1&limit=2', 'offset=-1', 'limit='])(
    'reject a page with %s',
    async (query) => {
      const answer = await stack.openSource('GET', `/webhooks?${query}`)
      expect(answer.status).toBe(400)
      expect(answer.json.message).toMatch(/^Query validation failed: (limit|offset): /)
    },
  )

  test('include the total, also past the end', async () => {
    const answer = await stack.openSource('GET', '/webhooks?limit=5&offset=7')
    expect(answer.json).toEqual({ data: [], meta: { total: 1, limit: 5, offset: 7 } })
    expect(answer.headers.get('x-total-count')).toBe('1')
  })

  test('webhooks and sources are not paged', async () => {
    const { json } = await stack.openSource('GET', '/webhooks')
    expect(json.data).toMatchObject([{ service: 'generic', url: expect.stringContaining('127.0.0.1') }])
    const sources = await stack.openSource('GET', '/sources')
    expect(Object.keys(sources.json)).toEqual(['data'])
    expect(sources.json.data).toHaveLength(4)
  })

  test('of the sample without one', async () => {
    expect((await stack.openSource('GET', '/sample')).json).toEqual({
      data: { state: 'absent', progress: 0, records: 0 },
    })
  })
})

test('without a configured origin, OPTIONS requires a key and no origin is allowed', async () => {
  const plain = await startTestStack()
  try {
    const answer = await plain.send('OPTIONS', '/api/v2/alerts', { headers: { origin: 'http://127.0.0.1:8080' } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  } finally {
    await plain.close()
  }
})
