import { createServer, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  answerJson,
  answerText,
  gatewayForTests,
  newAlert,
  shortDeadlines,
  startTestGateway,
  startUpstream,
  type TestGateway,
  type TestUpstream,
} from '../testing/testGateway.ts'

const { upstream, gateway: patient } = await gatewayForTests({ tuning: { replyLimit: 200_000 } })
/** Only for responses that never come: on a busy machine, others may take as long as its deadlines. */
const hasty = await startTestGateway(upstream, { tuning: { deadlines: shortDeadlines } })
afterAll(() => hasty.close())

type Respond = Parameters<TestUpstream['become']>[0]

const json = 'application/json'
const html = answerText('<!doctype html><pre>Cannot GET /api/v2/alerts</pre>', 'text/html; charset=utf-8', 404)
const never: Respond = () => {}
const reset: Respond = (_, response) => void response.socket?.destroy()
const cut: Respond = (_, response) => {
  response.writeHead(200, { 'content-type': json, 'content-length': '1000' })
  response.write('{"data":')
  setTimeout(() => response.socket?.destroy(), 5)
}
const drip: Respond = (_, response) => {
  response.writeHead(200, { 'content-type': json })
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}
// Made once: compressing takes longer than a busy machine leaves of a request's time.
const bombBytes = gzipSync(Buffer.alloc(30 * 2 ** 20, '['))
const bomb: Respond = (_, response) => {
  response.writeHead(200, { 'content-type': json, 'content-encoding': 'gzip' })
  response.end(bombBytes)
}

interface Fault {
  name: string
  respond: Respond
  /** The outcome of a list read, an item read and a write of the item, and how often each reached the deployment. */
  list: [string, number]
  item: [string, number]
  write: [string, number]
  more?: Record<string, unknown>
  gateway?: TestGateway
}

const same = (code: string, hits = 1): Pick<Fault, 'list' | 'item' | 'write'> => ({
  list: [code, hits],
  item: [code, hits],
  write: [code, hits],
})

