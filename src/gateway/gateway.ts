/** The HTTP edge: serves the page, signs people in, keeps the connections, and sends what the contract names. */
import { mkdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from 'fastify'
import { gatewayPaths } from '#contract/connections.ts'
import { Budgets, type BudgetRules } from './upstream/budget.ts'
import { registerConnections } from './connections/connectionRoutes.ts'
import { Connections, type Seed } from './connections/connections.ts'
import { defaultRetries, Deployments, type Retries } from './upstream/deployments.ts'
import { createEgress, type Deadlines, type Resolver } from './upstream/egressGuard.ts'
import { failure } from './http/errors.ts'
import { Hosts, refuseForeign } from './http/guard.ts'
import { setSecurityHeaders } from './http/headers.ts'
import { createHttpApp, type Slowest } from './http/httpApp.ts'
import { settleRotation } from './connections/keyRotation.ts'
import { openKeyInUse } from './connections/keysInUse.ts'
import { registerPages, type Pages } from './http/pages.ts'
import { registerEndpoints } from './resources/routes.ts'
import { Revisions } from './resources/revisions.ts'
import type { Pace } from './sampling/pace.ts'
import { Samplers } from './sampling/samplers.ts'
import { registerSampling } from './sampling/samplingRoutes.ts'
import { registerSession, registerSessionList, requireSession, sessionOf } from './sessions/sessionRoutes.ts'
import { Password, Sessions, SignInToken } from './sessions/sessions.ts'
import { defaultDeadlines, replyLimit, Upstream } from './upstream/upstream.ts'
import { WriteLog } from './resources/writeLog.ts'

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
    retries?: Retries
    resolve?: Resolver
    now?: () => number
    slowest?: Slowest
    pace?: Pace
  }
}

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
  const key = openKeyInUse(dataDir, options.secret, seeded)
  const connections = new Connections(dataDir, key)
  connections.seed(seeds)
  const egress = createEgress(tuning.deadlines ?? defaultDeadlines, tuning.resolve)
  const upstream = new Upstream(egress, tuning.deadlines ?? defaultDeadlines, tuning.replyLimit ?? replyLimit)
  const budgets = new Budgets(options.budgets)
  const deployments = new Deployments(upstream, budgets, tuning.retries ?? defaultRetries)
  const samplers = new Samplers(connections, deployments, tuning.pace)
  const token = new SignInToken()
  const https = publicUrl?.startsWith('https:') ?? false

  // Known once the port is: no request comes before.
  let hosts: Hosts | undefined
  const isForUs = (request: IncomingMessage, response: ServerResponse) => {
    setSecurityHeaders(response, https)
    return hosts?.allows(request) ?? false
  }
  const app = createHttpApp(options.logger, isForUs, tuning.slowest)
  const tellSignInUrl = () => {
    try {
      options.onSignInUrl?.(signInUrl())
    } catch (error) {
      // Whoever has just signed in is signed in, even where the next link cannot be stored.
      app.log.error({ fault: error instanceof Error ? error.message : 'unknown' }, 'The sign-in link was not stored.')
    }
  }
  const signInUrl = () => `${hosts?.address(host, portOf(app)) ?? ''}/sign-in#token=${token.value}`
  const parts = {
    sessions: new Sessions(dataDir, tuning.now),
    token,
    password: options.password ? new Password(options.password) : undefined,
    build: options.build,
    cookie: { name: `${https ? '__Host-' : ''}stack_console_${options.port}`, secure: https },
    onSignOut: (key: string) => samplers.leave(key),
    onTokenUsed: tellSignInUrl,
  }

  if (options.watch) await app.register(options.watch)
  await app.register(cookie)
  await app.register(rateLimit, {
    max: sessionRequests,
    timeWindow: 60_000,
    hook: 'preHandler',
    // Files cost nothing, and a page is made of many. Signing in counts what was wrong: strangers lock nobody out.
    allowList: (request) => !request.url.startsWith('/api/') || request.url === gatewayPaths.session,
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
  registerEndpoints(app, { connections, deployments, writeLog: new WriteLog(), revisions: new Revisions(key) })
  await registerPages(app, options.pages, (request) => {
    const session = sessionOf(request, parts)
    // A link from another site comes without the cookie: who is not known here may be known to the page’s own request.
    return session.signedIn ? { session, connections: connections.list() } : null
  })

  await app.listen({ host, port: options.port })
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
    },
  }
}

function portOf(app: FastifyInstance): number {
  // A server that listens on a host and port has an address of this kind.
  return (app.server.address() as AddressInfo).port
}
