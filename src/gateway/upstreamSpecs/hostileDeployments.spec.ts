/** Deployments that try to fill the memory of the console, to keep it busy, or to speak through it to the browser. */
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { gatewayForTests, newAlert, shortDeadlines, startTestGateway, startUpstream } from '../testing/testGateway.ts'

const { upstream, gateway } = await gatewayForTests()
const alerts = '/api/c/oss/stack/alerts'
const alert = `${alerts}/65f5e4a3b9e77c001a000001`
const json = { 'content-type': 'application/json' }
const values = (count: number) => '0,'.repeat(count - 1) + '0'

test('a response of millions of values is not parsed, and a write that it answers has an unknown outcome', async () => {
  const body = `{"data":[${values(2_000_000)}]}`
  upstream.become((_, response) => void response.writeHead(200, json).end(body))
  const read = await gateway.call('GET', alerts)
  expect([read.code, read.json['message']]).toEqual([
    'tooLarge',
    'The response of the deployment has more than 2,000,000 JSON values.',
  ])
  expect((await gateway.call('PUT', alert, newAlert)).code).toBe('outcomeUnknown')
})

test('a long text in a record that may hold credentials is masked in one pass', async () => {
  const url = `${'x'.repeat(2 ** 20)} https://user:password@host/ ${'://'.repeat(2 ** 18)}`
  upstream.become((_, response) => void response.writeHead(200, json).end(JSON.stringify({ data: [{ name: url }] })))
  const { status, text } = await gateway.call('GET', '/api/c/oss/stack/team/members')
  expect(status).toBe(200)
  expect(text).not.toContain('user:password')
})

test('a list ends when its pages are larger together than a list may be', async () => {
  let pages = 0
  upstream.become((_, response) => {
    const row = { id: String(++pages), data: [] }
    const text = JSON.stringify({ data: [row], meta: { total: 1_000_000, limit: 1 } })
    response.writeHead(200, json).end(text.replace('"data":[]', `"data":[${values(1_500_000)}]`))
  })
  const { code, json: answer } = await gateway.call('GET', alerts)
  expect([code, answer['message'], pages]).toEqual([
    'tooLarge',
    'The list of alerts takes more memory than the console has for one list.',
    3,
  ])
})

test('large responses at the same time end before they fill the memory, and free it again', async () => {
  const replyLimit = 1_000_000
  const slow = await startUpstream()
  const other = await startTestGateway(slow, { tuning: { replyLimit } })
  try {
    const waiting: ServerResponse[] = []
    slow.become((_, response) => {
      response.on('error', () => {})
      response.writeHead(200, json).write(`{"data":[],"more":"${'x'.repeat(0.9 * replyLimit)}`)
      waiting.push(response)
    })
    // Each has a query of its own, because identical reads share a request.
    const reads = Array.from({ length: 8 }, (_, at) => other.call('GET', `${alerts}/65f5e4a3b9e77c001a00000${at}`))
    await expect.poll(() => waiting.length).toBe(8)
    const first = await Promise.race(reads)
    expect([first.code, first.json['message']]).toEqual([
      'tooLarge',
      'The responses of the deployment at the same time are larger than 4 MiB.',
    ])
    await expect.poll(() => waiting.filter(({ destroyed }) => destroyed).length).toBe(4)
    for (const response of waiting) if (!response.destroyed) response.end('"}')
    await Promise.all(reads)
    slow.become((_, response) => void response.writeHead(200, json).end('{"data":{"id":"a"}}'))
    expect((await other.call('GET', alert)).status).toBe(200)
  } finally {
    await other.close()
    await slow.close()
  }
})

test('interim responses without end do not hold a request beyond its deadline', async () => {
  const flood = await startUpstream()
  const other = await startTestGateway(flood, { tuning: { deadlines: shortDeadlines } })
  try {
    for (const interim of ['102 Processing', '103 Early Hints\r\nlink: </a>; rel=preload', '100 Continue']) {
      flood.become((_hit, { socket }) => {
        const timer = setInterval(() => socket?.write(`HTTP/1.1 ${interim}\r\n\r\n`.repeat(100)), 5)
        socket?.on('error', () => {}).on('close', () => clearInterval(timer))
      })
      expect((await other.call('GET', alerts)).code).toMatch(/^(?:timeout|unreachable|malformedReply)$/)
    }
  } finally {
    await other.close()
    await flood.close()
  }
})

test('headers of a deployment do not reach the browser', async () => {
  const headers = {
    'set-cookie': ['stack_console=stolen; Path=/', '__Host-a=b; Secure; Path=/'],
    location: 'https://evil.example/',
    refresh: '0; url=https://evil.example/',
    link: '<https://evil.example/x.js>; rel=preload; as=script',
    'clear-site-data': '"*"',
    'access-control-allow-origin': '*',
    'service-worker-allowed': '/',
    'content-security-policy': "default-src * 'unsafe-inline'",
    'content-type': 'text/html',
  }
  for (const status of [200, 201, 302, 307, 401, 500]) {
    upstream.become((_, response) => void response.writeHead(status, headers).end('{"data":[]}'))
    const reply = await gateway.call('GET', alerts)
    const sent = [...reply.headers].filter(([, value]) => /evil|stolen|unsafe-inline|\*/.test(value))
    expect(sent).toEqual([])
    expect(reply.headers.getSetCookie()).toEqual([])
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  }
})
