/** Reads with the tools of deployments, through the routes of the gateway, against a real MCP server. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { startToolServer, type ToolServer, type ToolServerOptions } from '#node/testing/toolServer.ts'
import type { GatewayOptions } from '../gatewayOptions.ts'
import { agentWith, tokenOf } from '../testing/testAgent.ts'
import { generousBudgetsFor, secrets, startTestGateway, type TestGateway } from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

const names = '/api/c/oss/stack/sources/65f5e4a3b9e77c001a000001/metric-names'
const evaluations = '/api/c/oss/stack/alerts/65f5e4a3b9e77c001a000002/evaluations'

let server: ToolServer
let gateway: TestGateway

const metric = (name: string, kind = 'gauge') => ({ name, kind, unit: 'By', description: 'of a test' })

async function start(options: Partial<ToolServerOptions> = {}): Promise<void> {
  server = await startToolServer({
    key: secrets.accessKey,
    tools: { listMetrics: () => ({ metrics: [metric('system.memory.usage')], usage: 'Pass …' }) },
    ...options,
  })
  gateway = await startTestGateway(server, {
    budgets: generousBudgetsFor(server.url),
    tuning: { deadlines: { connect: 5_000, headers: 5_000, body: 1_500, total: 3_000 }, replyLimit: 2_000_000 },
  })
}

/** Starts the gateway again with other limits. */
async function restarted(tuning: GatewayOptions['tuning']): Promise<TestGateway> {
  await gateway.close()
  return startTestGateway(server, { budgets: generousBudgetsFor(server.url), tuning: tuning ?? {} })
}

/** Writes 100 MB as fast as it is read. */
async function pour(response: ServerResponse): Promise<void> {
  const pieces = Array.from({ length: 1_000 }, () => `data: ${'x'.repeat(100_000)}\n`)
  await pipeline(Readable.from(pieces), response).catch(() => {})
}

beforeEach(() => start())
afterEach(async () => {
  await gateway.close()
  await server.close()
})

const methods = () => server.messages.map((body) => (JSON.parse(body) as { method: string }).method) // our own messages

describe('names of metrics', () => {
  test('come from the tool, with a sentence that says so, after one greeting for all reads', async () => {
    const first = await gateway.call('GET', names)
    expect(first.json).toMatchObject({
      result: [{ name: 'system.memory.usage', type: 'gauge', unit: 'By' }],
      origin: 'From the deployment’s MCP endpoint: metrics with points in the last 24 hours.',
    })
    await gateway.call('GET', names)
    const greeting = ['initialize', 'notifications/initialized', 'tools/list']
    expect(methods()).toEqual([...greeting, 'tools/call', 'tools/call'])
    // The API was asked once whether it has them.
    expect(server.paths).toHaveLength(1)
  })

  test('are read to the end, or said to be some', async () => {
    let calls = 0
    server.options.tools.listMetrics = ({ cursor, limit }) => {
      calls++
      expect(limit).toBe(500)
      return { metrics: [metric(`m${String(cursor)}`)], nextCursor: calls % 3 === 0 ? 'more' : `c${calls}` }
    }
    const { json } = await gateway.call('GET', names)
    expect(json['result']).toMatchObject([{ name: 'mundefined' }, { name: 'mc1' }, { name: 'mc2' }])
    expect(json['origin']).toContain('the first 3 metrics')
  })
})

