/** For the tests of this folder: a deployment on a real socket, and a gateway in front of it, signed in. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll } from 'vitest'
import { consoleHeader } from '#contract/console/connections.ts'
import type { Seed } from '../connections/connections.ts'
import { testDatabaseUrl } from './testDatabase.ts'
import { startGateway } from '../gateway.ts'
import type { GatewayOptions } from '../gatewayOptions.ts'

export interface Hit {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

type Respond = (hit: Hit, response: ServerResponse) => void | Promise<void>

/** A server that records its requests and sends the given responses. */
export async function startUpstream(respond: Respond = answerJson({ data: [] })) {
  const hits: Hit[] = []
  const behaviour = { respond }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const hit = { method, url, headers, body: Buffer.concat(pieces).toString('utf8') }
      hits.push(hit)
      void behaviour.respond(hit, response)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    hits,
    /** How it answers now. */
    get respond() {
      return behaviour.respond
    },
    /** Answers otherwise from now on, and forgets the hits. */
    become(next: Respond) {
      behaviour.respond = next
      hits.length = 0
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export type TestUpstream = Awaited<ReturnType<typeof startUpstream>>

export function answerJson(body: unknown, status = 200, headers: Record<string, string> = {}): Respond {
  return answerText(JSON.stringify(body), 'application/json', status, headers)
}

export function answerText(text: string, type: string, status = 200, headers: Record<string, string> = {}): Respond {
  return (_, response) => {
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(text)
  }
}

export const secrets = {
  accessKey: 'oss-access-key-4b1d-SEEDED-1f2e',
  keySecret: 'managed-key-secret-SEEDED-77aa',
  password: 'console-password-SEEDED-31',
}
export const organizationId = '11111111-1111-4111-8111-111111111111'
export const serviceId = '22222222-2222-4222-8222-222222222222'

/** An open-source connection, named by its ID. @param more what differs: a key of its own has a budget of its own */
export function openSourceSeed(id: string, baseUrl: string, more: Partial<Seed> = {}): Seed {
  return { id, name: id, variant: 'openSource', baseUrl, allowPrivate: true, accessKey: secrets.accessKey, ...more }
}

/** One connection of each variant, and a locked one, to the same deployment. */
export function seedsTo(baseUrl: string): Seed[] {
  const managed = {
    variant: 'managed',
    organizationId,
    serviceId,
    keyId: 'key-id',
    keySecret: secrets.keySecret,
  } as const
  return [
    openSourceSeed('oss', baseUrl, { name: 'Open source' }),
    { id: 'managed', name: 'Managed', baseUrl, allowPrivate: true, ...managed },
    { id: 'locked', name: 'Locked', baseUrl, allowPrivate: true, readOnly: true, ...managed },
    { id: 'wired', name: 'Other names', baseUrl, allowPrivate: true, naming: 'clickhouse', ...managed },
  ]
}

/** Repeats at once, with deadlines that no test comes near, however busy the machine is. */
const fast = {
  deadlines: { connect: 60_000, headers: 60_000, body: 60_000, total: 60_000 },
  retries: { retries: [1, 1], readBacks: [1, 1], wait: 1_000 },
}

/** For tests about slow deployments: what takes longer has failed. */
export const shortDeadlines = { connect: 1_000, headers: 1_000, body: 1_000, total: 400 }

/** Limits that no test but those of the budget comes near. */
const ample = { limit: 1_000_000, window: 1_000 }

/** `ample` for several deployments. */
export function generousBudgetsFor(...urls: string[]): NonNullable<GatewayOptions['budgets']> {
  return Object.fromEntries(urls.map((url) => [url, { openSource: ample, managed: ample }]))
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  json: Record<string, unknown>
  code: unknown
}

/** As the build draws them: small ones, of two pages. */
const outlines = {
  rules: [':root{--a:1}', '.sc-other{top:0}', '.sc-bar{color:var(--stage-local)}'],
  pieces: [
    '<h1>Sign in</h1>',
    '<header><!--connection--><!--writes--></header>',
    '<a href="/c/connection-placeholder/alerts">Alerts</a>',
  ],
  pages: {
    '/sign-in': { title: '', drawn: { 'openSource wide': { html: [0], rules: [0] } } },
    '/c/$connectionId/alerts': {
      title: 'Alerts · __CONNECTION_NAME__',
      drawn: { 'openSource wide': { html: [1, 2], rules: [2, 0] } },
    },
  },
  connections: Object.fromEntries(
    ['production', 'staging', 'development', 'local'].map((stage) => [
      `openSource ${stage} false`,
      { connection: `<button>__CONNECTION_NAME__ ${stage}</button>`, writes: '', rules: [] },
    ]),
  ),
}

/** Part of the page that a test gateway serves. */
export const inlineScript = 'theme()'

/** A page as the build writes it, with one chunk. */
function writePages(distDir: string): void {
  mkdirSync(join(distDir, 'assets'), { recursive: true })
  const meta = [
    'csp-nonce" content="__CSP_NONCE__',
    'base-path" content="__BASE_PATH__',
    'first-state" content="__FIRST_STATE__',
    'page-reads" content="__PAGE_READS__',
  ]
  const links =
    '<link rel="icon" href="/icon.svg"><style>@font-face{src:url(/assets/font.woff2)}</style><a href="#main"></a><a href="https://elsewhere.example/"></a>'
  const head = `<head><title>Console</title><script>${inlineScript}</script>${links}<!--outline-styles-->${meta.map((text) => `<meta name="${text}">`).join('')}</head>`
  writeFileSync(
    join(distDir, 'index.html'),
    `<!doctype html><html>${head}<body><div id="root"><!--outline--></div></body></html>`,
  )
  const needs = {
    '/c/$connectionId/$page': { chunks: ['/assets/any-1.js'], reads: [], backgroundReads: [] },
    '/c/$connectionId/alerts': {
      chunks: ['/assets/page-4f2a.js'],
      reads: ['alerts.list', 'webhooks.list'],
      backgroundReads: ['sources.list'],
    },
    '/c/$connectionId/alerts/$alertId': { chunks: [], reads: ['alerts.get'], backgroundReads: [] },
  }
  writeFileSync(join(distDir, '.pages.json'), JSON.stringify(needs))
  writeFileSync(join(distDir, '.outlines.json'), JSON.stringify(outlines))
  writeFileSync(join(distDir, 'assets/page-4f2a.js'), 'export {}')
  writeFileSync(join(distDir, 'assets/page-4f2a.js.br'), 'compressed')
  writeFileSync(join(distDir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
}

/** A gateway on a free port with its own folder, already signed in. */
export async function startTestGateway(upstream: { url: string }, options: Partial<GatewayOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'))
  const distDir = join(folder, 'dist')
  writePages(distDir)
  const log: string[] = []
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    dataDir: join(folder, 'data'),
    databaseUrl: await testDatabaseUrl(join(folder, 'data')),
    pages: { distDir },
    logger: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
    build: 'test',
    password: secrets.password,
    seeds: seedsTo(upstream.url),
    budgets: { [upstream.url]: { openSource: ample, managed: ample } },
    ...options,
    tuning: { ...fast, ...options.tuning },
  })
  const own = { [consoleHeader]: '1', origin: gateway.address }
  const post = { ...own, 'content-type': 'application/json' }
  const token = gateway.signInUrl().split('#token=')[1]
  const entry = await fetch(`${gateway.address}${options.basePath ?? ''}/api/session`, {
    method: 'POST',
    headers: post,
    body: JSON.stringify({ token }),
  })
  const setCookie = entry.headers.get('set-cookie') ?? ''
  const cookie = setCookie.split(';')[0] ?? ''

  /** One request as the page makes it. */
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const response = await fetch(gateway.address + path, {
      method,
      headers: { ...(body === undefined ? own : post), cookie, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    // Tests look into answers of every kind; a wrong guess fails their expectation.
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    const json = (isJson && text !== '' ? JSON.parse(text) : {}) as Record<string, unknown>
    return { status: response.status, headers: response.headers, text, json, code: json.code }
  }

  return {
    ...gateway,
    folder,
    port: Number(new URL(gateway.address).port),
    cookie,
    setCookie,
    own,
    log,
    call,
    /** Ends it without its folder. */
    stop: gateway.close,
    close: async () => {
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Both of them, from the first test of a file to its last. */
export async function gatewayForTests(options: Partial<GatewayOptions> = {}) {
  const upstream = await startUpstream()
  const gateway = await startTestGateway(upstream, options)
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
  })
  return { upstream, gateway }
}

/** A request whose every header is the test's own, Host included. */
export function sendRaw(address: string, options: RequestOptions, body = '') {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((done, fail) => {
    const outgoing = request(address, options, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        done({ status, headers, text: Buffer.concat(pieces).toString('utf8') })
      })
    })
    outgoing.on('error', fail)
    outgoing.end(body)
  })
}

/** Sends raw bytes, and returns everything that comes back until the other side closes. */
export function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((done) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    socket.setTimeout(2_000, () => socket.destroy())
    socket.on('data', (piece) => (answer += piece.toString('latin1')))
    socket.on('error', () => {})
    socket.on('close', () => done(answer))
  })
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>

export const newAlert = {
  name: 'Too many errors',
  source: 'tile',
  dashboardId: '65f5e4a3b9e77c001a000001',
  tileId: '65f5e4a3b9e77c001a000002',
  threshold: 100,
  interval: '1h',
  thresholdType: 'above',
  channel: { type: 'webhook', webhookId: '65f5e4a3b9e77c001a000003' },
}
