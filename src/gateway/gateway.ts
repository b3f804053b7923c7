/** The HTTP edge: serves the page, signs people in, keeps the connections, and sends what the contract names. */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
} from 'fastify'
import { gatewayPaths } from '#contract/connections.ts'
import { stringifyJson } from '#contract/json.ts'
import { Budgets, type BudgetRules } from './budget.ts'
import { registerConnections } from './connectionRoutes.ts'
import { Connections, type Seed } from './connections.ts'
import { defaultPatience, Deployments, type Patience } from './deployments.ts'
import { createEgress, type Deadlines, type Resolver } from './egress.ts'
import { failure, GatewayError, refusal } from './errors.ts'
import { Hosts, oddUrl, refuseForeign } from './guard.ts'
import { setSecurityHeaders } from './headers.ts'
import { settleRotation } from './keyRotation.ts'
import { openKeyInUse } from './keysInUse.ts'
import { hasPrototypeKey, MalformedJson, readJson } from './json.ts'
import { registerPages, type Pages } from './pages.ts'
import { answerRefused } from './refused.ts'
import { registerEndpoints } from './routes.ts'
import { markRunning } from './runningMark.ts'
import type { Pace } from './sampling/pace.ts'
import { Samplers } from './sampling/samplers.ts'
import { registerSampling } from './sampling/samplingRoutes.ts'
import { registerSession, registerSessionList, requireSession, sessionOf } from './sessionRoutes.ts'
import { Password, Sessions, SignInToken } from './sessions.ts'
import { defaultDeadlines, replyLimit, Upstream } from './upstream.ts'
import { WriteLog } from './writeLog.ts'

export interface GatewayOptions {
  host: string
  /** 0 takes any free port. */
  port: number
  dataDir: string
  pages: Pages
  logger: FastifyBaseLogger
  /** Identifies the build: an open page reloads when it changes. */
  build: string
  /** Offers a lasting sign-in. */
  password?: string | undefined
  /** What the stored keys are sealed with, instead of `console.key` in the data directory. */
  secret?: string | undefined
  /** Connections that are created when absent. */
  seeds?: readonly Seed[]
  /** Hosts that the console is also reached under, as browsers spell them in the Host header. */
  allowedHosts?: readonly string[]
  /** The address that people open, where a proxy stands in front; https makes the cookie Secure. */
  publicUrl?: string | undefined
  /** Watches every request of the API and the page, such as `selfTelemetry.plugin`. */
  watch?: FastifyPluginAsync
  /** Told at the start, and each time a link was used. */
  onSignInUrl?: (url: string) => void
  /** Rate limits that are known to differ from the usual ones, by the deployment's origin. */
  budgets?: Record<string, BudgetRules>
  /** For tests, and for networks that are slower than most. */
  tuning?: {
    deadlines?: Deadlines
    replyLimit?: number
    patience?: Patience
    resolve?: Resolver
    now?: () => number
    slowest?: Slowest
    pace?: Pace
  }
}

/** Milliseconds that a browser may take: whoever is slower loses the connection. */
export interface Slowest {
  headers: number
  /** From the first byte of a request to the last of its body. */
  request: number
  /** Without a byte in either direction; longer than any deployment may take. */
  silence: number
}

const usualSlowest: Slowest = { headers: 15_000, request: 60_000, silence: 600_000 }

export interface Gateway {
  /** Where people open the console. */
  url: string
  /** Where it listens, on this machine. */
  address: string
  /** The link that signs in the next person who opens it. */
  signInUrl(): string
  close(): Promise<void>
}

/** Requests a minute and session: far above a person, below a runaway page. */
const sessionRequests = 3_000

/** Milliseconds that requests under way are given at the end. */
const lastPatience = 5_000