const faults: Fault[] = [
  { name: '401 text', respond: answerText('Unauthorized', 'text/plain', 401), ...same('keyRejected') },
  { name: '401 json', respond: answerJson({ status: 401, error: 'Invalid credentials' }, 401), ...same('keyRejected') },
  { name: '403 text', respond: answerText('Forbidden', 'text/plain', 403), ...same('forbidden') },
  { name: '403 json', respond: answerJson({ message: 'Forbidden' }, 403), ...same('forbidden') },
  {
    name: '404 json',
    respond: answerJson({ message: 'Alert not found' }, 404),
    ...same('notFound'),
    list: ['notOffered', 1],
  },
  {
    name: '404 text',
    respond: answerText('Not Found', 'text/plain', 404),
    ...same('notFound'),
    list: ['notOffered', 1],
  },
  { name: '404 html', respond: html, ...same('notOffered') },
  { name: '409', respond: answerJson({ message: 'in use' }, 409), ...same('conflict'), more: { message: 'in use' } },
  { name: '412', respond: answerJson({ message: 'changed' }, 412), ...same('conflict') },
  {
    name: '400 of an engine, with the query that the deployment made',
    respond: answerJson({ error: 'Unknown expression identifier `Error` in scope SELECT a AS __t FROM t' }, 400),
    ...same('invalid'),
    list: ['invalid', 2],
    more: { message: 'Unknown expression identifier `Error`' },
  },
  {
    name: '400',
    respond: answerJson({ message: 'Body validation failed: name: Required; tiles.0.w: Expected number; or so' }, 400),
    ...same('invalid'),
    list: ['invalid', 2], // requested once more without paging
    more: {
      fields: [
        { path: 'name', message: 'Required' },
        { path: 'tiles.0.w', message: 'Expected number; or so' },
      ],
    },
  },
  {
    name: '422',
    respond: answerJson(
      { status: 422, error: 'BAD_REQUEST: request body.numReplicas: too few <number:0>', requestId: 'r-1' },
      422,
    ),
    ...same('invalid'),
    list: ['invalid', 2],
    more: { fields: [{ path: 'numReplicas', message: 'too few' }], requestId: 'r-1' },
  },
  // A server closes a connection whose request does not come, which may be the moment at which it is sent.
  {
    name: '408',
    respond: answerJson({ error: 'Request Timeout', message: 'Client Timeout', statusCode: 408 }, 408),
    ...same('upstreamFailed', 3),
    write: ['outcomeUnknown', 7],
  },
  { name: '413', respond: answerJson({ message: 'x' }, 413), ...same('tooLarge') },
  {
    name: '424',
    respond: answerJson({ error: 'FAILED_DEPENDENCY: idle' }, 424),
    ...same('dependency'),
    more: { message: 'idle' },
  },
  {
    name: '500',
    respond: answerJson({ message: 'Something went wrong :(' }, 500),
    ...same('upstreamFailed', 3),
    write: ['upstreamFailed', 1],
  },
  {
    name: '503',
    respond: answerText('', 'text/plain', 503),
    ...same('upstreamFailed', 3),
    write: ['upstreamFailed', 1],
  },
  // A write is looked after: twice by reading, and each look is a read that is tried three times.
  {
    name: '504 html',
    respond: answerText('<html>', 'text/html', 504),
    ...same('upstreamFailed', 3),
    write: ['outcomeUnknown', 7],
  },
  { name: 'no answer', respond: never, ...same('timeout'), write: ['outcomeUnknown', 3], gateway: hasty },
  { name: 'a dripping answer', respond: drip, ...same('timeout'), write: ['outcomeUnknown', 3], gateway: hasty },
  { name: 'a reset', respond: reset, ...same('unreachable', 3), write: ['outcomeUnknown', 7] },
  { name: 'half an answer', respond: cut, ...same('unreachable', 3), write: ['outcomeUnknown', 7] },
  {
    name: 'malformed JSON',
    respond: answerText('{"data":[1,', json),
    ...same('malformedReply'),
    write: ['outcomeUnknown', 3],
  },
  {
    name: 'a web page',
    respond: answerText('<html>hi</html>', 'text/html'),
    ...same('malformedReply'),
    write: ['outcomeUnknown', 3],
  },
  { name: 'an empty answer', respond: answerText('', json), ...same('malformedReply'), write: ['outcomeUnknown', 3] },
  {
    name: 'the wrong shape',
    respond: answerJson({ data: 'text' }),
    ...same('malformedReply'),
    write: ['outcomeUnknown', 3],
  },
  {
    name: 'no result',
    respond: answerJson({ status: 200, requestId: 'r' }),
    ...same('malformedReply'),
    write: ['outcomeUnknown', 3],
  },
  {
    name: 'too deep',
    respond: answerText('['.repeat(100_000), json),
    ...same('malformedReply'),
    write: ['outcomeUnknown', 3],
  },
  {
    name: 'too large',
    respond: answerText(`"${'x'.repeat(300_000)}"`, json),
    ...same('tooLarge'),
    write: ['outcomeUnknown', 3],
  },
  { name: 'a gzip bomb', respond: bomb, ...same('tooLarge'), write: ['outcomeUnknown', 3] },
  {
    name: 'damaged gzip',
    respond: answerText('xx', json, 200, { 'content-encoding': 'gzip' }),
    ...same('malformedReply'),
    write: ['outcomeUnknown', 3],
  },
  {
    name: 'an encoding that nobody asked for',
    respond: answerText('xx', json, 200, { 'content-encoding': 'br' }),
    ...same('malformedReply'),
    write: ['outcomeUnknown', 3],
  },
  {
    name: 'a failure inside of a 200',
    respond: answerJson({ status: 403, error: 'no', requestId: 'r-2' }),
    ...same('forbidden'),
    more: { requestId: 'r-2', status: 403 },
  },
  {
    name: 'a redirect',
    respond: answerText('', 'text/plain', 302, { location: 'http://169.254.169.254/latest/meta-data?token=abc' }),
    ...same('upstreamFailed'),
    more: {
      message: expect.stringMatching(
        /redirects to http:\/\/169\.254\.169\.254\. The console does not follow redirects/,
      ),
    },
  },
]

const alerts = '/api/c/oss/stack/alerts'
const alert = `${alerts}/65f5e4a3b9e77c001a000001`

describe.each(faults)('$name', ({ respond, list, item, write, more, gateway = patient }) => {
  test.each([
    ['a list', 'GET', alerts, undefined, list],
    ['an item', 'GET', alert, undefined, item],
    ['a change', 'PUT', alert, newAlert, write],
  ] as const)('for %s', async (_, method, path, body, [code, hits]) => {
    upstream.become(respond)
    const answer = await gateway.call(method, path, body)
    expect([answer.code, upstream.hits.length]).toEqual([code, hits])
    expect(upstream.hits.filter(({ method }) => method !== 'GET')).toHaveLength(method === 'GET' ? 0 : 1)
    if (more && code !== 'outcomeUnknown') expect(answer.json).toMatchObject(more)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.json).toMatchObject({ requestId: expect.any(String), message: expect.any(String) })
  })
})

test('retries a failing read until it succeeds', async () => {
  let tries = 0
  upstream.become((hit, response) =>
    (++tries < 3 ? answerText('', 'text/plain', 500) : answerJson({ data: [] }))(hit, response),
  )
  expect((await patient.call('GET', alerts)).status).toBe(200)
  expect(upstream.hits).toHaveLength(3)
})

