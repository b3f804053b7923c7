import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { webhookGuard } from '../net/webhookAddress.ts'
import { redirectsTo, startPrivateListener } from '#node/testing/privateListener.ts'
import { startReceiver, type TestReceiver } from '../testing/testReceiver.ts'
import { createSender, type Receiver } from './webhookSender.ts'

/** Where names lead: each answer is used once, the last one from then on. */
const answers: Record<string, string[][]> = {}
const resolve = async (name: string) => {
  const [next = [], ...later] = answers[name] ?? []
  if (later.length > 0) answers[name] = later
  return next
}
const rules = { allowed: ['127.0.0.1', 'inside.example'], own: ['engine.example'] }
const guard = webhookGuard(rules, resolve)
const send = createSender({ guard })

let receiver: TestReceiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const hook = (changes: Partial<Receiver> = {}): Receiver => ({
  service: 'generic',
  url: `${receiver.url}/hooks/a`,
  ...changes,
})

describe('request', () => {
  test('has the headers and parameters of the webhook, and the key', async () => {
    const result = await send(
      hook({
        url: `${receiver.url}/hooks/a?x=1`,
        headers: { 'X-Team': 'shop', 'Idempotency-Key': 'own', Host: 'other', 'Transfer-Encoding': 'chunked' },
        queryParams: { token: 'a b&c' },
      }),
      '{"text":"é"}',
      'key-1',
    )
    expect(result).toEqual({
      outcome: 'delivered',
      reason: 'The receiver answered 200.',
      status: 200,
      answer: 'ok',
      duration: expect.any(Number),
    })
    expect(receiver.requests).toEqual([
      {
        method: 'POST',
        url: '/hooks/a?x=1&token=a+b%26c',
        headers: {
          'content-type': 'application/json',
          'x-team': 'shop',
          'idempotency-key': 'key-1',
          'content-length': '13',
          host: `127.0.0.1:${receiver.port}`,
          connection: 'close',
        },
        body: '{"text":"é"}',
        at: expect.any(Number),
      },
    ])
  })

  test('may have another content type', async () => {
    await send(hook({ headers: { 'content-type': 'text/plain' } }), 'text', 'key')
    expect(receiver.requests[0]?.headers['content-type']).toBe('text/plain')
  })

  test('to Slack has no key and no headers of its own', async () => {
    await send(hook({ service: 'slack', headers: { a: 'b' } }), '{}', 'key')
    expect(receiver.requests[0]?.headers).not.toHaveProperty('idempotency-key')
    expect(receiver.requests[0]?.headers).not.toHaveProperty('a')
  })

  test('goes to the address that was checked, under the name of the host', async () => {
    answers['inside.example'] = [['127.0.0.1']]
    expect(await send(hook({ url: `http://inside.example:${receiver.port}/x` }), '{}', 'key')).toMatchObject({
      outcome: 'delivered',
    })
    expect(receiver.requests[0]?.headers.host).toBe(`inside.example:${receiver.port}`)
  })
})

describe('address', () => {
  test.each([
    ['http://127.0.0.2:1/', 'Webhook URL resolves to a private or reserved address.'],
    ['http://localhost:1/', 'Webhook URL resolves to a private or reserved address.'],
    ['http://[::1]:1/', 'Webhook URL resolves to a private or reserved address.'],
    ['http://turns.example/', 'Webhook URL resolves to a private or reserved address.'],
    ['http://engine.example/', 'Webhook URL must not point at an engine of this deployment.'],
    ['ftp://hooks.example/', 'Webhook URL must use http or https.'],
  ])('%s is refused for good', async (url, reason) => {
    answers['turns.example'] = [['10.0.0.1']]
    expect(await send(hook({ url }), '{}', 'key')).toMatchObject({ outcome: 'failed', reason })
    expect(receiver.requests).toEqual([])
  })

  test('is checked again for each request, so that DNS rebinding has no effect', async () => {
    answers['inside.example'] = [['127.0.0.1']]
    answers['turns.example'] = [['93.184.215.14'], ['127.0.0.1']]
    const guard = webhookGuard({ allowed: [], own: [] }, resolve)
    expect(await guard('http://turns.example/', 'generic')).toMatchObject({ addresses: ['93.184.215.14'] })
    const url = `http://turns.example:${receiver.port}/`
    expect(await createSender({ guard })(hook({ url }), '{}', 'key')).toMatchObject({ outcome: 'failed' })
    expect(receiver.requests).toEqual([])
  })

  test('is that of the webhook whatever the receiver redirects to', async () => {
    const listener = await startPrivateListener()
    try {
      for (const { status, location } of redirectsTo(listener.port)) {
        receiver.answer = (_, response) =>
          response
            .writeHead(status, { location, refresh: `0; url=${location}`, 'alt-svc': `h2=":${listener.port}"` })
            .end()
        expect(await send(hook(), '{}', 'key')).toMatchObject({ outcome: 'failed', status })
      }
      expect([receiver.requests.length, listener.connections]).toEqual([redirectsTo(1).length, 0])
    } finally {
      listener.close()
    }
  })

  test('of a name without one is tried again', async () => {
    const result = await send(hook({ url: 'http://nowhere.example/' }), '{}', 'key')
    expect(result).toMatchObject({ outcome: 'retry', reason: 'The host name cannot be resolved.' })
  })

  test('may receive messages for Slack if it is allowed', async () => {
    const url = `${receiver.url}/services/x`
    expect(await send(hook({ service: 'slack', url }), '{}', 'key')).toMatchObject({ outcome: 'delivered' })
    const refused = await send(hook({ service: 'slack', url: 'http://93.184.215.14/' }), '{}', 'key')
    expect(refused).toMatchObject({ outcome: 'failed', reason: 'Slack webhook URL must be on slack.com.' })
  })
})