/** A limit is told in the body alone: the headers of this kind are about the deployment's. */
const silent = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/** Starts listening. @throws what `listen` throws when the port is taken; UnusableState for what it finds in `dataDir` */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, dataDir, tuning = {}, publicUrl } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  settleRotation(dataDir, options.secret)
  const seeds = options.seeds ?? []
  const seeded = seeds.map(({ id }) => id)
  const connections = new Connections(dataDir, openKeyInUse(dataDir, options.secret, seeded))
  connections.seed(seeds)
  const egress = createEgress(tuning.deadlines ?? defaultDeadlines, tuning.resolve)
  const upstream = new Upstream(egress, tuning.deadlines ?? defaultDeadlines, tuning.replyLimit ?? replyLimit)
  const budgets = new Budgets(options.budgets)
  const deployments = new Deployments(upstream, budgets, tuning.patience ?? defaultPatience)
  const samplers = new Samplers(connections, deployments, tuning.pace)
  const token = new SignInToken()
  const https = publicUrl?.startsWith('https:') ?? false

  // Known once the port is: no request comes before.
  let hosts: Hosts | undefined
  const app = createApp(options.logger, tuning.slowest ?? usualSlowest, (request, response) => {
    setSecurityHeaders(response, https)
    return hosts?.allows(request) ?? false
  })
  const signInUrl = () => `${hosts?.address(host, portOf(app)) ?? ''}/sign-in#token=${token.value}`
  const parts = {
    sessions: new Sessions(dataDir, tuning.now),
    token,
    password: options.password ? new Password(options.password) : undefined,
    build: options.build,
    cookie: { name: `${https ? '__Host-' : ''}stack_console_${options.port}`, secure: https },
    onSignOut: (key: string) => samplers.leave(key),
    onTokenUsed: () => options.onSignInUrl?.(signInUrl()),
  }

  if (options.watch) await app.register(options.watch)
  await app.register(cookie)
  await app.register(rateLimit, {
    max: sessionRequests,
    timeWindow: 60_000,
    hook: 'preHandler',
    // Files cost nothing, and a page is made of many.
    allowList: (request) => !request.url.startsWith('/api/'),
    addHeaders: silent,
    addHeadersOnExceeding: silent,
    keyGenerator: (request) => request.sessionKey || request.ip,
    errorResponseBuilder: (_, { ttl }) =>
      failure('rateLimited', 'Too many requests from this browser.', { retryAfter: Math.ceil(ttl / 1000) }),
  })
  app.decorateRequest('sessionKey', '')
  app.addHook('onRequest', async (request) => {
    if (!request.url.startsWith('/api/')) return
    if (hosts) refuseForeign(request.raw, hosts)
    if (request.url !== gatewayPaths.session) requireSession(request, parts)
  })
  registerSession(app, parts)
  registerSessionList(app, parts)
  registerConnections(app, connections, deployments, (id) => samplers.forget(id))
  registerSampling(app, samplers)
  registerEndpoints(app, { connections, deployments, writeLog: new WriteLog() })
  await registerPages(app, options.pages, (request) => {
    const session = sessionOf(request, parts)
    // A link from another site comes without the cookie: who is not known here may be known to the page’s own request.
    return session.signedIn ? { session, connections: connections.list() } : null
  })

  await app.listen({ host, port: options.port })
  const unmark = markRunning(dataDir)
  hosts = new Hosts({ host, port: portOf(app), publicUrl, more: options.allowedHosts ?? [] })
  options.onSignInUrl?.(signInUrl())
  return {
    url: hosts.address(host, portOf(app)),
    address: hosts.listening(host, portOf(app)),
    signInUrl,
    close: async () => {
      const force = setTimeout(() => app.server.closeAllConnections(), lastPatience)
      samplers.close()
      await app.close()
      clearTimeout(force)
      await egress.close()
      unmark()
    },
  }
}

const foreignHost = refusal(421, 'This host name is not one of the console’s: see ALLOWED_HOSTS.')

/** `isForUs` decides on the raw request before any route is looked up. */
function createApp(
  logger: FastifyBaseLogger,
  slowest: Slowest,
  isForUs: (request: IncomingMessage, response: ServerResponse) => boolean,
): FastifyInstance {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    connectionTimeout: slowest.silence,
    // What is under way is waited for: see `close`.
    forceCloseConnections: 'idle',
    // A path parameter is 128 characters at most (contract/kernel.ts); a longer one is an id that is not valid.
    routerOptions: { maxParamLength: 2_048 },
    serverFactory: (handle) =>
      createServer(
        {
          requestTimeout: slowest.request,
          headersTimeout: slowest.headers,
          keepAliveTimeout: 10_000,
          connectionsCheckingInterval: Math.min(5_000, slowest.headers),
        },
        (request, response) => {
          const forUs = isForUs(request, response)
          const odd = oddUrl(request.url ?? '')
          if (!forUs) answerRefused(request, response, foreignHost)
          else if (odd) answerRefused(request, response, refusal(400, `The address is refused: ${odd}.`))
          else handle(request, response)
        },
      ),
  })
  endUnusedConnections(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_: unknown, text: string) => bodyOf(text))
  app.setReplySerializer((payload) => stringifyJson(payload))
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    request.log.debug({ method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) })
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = error instanceof GatewayError ? error : translated(error)
    // A fault of ours is logged by its name and place; its text might quote what it was given.
    // Who has gone already is owed nothing: what was stopped for that reason is no fault.
    if (known.error.code === 'failed' && !reply.raw.destroyed)
      request.log.error({ fault: error.name, code: error.code, at: placeOf(error) })
    const { requestId = request.id } = known.error
    return reply
      .code(known.httpStatus)
      .type('application/json; charset=utf-8')
      .send({ ...known.error, requestId })
  })
  return app
}

/** Browsers open connections ahead of need. To Node one without a request is not idle, and the end would wait for it. */
function endUnusedConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
  })
}

function bodyOf(text: string): unknown {
  if (text === '') return undefined
  try {
    const body = readJson(text)
    if (hasPrototypeKey(body)) throw refusal(400, 'The body has a key that is not accepted.')
    return body
  } catch (error) {
    throw error instanceof MalformedJson ? refusal(400, `The body is ${error.message}.`) : error
  }
}

/** Fastify's own refusals, in the words of the contract. */
function translated(error: FastifyError): GatewayError {
  if (error.statusCode === 413) return failure('tooLarge', 'The body is larger than this operation takes.')
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return refusal(error.statusCode, 'The request is not one that the console sends.')
  }
  return failure('failed', 'The console’s server failed; its log says where.')
}

function placeOf(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .map((line) => line.trim())
    .join(' < ')
}

function portOf(app: FastifyInstance): number {
  // A server that listens on a host and port has an address of this kind.
  return (app.server.address() as AddressInfo).port
}