describe.each([
  ['GET', undefined],
  ['PUT', newAlert],
])('429 response to a %s', (method, body) => {
  const tooMany = (seconds: string) => answerText('Too many requests', 'text/html', 429, { 'retry-after': seconds })
  let other: TestGateway
  beforeEach(async () => {
    other = await startTestGateway(upstream)
  })
  afterEach(() => other.close())

  test('waits once for a short Retry-After', async () => {
    let tries = 0
    upstream.become((hit, response) =>
      (++tries < 2 ? tooMany('0.05') : answerJson({ data: { id: 'a' } }))(hit, response),
    )
    expect((await other.call(method, alert, body)).status).toBe(200)
    upstream.become(tooMany('0.05'))
    expect((await other.call(method, alert, body)).code).toBe('rateLimited')
    expect(upstream.hits).toHaveLength(2)
  })

  test('reports a long Retry-After, and sends nothing before it', async () => {
    upstream.become(tooMany('50'))
    expect((await other.call(method, alert, body)).json).toMatchObject({ code: 'rateLimited', retryAfter: 50 })
    const next = await other.call('GET', alerts)
    expect(next.json).toMatchObject({ code: 'rateLimited', message: expect.stringContaining('rate limit') })
    expect(next.headers.get('x-budget-remaining')).toBe('0')
    expect(upstream.hits).toHaveLength(1)
  })
})

test('a refused connection does not leave the outcome of a write unknown', async () => {
  const gone = await startUpstream()
  const other = await startTestGateway(gone)
  await gone.close()
  try {
    expect((await other.call('PUT', alert, newAlert)).json).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(`127.0.0.1:${gone.port} refused the connection`),
    })
  } finally {
    await other.close()
  }
})

test('cancels the request to the deployment when the browser disconnects', async () => {
  const closed = new Promise<void>((done) => {
    upstream.become((_, response) => void response.on('close', done))
  })
  // No deadline ends the request before the test's own.
  const long = 600_000
  const deadlines = { connect: long, headers: long, body: long, total: long }
  const patient = await startTestGateway(upstream, { tuning: { deadlines } })
  try {
    const leaving = new AbortController()
    const headers = { ...patient.own, cookie: patient.cookie }
    const request = fetch(patient.address + alerts, { headers, signal: leaving.signal }).catch(() => {})
    await expect.poll(() => upstream.hits.length, { interval: 5 }).toBeGreaterThan(0)
    leaving.abort()
    await closed
    await request
  } finally {
    await patient.close()
  }
})

test('reports 50 KB of response headers, with the outcome of a write unknown', async () => {
  const respond = answerJson({ data: [] }, 200, { 'x-large': 'a'.repeat(50_000) })
  upstream.become(respond)
  const read = await patient.call('GET', '/api/c/oss/stack/alerts')
  expect(read.json).toMatchObject({
    code: 'malformedReply',
    message: 'The headers of the response are larger than 16 KiB.',
  })
  expect(upstream.hits).toHaveLength(1)
  const write = await patient.call('POST', '/api/c/oss/stack/alerts', newAlert)
  expect(write.json).toMatchObject({ code: 'outcomeUnknown', detail: read.json.message })
})

describe('server that does not speak HTTP', () => {
  const bytes = {
    'greets as another protocol does': { greeting: 'SSH-2.0-OpenSSH_9.2\r\n', answer: '' },
    'answers a line of its own': { greeting: '', answer: '-ERR unknown command\r\n' },
    'answers bytes': { greeting: '', answer: '\u0015\u0003\u0001\u0000\u0002\u0002' },
    'answers HTTP that is cut off': { greeting: '', answer: 'HTTP/1.1 200 OK\r\ncontent-le' },
    'says nothing and closes': { greeting: '', answer: '' },
  }
  test.each(Object.entries(bytes))('%s: the outcome of a write is unknown', async (_, { greeting, answer }) => {
    let received = ''
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.write(greeting)
      socket.on('data', (piece) => {
        received += String(piece)
        socket.end(answer, 'latin1')
      })
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo // a listening TCP server has one
    const plain = await startTestGateway({ url: `http://127.0.0.1:${port}` })
    try {
      const { json } = await plain.call('POST', '/api/c/oss/stack/alerts', newAlert)
      expect({ sent: received.includes('POST'), code: json.code }).toEqual({ sent: true, code: 'outcomeUnknown' })
    } finally {
      await plain.close()
      server.close()
    }
  })
})

test('after a long Retry-After, the next write reports the delay at once', async () => {
  const upstream = await startUpstream()
  const patient = { retries: [1, 1], readBacks: [1, 1], wait: 59_000 }
  const other = await startTestGateway(upstream, { tuning: { retries: patient } })
  try {
    upstream.become(answerText('Too many', 'text/html', 429, { 'retry-after': '60' }))
    const write = () => other.call('POST', '/api/c/oss/stack/alerts', newAlert)
    expect((await write()).json).toMatchObject({ code: 'rateLimited', retryAfter: 60 })
    const second = await write()
    expect(second.code).toBe('rateLimited')
    expect(second.json.retryAfter).toBeGreaterThan(50)
    expect(upstream.hits).toHaveLength(1)
  } finally {
    await other.close()
    await upstream.close()
  }
})
