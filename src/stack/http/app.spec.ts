/** Protection of the server itself: limits, deadlines, logs, faults. */
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { basic, startTestStack, type TestStack } from '../testing/testStack.ts'

const open: TestStack[] = []
async function start(...options: Parameters<typeof startTestStack>): Promise<TestStack> {
  const stack = await startTestStack(...options)
  open.push(stack)
  return stack
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((stack) => stack.close()))
})

describe('rate limits', () => {
  test('of the open-source variant count invalid keys too, each key separately', async () => {
    const stack = await start({ rateLimits: { openSource: 3, managed: 0 } })
    const call = (key: string) => stack.send('GET', '/api/v2/alerts', { headers: { authorization: `Bearer ${key}` } })
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push(await call('wrong'))
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 429])
    expect(statuses[0]?.headers.get('ratelimit-limit')).toBe('3')
    expect(statuses[0]?.headers.get('ratelimit-remaining')).toBe('2')
    expect(Number(statuses[0]?.headers.get('ratelimit-reset'))).toBeGreaterThan(50)
    const last = statuses[3]
    expect(last?.headers.get('content-type')).toMatch(/^text\/html/)
    expect(last?.text).toBe('Too many requests, please try again later.')
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(last?.headers.get('x-ratelimit-reset')).toBe(last?.headers.get('retry-after'))
    // Starting the test stack has used two calls of its own key.
    expect((await stack.openSource('GET', '/alerts')).status).toBe(200)
    expect((await stack.openSource('GET', '/alerts')).status).toBe(429)
  })

  test('of the managed variant include a retry delay', async () => {
    const stack = await start({ rateLimits: { openSource: 0, managed: 2 } })
    const answers = []
    for (let n = 0; n < 3; n++) answers.push(await stack.managed('GET', '/alerts'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers[0]?.headers.get('x-ratelimit-reset')).toBeNull()
    expect(answers[2]?.json).toMatchObject({ status: 429, error: 'TOO_MANY_REQUESTS: Rate limit exceeded' })
    const reset = Number(answers[2]?.headers.get('x-ratelimit-reset'))
    expect(reset).toBeGreaterThan(0)
    expect(reset).toBeLessThanOrEqual(10)
    expect(answers[2]?.headers.get('retry-after')).toBe(String(reset))
  })
})

describe('deadlines', () => {
  /** Everything the server sends until it closes the connection. */
  async function drip(stack: TestStack, first: string, drop: string): Promise<string> {
    const { hostname, port } = new URL(stack.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.write(first)
    const dripping = setInterval(() => socket.write(drop), 20)
    socket.on('data', (chunk) => {
      received += String(chunk)
      // Data sent after an answer would reset the connection, and the answer with it.
      clearInterval(dripping)
    })
    await new Promise((resolve) => socket.on('close', resolve).on('error', resolve))
    clearInterval(dripping)
    return received
  }

  test('end requests with incomplete headers', async () => {
    const stack = await start({ deadlines: { headers: 600, request: 10_000 } })
    expect(await drip(stack, 'GET /api/v2/alerts HTTP/1.1\r\nhost: x\r\n', 'x')).toContain('408')
    expect((await stack.openSource('GET', '/alerts')).status).toBe(200)
  })

  test('end requests with an incomplete body', async () => {
    const stack = await start({ deadlines: { headers: 600, request: 800 } })
    const head =
      'POST /api/v2/alerts HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n' +
      `authorization: Bearer ${stack.identity.personalAccessKey}\r\n\r\n`
    await drip(stack, head, ' ')
    expect((await stack.openSource('GET', '/alerts')).status).toBe(200)
  })
})

test('no key and no body is logged', async () => {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const stack = await start({ logger: pino({ level: 'trace' }, sink) })
  const { personalAccessKey, keyId, keySecret } = stack.identity
  await stack.openSource('POST', '/alerts', { secret: 'in-the-body' })
  await stack.managed('POST', '/alerts', { secret: 'in-the-body' })
  await stack.send('GET', '/v1/organizations', { headers: { authorization: basic(keyId, 'wrong-secret') } })
  stack.store.close()
  expect((await stack.openSource('GET', '/alerts')).json).toEqual({ message: 'Something went wrong :(' })
  expect((await stack.managed('GET', '/alerts')).json).toMatchObject({
    error: 'INTERNAL_ERROR: Something went wrong :(',
  })
  const log = lines.join('')
  expect(log).toContain('request failed')
  for (const secret of [personalAccessKey, keySecret, basic(keyId, keySecret), 'in-the-body', 'wrong-secret']) {
    expect(log).not.toContain(secret)
  }
})

describe('injected faults', () => {
  const faulty = async () => {
    const stack = await start()
    const faultsFile = join(stack.dataDir, 'faults.json')
    const withFaults = await start({ faultsFile })
    return { stack: withFaults, set: (rules: object[]) => writeFile(faultsFile, JSON.stringify(rules)) }
  }

  test('replace the handler as often as configured', async () => {
    const { stack, set } = await faulty()
    await set([
      { match: 'GET /api/v2/alerts', status: 503, body: { message: 'down' }, headers: { 'x-fault': '1' }, times: 1 },
      { match: '* /api/*/sources', status: 502, body: '<html>', contentType: 'text/html' },
    ])
    const first = await stack.openSource('GET', '/alerts')
    expect([first.status, first.json, first.headers.get('x-fault')]).toEqual([503, { message: 'down' }, '1'])
    expect((await stack.openSource('GET', '/alerts')).status).toBe(200)
    const html = await stack.openSource('GET', '/sources')
    expect([html.status, html.text, html.headers.get('content-type')]).toEqual([502, '<html>', 'text/html'])
    expect((await stack.openSource('GET', '/webhooks')).status).toBe(200)
  })

  test('apply to every request as soon as they are in the file', async () => {
    const { stack, set } = await faulty()
    for (const status of [503, 502, 504]) {
      await set([{ match: 'GET /api/v2/sources', status }])
      const answers = await Promise.all(Array.from({ length: 20 }, () => stack.openSource('GET', '/sources')))
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]))
    }
  })

  test('spare other keys, and are not used up by them', async () => {
    const { stack, set } = await faulty()
    const { personalAccessKey, keyId } = stack.identity
    await set([{ match: '* /*/sources', key: keyId, status: 503, times: 1 }])
    expect((await stack.openSource('GET', '/sources')).status).toBe(200)
    expect((await stack.managed('GET', '/sources')).status).toBe(503)
    expect((await stack.managed('GET', '/sources')).status).toBe(200)
    await set([{ match: '* /*/sources', key: personalAccessKey, status: 503 }])
    expect((await stack.managed('GET', '/sources')).status).toBe(200)
    expect((await stack.openSource('GET', '/sources')).status).toBe(503)
  })

  test('cut the connection before or after the work', async () => {
    const { stack, set } = await faulty()
    const names = async () =>
      (await stack.openSource('GET', '/dashboards')).json.data.map((one: { name: string }) => one.name)
    await set([{ match: 'POST /api/v2/dashboards', reset: 'before', times: 1 }])
    await expect(stack.openSource('POST', '/dashboards', { name: 'before', tiles: [] })).rejects.toThrow()
    await set([{ match: 'POST /api/v2/dashboards', reset: 'after', times: 1 }])
    await expect(stack.openSource('POST', '/dashboards', { name: 'after', tiles: [] })).rejects.toThrow()
    expect(await names()).toContain('after')
    expect(await names()).not.toContain('before')
  })
})