/** Answers every message with a status and a body. */
const answering =
  (status: number, body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  (_: string, response: ServerResponse): boolean => {
    response.writeHead(status, headers).end(body)
    return true
  }

describe('a deployment without a usable endpoint', () => {
  test.each([
    ['no such route', answering(404, '<pre>Cannot POST /mcp</pre>', { 'content-type': 'text/html' })],
    ['a web page', answering(200, '<html>Sign in</html>', { 'content-type': 'text/html' })],
    ['a redirect', answering(307, '', { location: 'http://127.0.0.1:1/elsewhere' })],
    ['a refused key', answering(401, 'Unauthorized')],
    [
      'a refused address',
      answering(403, '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Invalid Host"},"id":null}'),
    ],
    ['another protocol', answering(200, '{"data":[]}')],
    [
      'a version that is no header',
      answering(200, '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1\\r\\nx: y"}}'),
    ],
  ])('has no names of metrics, and is not asked again: %s', async (_, instead) => {
    server.options.instead = instead
    const first = await gateway.call('GET', names)
    expect([first.status, first.code, first.json['message']]).toEqual([
      404,
      'notOffered',
      'This deployment does not offer metric names of sources.',
    ])
    expect((await gateway.call('GET', names)).code).toBe('notOffered')
    expect(server.messages).toHaveLength(1)
  })

  test('has an endpoint without the tool', async () => {
    server.options.tools = { getAlert: () => ({ history: [] }) }
    expect((await gateway.call('GET', names)).code).toBe('notOffered')
    expect((await gateway.call('GET', evaluations)).status).toBe(200)
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(1)
  })

  test('fails for now: it is asked again', async () => {
    server.options.instead = answering(500, 'Internal error')
    expect((await gateway.call('GET', names)).code).toBe('upstreamFailed')
    server.options.instead = undefined
    expect((await gateway.call('GET', names)).status).toBe(200)
  })
})

describe('an endpoint that attacks', () => {
  test.each([
    ['as one piece', (response: ServerResponse) => response.end(`{"a":"${'x'.repeat(100_000_000)}"}`)],
    ['as a stream', (response: ServerResponse) => void pour(response)],
  ])('sends 100 MB, %s', async (_, send) => {
    server.options.instead = (body, response) => {
      if (!body.includes('tools/call')) return false
      response.on('error', () => {}).writeHead(200, { 'content-type': 'text/event-stream' })
      send(response)
      return true
    }
    const { code, text } = await gateway.call('GET', names)
    expect([code, text.length < 1000]).toEqual(['tooLarge', true])
  })

  test('sends millions of values in little text', async () => {
    gateway = await restarted({ replyLimit: 30_000_000 })
    server.options.tools.listMetrics = () => `{"metrics":[${'0,'.repeat(2_100_000)}0]}`
    expect((await gateway.call('GET', names)).code).toBe('tooLarge')
  })

  test.each(['silent', 'dripping'])('never ends its response: %s', async (way) => {
    server.options.instead = (body, response) => {
      if (!body.includes('tools/call')) return false
      response
        .on('error', () => {})
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .flushHeaders()
      const timer = way === 'dripping' ? setInterval(() => response.write(': wait\n\n'), 50) : undefined
      response.on('close', () => clearInterval(timer))
      return true
    }
    expect((await gateway.call('GET', names)).code).toBe('timeout')
  })

  test('changed its schema, or quotes nothing that is JSON', async () => {
    for (const answer of [
      { metrics: 'none' },
      { metrics: [{ name: 1 }] },
      {},
      'no JSON',
      '{"metrics":[{"name":"a"',
      '[]',
    ]) {
      server.options.tools.listMetrics = () => answer
      expect((await gateway.call('GET', names)).code).toBe('malformedReply')
    }
  })

  test('puts hostile text into names, which stay text', async () => {
    const hostile = ['<img src=x onerror=alert(1)>', '\u202Eevil', '__proto__', 'x'.repeat(100_000), 'a\u0000\nb']
    server.options.tools.listMetrics = () => ({ metrics: hostile.map((name) => metric(name)), more: { __proto__: 1 } })
    const { json, headers } = await gateway.call('GET', names)
    expect((json['result'] as { name: string }[]).map(({ name }) => name)).toEqual(hostile) // checked by this
    expect(headers.get('content-type')).toContain('application/json')
  })

  test('quotes the key in its errors', async () => {
    server.options.tools.listMetrics = () => {
      throw new Error(`Nobody has ${secrets.accessKey} ${'x'.repeat(10_000)}`)
    }
    const { code, text, json } = await gateway.call('GET', names)
    expect([code, json['message']]).toEqual(['invalid', expect.stringContaining('Nobody has •••')])
    server.options.instead = answering(403, `no: ${secrets.accessKey}`)
    const other = await gateway.call('GET', evaluations)
    expect(text.length).toBeLessThan(1000)
    expect(text + other.text + gateway.log.join('')).not.toContain(secrets.accessKey)
  })

  test('tells a limit of its own, which is not that of the API', async () => {
    server.options.instead = (_, response) => {
      response.setHeader('ratelimit-limit', '1000000000')
      response.setHeader('ratelimit-remaining', '999999999')
      return false
    }
    await gateway.call('GET', names)
    const { json } = await gateway.call('GET', '/api/connections/oss/budget')
    expect(json['limit']).toBe(1_000_000)
  })

  test('says that there are too many requests, which pauses the key', async () => {
    server.options.instead = answering(429, 'Too many', { 'retry-after': '3600' })
    const { code, json } = await gateway.call('GET', names)
    expect([code, json['retryAfter']]).toEqual(['rateLimited', 3600])
    expect((await gateway.call('GET', '/api/c/oss/stack/alerts')).code).toBe('rateLimited')
  })
})

describe('sessions', () => {
  test('that end are opened again', async () => {
    server.options.sessions = true
    expect((await gateway.call('GET', names)).status).toBe(200)
    server.forgetSessions()
    expect((await gateway.call('GET', names)).status).toBe(200)
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(2)
  })

  test('that always end are not opened for ever', async () => {
    server.options.sessions = true
    server.options.instead = (body, response) => body.includes('tools/call') && answering(404, '{}')(body, response)
    expect((await gateway.call('GET', names)).code).toBe('malformedReply')
    expect(server.messages).toHaveLength(8)
  })

  test('are opened once for reads at the same time', async () => {
    const reads = ['a', 'b', 'c'].map((id) => gateway.call('GET', names.replace('a000001', `a00000${id}`)))
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(1)
  })
})

describe('evaluations of an alert', () => {
  const window = (minute: number, state = 'OK', values = [minute]) => ({
    createdAt: new Date(minute * 60_000).toISOString(),
    state,
    counts: 0,
    lastValues: values.map((count) => ({ startTime: new Date((minute - 1) * 60_000).toISOString(), count })),
    novel: 'stays',
  })

  test('are the newest windows; values that belong to groups nobody knows are left out', async () => {
    server.options.tools = { getAlert: () => ({ id: 'x', history: [window(9, 'ALERT', [1, 2]), window(8)] }) }
    const { json } = await gateway.call('GET', evaluations)
    expect(json).toMatchObject({
      result: {
        items: [{ state: 'ALERT', lastValues: [], novel: 'stays' }, { lastValues: [{ count: 8 }] }],
        hasMore: false,
      },
      origin: 'From the deployment’s MCP endpoint, which returns the newest 20 windows, none older than 21 intervals.',
    })
    const later = await gateway.call('GET', `${evaluations}?startTime=${9 * 60_000}`)
    expect(later.json['result']).toMatchObject({ items: [{ state: 'ALERT' }] })
  })
})

describe('what agents read and propose about an alert', () => {
  const callTool = async (tool: string, more: object = {}) => {
    const { secret } = await tokenOf(await signInAs(gateway, { role: 'operator', roles: {} }), { role: 'operator' })
    const agent = await agentWith(gateway, secret)
    const answer = await agent.use(tool, { connection: 'oss', alertId: '65f5e4a3b9e77c001a000002', ...more })
    await agent.client.close()
    return answer
  }
  const read = () => callTool('read_alert_history')

  test('a silence is not proposed where the deployment has none', async () => {
    const answer = await callTool('silence_alert', { minutes: 5, reason: 'A release is under way.' })
    expect(answer).toMatchObject({
      isError: true,
      json: { error: 'notOffered', message: 'This deployment does not offer silences of alerts.' },
    })
    expect((await gateway.call('GET', '/api/change-requests')).json).toMatchObject({ items: [] })
  })

  test('a history has the windows of the endpoint, says where they come from, and what is missing', async () => {
    const createdAt = new Date(currentTime() - 60_000).toISOString()
    server.options.tools.getAlert = () => ({ history: [{ createdAt, state: 'OK', counts: 0, lastValues: [] }] })
    const { isError, json } = await read()
    expect(isError).toBe(false)
    expect(json.untrustedTelemetry.data).toEqual({
      newestWindows: [{ createdAt, state: 'OK', counts: 0, lastValues: [] }],
      origin: expect.stringContaining('From the deployment’s MCP endpoint'),
      missing: 'This deployment does not offer firings of alerts.',
    })
  })

  test('a history is an error where the deployment has neither', async () => {
    server.options.instead = answering(404, '')
    expect(await read()).toMatchObject({
      isError: true,
      json: { error: 'notOffered', message: 'This deployment does not offer firings of alerts.' },
    })
  })
})

describe('the list of tools', () => {
  test('is by the names of the connection, or else of another profile', async () => {
    server.options.prefix = 'stack_'
    expect((await gateway.call('GET', names)).status).toBe(200)
  })
})