describe('answer', () => {
  test.each([
    [204, 'delivered', 'The receiver answered 204.'],
    [302, 'failed', 'The receiver answered 302. Redirects are not followed.'],
    [400, 'failed', 'The receiver answered 400.'],
    [404, 'failed', 'The receiver answered 404.'],
    [429, 'retry', 'The receiver answered 429.'],
    [500, 'retry', 'The receiver answered 500.'],
    [503, 'retry', 'The receiver answered 503.'],
  ])('%i is %s', async (status, outcome, reason) => {
    receiver.answer = (_, response) => response.writeHead(status, { location: '/other' }).end()
    expect(await send(hook(), '{}', 'key')).toMatchObject({ outcome, status, reason })
    expect(receiver.requests).toHaveLength(1)
  })

  test.each([
    ['7', 7000],
    ['999999', 900_000],
    [new Date(currentTime() + 3_600_000).toUTCString(), 900_000],
    ['soon', undefined],
    ['0', undefined],
  ])('with Retry-After %s', async (value, retryAfter) => {
    receiver.answer = (_, response) => response.writeHead(429, { 'retry-after': value }).end()
    expect((await send(hook(), '{}', 'key')).retryAfter).toBe(retryAfter)
  })

  test('with a date for Retry-After, by the clock of the receiver', async () => {
    const date = (seconds: number) => new Date(currentTime() - 86_400_000 + seconds * 1000).toUTCString()
    receiver.answer = (_, response) => response.writeHead(429, { date: date(0), 'retry-after': date(60) }).end()
    expect((await send(hook(), '{}', 'key')).retryAfter).toBe(60_000)
  })

  test.each([
    ['generic', 'retry'],
    ['slack', 'failed'],
  ] as const)('that does not come in time: %s', async (service, outcome) => {
    receiver.answer = (_, response) => response.writeHead(200).write('beginning')
    expect(await createSender({ guard, timeout: 300 })(hook({ service }), '{}', 'key')).toMatchObject({
      outcome,
      reason: 'The receiver did not answer within 0.3 s.',
    })
  })

  test('that does not come because nobody listens', async () => {
    const url = `${receiver.url}/x`
    await receiver.close()
    const result = await send(hook({ service: 'slack', url }), '{}', 'key')
    expect(result).toMatchObject({ outcome: 'retry', reason: 'The receiver refused the connection.' })
    receiver = await startReceiver()
  })

  test('that is cut off', async () => {
    receiver.answer = (_, response) => response.destroy()
    expect(await send(hook(), '{}', 'key')).toMatchObject({
      outcome: 'retry',
      reason: 'The connection to the receiver failed (ECONNRESET).',
    })
  })

  test('that is long is cut, and never read to its end', async () => {
    receiver.answer = (_, response) => {
      const more = () => response.write('x'.repeat(1000)) && !response.destroyed && setImmediate(more)
      response.on('drain', more)
      more()
    }
    const { outcome, answer } = await send(hook(), '{}', 'key')
    expect([outcome, answer?.length]).toEqual(['delivered', 500])
  })

  test('shows no secret of the webhook', async () => {
    receiver.answer = ({ url, headers, body }, response) =>
      response.end(JSON.stringify({ url, headers, body }, null, 2))
    const { answer } = await send(
      hook({
        url: `${receiver.url}/services/T0001/secretpath12?key=secretvalue`,
        headers: { authorization: 'Bearer secretheader', 'x-quoted': 'secret"quoted' },
        queryParams: { token: 'secret parameter' },
        body: '{"routing_key":"secretrouting1234567"}',
      }),
      '{"routing_key":"secretrouting1234567"}',
      'key',
    )
    expect(answer).toContain('"content-type": "application/json"')
    expect(answer).not.toMatch(/secret|\n/)
  })
})
