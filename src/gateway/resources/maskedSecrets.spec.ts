import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { resource } from '#contract/wire/kernel.ts'
import { mask, masked } from '#node/upstream/masks.ts'
import { answerJson, gatewayForTests } from '../testing/testGateway.ts'

const id = 'a'.repeat(24)
const token = 'xoxb-a-token-of-an-address-0123456789'
const stored = {
  id,
  name: 'Team',
  service: 'generic',
  url: `https://hooks.example/services/${token}?key=${token}`,
  body: `see https://user:${token}@host/`,
}

const { upstream, gateway } = await gatewayForTests()
beforeEach(() => {
  upstream.become((hit, response) =>
    answerJson(
      hit.method === 'GET' ? { data: [stored], meta: { total: 1, limit: 1000, offset: 0 } } : { data: stored },
    )(hit, response),
  )
})

const path = '/api/c/oss/stack/webhooks'
const shown = async () => {
  const { result } = (await gateway.call('GET', path)).json
  return Object(Array.isArray(result) ? result[0] : undefined)
}
const put = (body: object, to = id) => gateway.call('PUT', `${path}/${to}`, body)
const sent = () => upstream.hits.filter((hit) => hit.method === 'PUT').map((hit) => JSON.parse(hit.body))

test('an unchanged mask is replaced by the stored secret before the write', async () => {
  const { id: _, ...read } = await shown()
  expect(JSON.stringify(read)).not.toContain(token)
  const answer = await put({ ...read, name: 'Renamed' })
  expect(answer.status).toBe(200)
  expect(JSON.stringify(answer.json)).not.toContain(token)
  const { id: __, ...whole } = stored
  expect(sent()).toEqual([{ ...whole, name: 'Renamed' }])
})

test('rejects a changed mask or one of another webhook, and does not send it', async () => {
  const { id: _, ...read } = await shown()
  for (const body of [
    { ...read, url: `${read.url}x` },
    { ...read, description: mask },
    { ...read, headers: { 'X-Key': mask } },
  ]) {
    const answer = await put(body)
    expect([answer.status, answer.json.code]).toEqual([422, 'invalid'])
  }
  expect((await put(read, 'b'.repeat(24))).json.code).toBe('notFound')
  expect(sent()).toEqual([])
})

test('reads nothing first without a mask, and rejects a mask in a new webhook', async () => {
  await put({ name: 'a', service: 'generic', url: 'https://hooks.example/other' })
  expect(upstream.hits.map((hit) => hit.method)).toEqual(['PUT'])
  const { id: _, ...read } = await shown()
  expect((await gateway.call('POST', path, read)).status).toBe(422)
})

test('the routing key in a body is masked, and kept by an edit of the rest', async () => {
  const key = 'R0123456789abcdef0123456789abcde'
  const pager = { ...stored, url: 'https://events.pagerduty.com/v2/enqueue', body: `{"routing_key":"${key}","a":1}` }
  upstream.become((hit, response) =>
    answerJson(hit.method === 'GET' ? { data: [pager] } : { data: pager })(hit, response),
  )
  const { id: _, ...read } = await shown()
  expect(read.body).toBe(`{"routing_key":"${mask}","a":1}`)
  const answer = await put({ ...read, body: read.body.replace('1', '2') })
  expect(answer.status).toBe(200)
  expect(answer.text).not.toContain(key)
  expect(sent()).toMatchObject([{ url: pager.url, body: `{"routing_key":"${key}","a":2}` }])
  await put({ ...read, body: '{"routing_key":"another-key"}' })
  expect(sent().at(-1)).toMatchObject({ body: '{"routing_key":"another-key"}' })

  upstream.become(answerJson({ message: `The key another-key is not valid` }, 400))
  expect(
    (await put({ name: 'a', service: 'generic', url: pager.url, body: '{"routing_key":"another-key"}' })).text,
  ).not.toContain('another-key')
})

test('a masked key is not sent to another URL or service, and goes by the name of its field', async () => {
  const [key, other] = ['R0123456789abcdef0123456789abcde', 'S0123456789abcdef0123456789abcde']
  const body = `{"routing_key":"${key}","a":1,"service_key":"${other}"}`
  const pager = { ...stored, url: 'https://events.pagerduty.com/v2/enqueue', body }
  upstream.become((hit, response) =>
    answerJson(hit.method === 'GET' ? { data: [pager] } : { data: pager })(hit, response),
  )
  const { id: _, ...read } = await shown()
  const edited = read.body.replace('1', '2')
  for (const changes of [
    { url: 'https://elsewhere.example/' },
    { url: 'https://elsewhere.example/', body: edited },
    { service: 'incidentio' },
    { body: `{"integration":{"routing_key":"x"},"my_service_key":"${mask}"}` },
  ]) {
    const answer = await put({ ...read, ...changes })
    expect([answer.status, answer.json.fields]).toEqual([422, [expect.objectContaining({ path: 'body' })]])
  }
  expect(sent()).toEqual([])
  await put({ ...read, body: `{"service_key":"${mask}","routing_key":"${mask}"}` })
  expect(sent().at(-1)).toMatchObject({ url: pager.url, body: `{"service_key":"${other}","routing_key":"${key}"}` })
  await put({ ...read, url: 'https://elsewhere.example/', body: '{"routing_key":"typed-again"}' })
  expect(sent().at(-1)).toMatchObject({ url: 'https://elsewhere.example/', body: '{"routing_key":"typed-again"}' })
})

test('hides credentials that a deployment returns with its data connections', async () => {
  const connection = { id, name: 'Engine', host: `http://default:${token}@db.example:8123`, username: 'default' }
  upstream.become(answerJson({ data: [{ ...connection, password: token }] }))
  const { text, json } = await gateway.call('GET', '/api/c/oss/stack/connections')
  expect(json['result']).toMatchObject([{ id, name: 'Engine', username: 'default', password: mask }])
  expect(text).not.toContain(token)
})

test('a resource that nobody has decided about is masked', () => {
  const path = {
    method: 'GET',
    scope: 'stack',
    path: '/runbooks',
    variants: ['openSource'],
    result: z.unknown(),
  } as const
  const { get } = resource('runbooks', { get: path })
  expect(masked(get, { name: 'Disk full', apiKey: token })).toEqual({ name: 'Disk full', apiKey: mask })
})
