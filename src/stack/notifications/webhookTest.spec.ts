import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { webhookRows } from '../documents/webhookRows.ts'
import { addressPolicy, webhookGuard } from '../net/webhookAddress.ts'
import { templateBombs } from '../testing/templates/templateBombs.ts'
import { startReceiver, type TestReceiver } from '../testing/testReceiver.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'

const rules = { allowed: ['127.0.0.1'], own: [] }
const resolve = async () => []
let stack: TestStack
let receiver: TestReceiver
beforeAll(async () => {
  receiver = await startReceiver()
  stack = await startTestStack({
    webhookAddresses: addressPolicy(rules, resolve),
    notifications: { guard: webhookGuard(rules, resolve) },
  })
})
afterAll(() => Promise.all([stack.close(), receiver.close()]))
beforeEach(() => {
  receiver.requests.splice(0)
  receiver.answer = (_, response) => response.end('ok')
})

const post = (body: object) => stack.openSource('POST', '/webhooks/test', body)

describe('test of a webhook', () => {
  test('answers for any body', async () => {
    for (const { name, template } of templateBombs) {
      const webhook = { service: 'generic', url: `${receiver.url}/x`, body: template }
      const { status } = await post(webhook)
      expect([name, status]).toEqual([name, 200])
    }
  })

  test.each(['openSource', 'managed'] as const)('tells the answer of the receiver: %s', async (variant) => {
    receiver.answer = (_, response) => response.writeHead(418).end('short and stout')
    const { status, json } = await stack[variant]('POST', '/webhooks/test', {
      service: 'generic',
      url: `${receiver.url}/x`,
      headers: { 'x-team': 'shop' },
      queryParams: { a: 'b' },
      body: '{{title}}|{{state}}|{{status}}|{{eventId}}|{{link}}',
    })
    expect(status).toBe(200)
    expect(variant === 'managed' ? json.result : json.data).toEqual({
      message: 'The receiver answered 418.',
      delivered: false,
      status: 418,
      answer: 'short and stout',
      duration: expect.any(Number),
    })
    expect(receiver.requests).toMatchObject([{ url: '/x?a=b', headers: { 'x-team': 'shop' } }])
    expect(receiver.requests[0]?.body).toMatch(
      /^Test notification\|INSUFFICIENT_DATA\|no_data\|test-event-id\|https:\/\/console\.example\//,
    )
  })

  test.each(['slack', 'incidentio', 'generic'])('sends the payload of %s', async (service) => {
    expect((await post({ service, url: receiver.url })).json.data).toMatchObject({ delivered: true, status: 200 })
    const payload = JSON.parse(receiver.requests[0]?.body ?? '')
    expect(Object.keys(payload)).toEqual(
      { slack: ['text', 'blocks'], generic: ['text'] }[service] ?? [
        'title',
        'description',
        'deduplication_key',
        'status',
        'source_url',
      ],
    )
  })

  test.each([
    [{ service: 'generic', url: 'http://10.0.0.1/' }, 400, 'Webhook URL resolves to a private or reserved address.'],
    [{ service: 'slack', url: 'https://hooks.example/' }, 400, 'Slack webhook URL must be on slack.com.'],
    [{ service: 'email', url: 'https://hooks.example/' }, 400, 'service: must be one of slack, generic, incidentio'],
    [{ service: 'generic' }, 400, 'url: Required'],
    [{ url: 'https://hooks.example/' }, 400, 'service: Required'],
    [{ webhookId: 'f'.repeat(24) }, 404, 'Webhook not found'],
  ])('%j is refused', async (body, status, message) => {
    const answer = await post(body)
    expect([answer.status, answer.json.message]).toEqual([status, message])
    expect(receiver.requests).toEqual([])
  })

  test('reports a template that cannot be rendered', async () => {
    const { json } = await post({ service: 'generic', url: receiver.url, body: '{{#if}}' })
    expect(json.data).toMatchObject({ delivered: false, message: expect.stringMatching(/^Body template: Parse error/) })
    expect(receiver.requests).toEqual([])
  })

  describe('that is stored', () => {
    let webhookId: string
    beforeAll(async () => {
      const created = await stack.openSource('POST', '/webhooks', {
        name: 'Stored',
        service: 'generic',
        url: `${receiver.url}/stored`,
        headers: { authorization: 'Bearer stored-secret' },
        queryParams: { token: 'stored-token' },
        body: 'stored',
      })
      webhookId = created.json.data.id
    })
    const sent = () => {
      const [{ url, headers, body } = {}] = receiver.requests
      return { url, authorization: headers?.authorization, body }
    }
    const everything = { url: '/stored?token=stored-token', authorization: 'Bearer stored-secret', body: 'stored' }

    test('needs only its id', async () => {
      await post({ webhookId })
      expect(sent()).toEqual(everything)
    })

    test('fills in masks', async () => {
      await post({
        webhookId,
        service: 'generic',
        url: `${receiver.url}/****`,
        headers: { authorization: '****' },
        queryParams: { token: '****' },
      })
      expect(sent()).toEqual(everything)
    })

    test('keeps its secrets from another URL', async () => {
      await post({ webhookId, service: 'generic', url: `${receiver.url}/other` })
      expect(sent()).toEqual({ url: '/other', authorization: undefined, body: expect.stringMatching(/^\{"text"/) })
    })

    test('is not changed', async () => {
      const before = await webhookRows.get(stack.store, webhookId)
      await post({ webhookId, body: 'other' })
      expect(await webhookRows.get(stack.store, webhookId)).toEqual(before)
      expect(sent().body).toBe('other')
    })
  })
})
