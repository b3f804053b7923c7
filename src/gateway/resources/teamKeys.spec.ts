/** Keys of a deployment's team: shown on request only, and followed when they are rotated. */
import { describe, expect, test } from 'vitest'
import { answerJson, answerText, gatewayForTests, secrets } from '../testing/testGateway.ts'

const { gateway, upstream } = await gatewayForTests()
const base = '/api/c/oss/stack/team'
const newAccessKey = '5b0c8cf4-2f0d-4c53-b7a4-0d6f7f6f1d11'

describe('keys', () => {
  test('are shown by the operation that asks for them', async () => {
    upstream.become(answerJson({ data: { accessKey: newAccessKey } }))
    const { status, json } = await gateway.call('POST', `${base}/access-key/show`, {})
    expect([status, json.result]).toEqual([200, { accessKey: newAccessKey }])
    expect(upstream.hits.map(({ url }) => url).join()).not.toContain(newAccessKey)
    expect(gateway.log.join()).not.toContain(newAccessKey)
  })

  test('are masked in every other response', async () => {
    upstream.become(answerJson({ data: { id: 't', name: 'T', accessKey: newAccessKey, apiKey: newAccessKey } }))
    expect((await gateway.call('GET', base)).text).not.toContain(newAccessKey)
  })

  test('are not shown and not rotated through a read-only connection', async () => {
    upstream.become(answerJson({ data: { accessKey: newAccessKey } }))
    await gateway.call('PUT', '/api/connections/oss/read-only', { readOnly: true })
    for (const operation of ['show', 'rotate']) {
      expect((await gateway.call('POST', `${base}/access-key/${operation}`, {})).code).toBe('readOnly')
    }
    await gateway.call('PUT', '/api/connections/oss/read-only', { readOnly: false })
    expect(upstream.hits).toEqual([])
  })

  test('that are rotated are stored in the connection, and never reach the browser', async () => {
    upstream.become(answerJson({ data: { newAccessKey } }))
    const { status, text } = await gateway.call('POST', `${base}/access-key/rotate`, {})
    expect(status).toBe(200)
    expect(text).not.toContain(newAccessKey)
    expect(upstream.hits[0]?.headers.authorization).toBe(`Bearer ${secrets.accessKey}`)
    upstream.become(answerJson({ data: { id: 't', name: 'T' } }))
    await gateway.call('GET', base)
    expect(upstream.hits[0]?.headers.authorization).toBe(`Bearer ${newAccessKey}`)
  })
})

test('the page of invitations does not exist without a stack', async () => {
  expect((await gateway.call('POST', '/join-team', {})).status).toBe(404)
})

describe('the page of invitations', async () => {
  const withStack = await gatewayForTests({ stackUrl: 'http://127.0.0.1:1' })

  test('reports that the stack does not respond', async () => {
    expect((await withStack.gateway.call('GET', '/join-team?token=a')).code).toBe('unreachable')
  })
})

describe('with its stack', async () => {
  const other = await gatewayForTests()
  const withStack = await gatewayForTests({ stackUrl: other.upstream.url })

  test('the page of invitations is shown to people who are not signed in', async () => {
    other.upstream.become(
      answerText('<p>Join</p>', 'text/html', 200, {
        'content-security-policy': "default-src 'none'",
        'set-cookie': 'a=b',
      }),
    )
    const response = await fetch(`${withStack.gateway.address}/join-team?token=abc`)
    expect([response.status, await response.text()]).toEqual([200, '<p>Join</p>'])
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(response.headers.get('set-cookie')).toBeNull()
    await fetch(`${withStack.gateway.address}/join-team`, {
      method: 'POST',
      body: new URLSearchParams({ token: 'abc', password: 'p' }),
    })
    expect(other.upstream.hits.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/join-team?token=abc', ''],
      ['POST', '/join-team', 'token=abc&password=p'],
    ])
    expect(other.upstream.hits[0]?.headers.cookie).toBeUndefined()
  })

  test('a refused form is shown with its reason', async () => {
    other.upstream.become(answerText('<p>Choose a longer password.</p>', 'text/html', 400))
    const form = { method: 'POST', body: new URLSearchParams({ token: 'x', password: 'p' }) }
    const response = await fetch(`${withStack.gateway.address}/join-team`, form)
    expect([response.status, await response.text()]).toEqual([400, '<p>Choose a longer password.</p>'])
  })

  test('the page of invitations accepts 20 forms a minute, and enters them in the audit log', async () => {
    other.upstream.become(answerText('<p>No</p>', 'text/html', 400))
    const submit = () =>
      fetch(`${withStack.gateway.address}/join-team`, { method: 'POST', body: new URLSearchParams({ token: 'x' }) })
    const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await submit()).status))
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10)
    const { json } = await withStack.gateway.call('GET', '/api/audit?area=team&limit=500')
    const { entries } = json
    expect(Object(entries).length).toBeLessThanOrEqual(20)
    expect(Object(entries)[0]).toMatchObject({ event: 'team.join', outcome: 'refused', status: 400 })
  })
})
