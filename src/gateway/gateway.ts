/** The gateway: serves the page, signs people in, stores the connections, and forwards the contract's requests to deployments. */
import { mkdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import type { Meter } from '@opentelemetry/api'
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { gatewayPaths, type FirstState } from '#contract/connections.ts'
import { registerMetrics, type MetricsOptions } from '#node/operations/metricsRoute.ts'
import { isOperational } from '#node/operations/operationalPaths.ts'
import { registerProbes, type Parts } from '#node/operations/probes.ts'
import { Budgets, type BudgetRules } from '#node/upstream/requestBudget.ts'
import { measureBudgets, requestCounter } from '#node/upstream/upstreamMetrics.ts'
import { enforceRoles, isOpen } from './access/enforcement.ts'
import { openApiKeys } from './apiKeys/apiKeys.ts'
import type { KeyChange } from './apiKeys/rotationSteps.ts'
import { approvalRules } from './approvals/connectionRules.ts'
import type { Holder } from './approvals/holder.ts'
import { openApprovals } from './approvals/openApprovals.ts'
import { openAudit } from './audit/openAudit.ts'
import { replaced } from './consoles/ownWrites.ts'
import { Presence } from './consoles/presence.ts'
import { SharedLocks } from './consoles/sharedLocks.ts'
import { openChangeRequests } from './changeRequests/openChangeRequests.ts'
import { registerConnections, seenConnections } from './connections/connectionRoutes.ts'
import type { Seed } from './connections/connections.ts'
import { openConnections } from './connections/openConnections.ts'
import { defaultRetries, Deployments, type Retries } from '#node/upstream/deployments.ts'
import { createEgress, type Deadlines, type Resolver } from '#node/upstream/egressGuard.ts'
import { TrustedProxies } from '#node/trustedProxies.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { Hosts, refuseCrossSite, refuseOtherContent } from './http/requestGuard.ts'
import { setSecurityHeaders } from './http/headers.ts'
import { createHttpApp, type HttpTimeouts } from './http/httpApp.ts'
import { registerJoinPages } from './http/joinPage.ts'
import { registerPages, type Pages } from './http/pages.ts'
import { openDatabase, type Database } from './database/database.ts'
import { SealedJson } from './database/sealedJson.ts'
import { registerEndpoints } from './resources/endpointRoutes.ts'
import { GuardedWrites } from './resources/guardedWrites.ts'
import { KnownSamples } from './resources/knownSamples.ts'
import { Revisions } from './resources/recordRevisions.ts'
import type { SamplingIntervals } from './sampling/samplingInterval.ts'
import { createRenderer } from '#node/notifications/renderer.ts'
import { registerPreviews } from './previews/previewRoutes.ts'
import { openHistory } from './history/openHistory.ts'
import type { RetentionLimits } from './history/retention.ts'
import { Inventories } from './inventories/inventories.ts'
import { openEnvironments } from './environments/environments.ts'
import type { ReadingLimits } from './recordFiles/recordZips.ts'
import { registerRecordFiles } from './recordFiles/recordFileRoutes.ts'
import { openRuns, type OpenRuns } from './runs/runs.ts'
import { Samplers } from './sampling/samplers.ts'
import { registerSampling } from './sampling/samplingRoutes.ts'
import { registerBackChannelSignOut } from './oidc/backChannelSignOut.ts'
import { Identities } from './oidc/identities.ts'
import { Oidc } from './oidc/oidc.ts'
import type { ProviderSettings } from './oidc/providerSettings.ts'
import { ProviderSessions } from './oidc/providerSessions.ts'
import { PasskeyCeremonies } from './passkeys/passkeyCeremonies.ts'
import { Passkeys } from './passkeys/passkeys.ts'
import { UsedOnce } from './people/usedOnce.ts'
import { registerAccount } from './people/accountRoutes.ts'
import { People } from './people/people.ts'
import { registerPeople } from './people/peopleRoutes.ts'
import { SignInLinks } from './people/signInLinks.ts'
import { Standing } from './people/standing.ts'
import { Tokens } from './people/tokens.ts'
import { bearerOf, identify, unknownCaller } from './sessions/callers.ts'
import { KnownBrowsers } from './sessions/knownBrowsers.ts'
import { ProxyHeader, type ProxySettings } from './sessions/proxyHeader.ts'
import { registerAccountWays } from './sessions/accountWays.ts'
import { registerSessionLists } from './sessions/sessionLists.ts'
import { registerSession, sessionOf } from './sessions/sessionRoutes.ts'
import { PrintedLink } from './sessions/printedLink.ts'
import { defaultLimits, Password, Sessions, type SessionLimits } from './sessions/sessions.ts'
import type { UpstreamResult } from '#node/upstream/upstreamReply.ts'
import { defaultDeadlines, replyLimit, Upstream } from '#node/upstream/upstream.ts'
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
  /** The URL of a PostgreSQL server for the records of the console, instead of `console.db` in the data directory. */
  databaseUrl?: string | undefined
  /** Offers a lasting sign-in. */
  password?: string | undefined
  /** What the stored keys are sealed with, instead of `console.key` in the data directory. */
  secret?: string | undefined
  /** Connections that are created when absent. */
  seeds?: readonly Seed[]
  /** When sessions end. */
  sessions?: SessionLimits | undefined
  /** A proxy that authenticates people before their requests arrive. */
  proxy?: ProxySettings | undefined
  /** Addresses or networks of proxies whose `X-Forwarded-For` names the client. */
  proxyAddresses?: readonly string[]
  /** OpenID Connect providers with which people sign in. */
  providers?: readonly ProviderSettings[]
  /** Further hosts of the console, as browsers spell them in the Host header. */
  allowedHosts?: readonly string[]
  /** The URL that people open behind a reverse proxy. https makes the cookie Secure. */
  publicUrl?: string | undefined
  /** The address of the stack of this server, whose page for invitations is shown. */
  stackUrl?: string | undefined
  /** Observes every request, such as `SelfTelemetry.plugin`. */
  observer?: FastifyPluginAsync
  /** Measures the requests to deployments. */
  meter?: Meter
  /** Serves `/metrics`. */
  metrics?: MetricsOptions
  /** What else has to work before this console is ready. */
  parts?: Parts
  /** Called with each new sign-in link: at the start, and whenever a link was used. */
  onSignInUrl?: (url: string) => void
  /**
   * Called before connections get another API key, so that the local stack, whose seeds would give its connection the old
   * one back, has the new one first.
   */
  followKey?: ((change: KeyChange) => Promise<void>) | undefined
  /** Rate limits that differ from the default, by the deployment's origin. */
  budgets?: Record<string, BudgetRules>
  /** How long and how much of the history of records is kept. */
  history?: RetentionLimits | undefined
  /** For tests and slow networks. */
  tuning?: {
    deadlines?: Deadlines
    replyLimit?: number
    retries?: Retries
    /** Milliseconds between looks at whether a deployment has noticed a change of a key. */
    keyPauses?: readonly number[]
    resolve?: Resolver
    now?: () => number
    /** For the specs of what consoles on one database share already. */
    severalConsoles?: boolean
    timeouts?: HttpTimeouts
    intervals?: SamplingIntervals
    zipLimits?: ReadingLimits
    /** Milliseconds before each further attempt to send a notification about approvals. */
    noticeRetries?: readonly number[]
    /** Milliseconds that a document waits for the first reads of its page. */
    readDeadline?: number
  }
}

export interface Gateway {
  /** Where people open the console. */
  url: string
  /** Where it listens on this machine. */
  address: string
  /** The current sign-in link. It can be used once. */
  signInUrl(): string
  /** Updates the keys of seeded connections that still exist. */
  followSeeds(seeds: readonly Seed[]): Promise<void>
  close(): Promise<void>
}

/** Requests per minute and session: far above normal use, below a page in an endless loop. */
const sessionRequests = 3_000

/** Previews of notifications that may wait for others. */
const maxPreviews = 20

/** Milliseconds that running requests get at shutdown. */
const shutdownTimeout = 5_000

/** The body reports this limit. Rate limit headers are about the deployment's. */
const noRateLimitHeaders = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/** Starts listening. @throws the error of `listen` if the port is in use; UnusableState for damaged files in `dataDir` */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, dataDir, tuning = {}, publicUrl } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const egress = createEgress(tuning.deadlines ?? defaultDeadlines, tuning.resolve)
  const count = options.meter && requestCounter(options.meter)
  const upstream = new Upstream(egress, tuning.deadlines ?? defaultDeadlines, tuning.replyLimit ?? replyLimit, count)
  const budgets = new Budgets(options.budgets)
  if (options.meter) measureBudgets(options.meter, budgets)
  const deployments = new Deployments(upstream, budgets, tuning.retries ?? defaultRetries)
  const renderer = createRenderer({ maxWaiting: maxPreviews })
  const https = publicUrl?.startsWith('https:') ?? false

  let runs: OpenRuns | undefined
  let changeRequests: ReturnType<typeof openChangeRequests> | undefined
  // Set once the port is known; no request arrives earlier.
  let hosts: Hosts | undefined
  const isAllowedHost = (request: IncomingMessage, response: ServerResponse) => {
    setSecurityHeaders(response, https)
    return isOperational(request.url) || (hosts?.allows(request) ?? false)
  }
  const { proxyAddresses = [] } = options
  const proxies = proxyAddresses.length > 0 ? new TrustedProxies(proxyAddresses) : undefined
  const app = createHttpApp(options.logger, isAllowedHost, tuning.timeouts, proxies)
  const database = await openDatabase(dataDir, options.databaseUrl)
  const logged = (what: string) => (error: unknown) =>
    app.log.error({ fault: error instanceof Error ? error.message : 'unknown' }, what)
  const presence = new Presence({
    database,
    dataDir,
    onError: logged('Other consoles cannot be seen.'),
    allowsOthers: tuning.severalConsoles,
  })
  deployments.sendWritesOnlyIf(() => presence.refuseIfReplaced())
  const seeds = options.seeds ?? []
  const opened = await joined(presence, database, async () => {
    const place = { database, dataDir, secret: options.secret }
    const found = await openConnections(
      place,
      seeds.map(({ id }) => id),
      presence.ownWrites,
    )
    await found.connections.seed(seeds)
    return found
  })
  const { connections, key } = opened
  const sealed = new SealedJson(opened.dataKey)
  const samplers = new Samplers(connections, deployments, tuning.intervals)
  const limits = options.sessions ?? defaultLimits
  const { providers = [] } = options
  const identities = new Identities(database, providers, limits.absolute, tuning.now)
  const people = new People(database, tuning.now, identities)
  const links = new SignInLinks(database, tuning.now)
  const tokens = new Tokens(database, tuning.now)
  const sessions = new Sessions(database, tuning.now, limits)
  await sessions.takeOver(dataDir)
  const printedLink = new PrintedLink({
    links,
    consoleId: presence.id,
    onNew: () => options.onSignInUrl?.(signInUrl()),
    onError: logged('Failed to store the sign-in link.'),
  })
  const signInUrl = () => `${hosts?.address(host, portOf(app)) ?? ''}/sign-in#token=${printedLink.token}`
  const cookieSettings = { name: `${https ? '__Host-' : ''}stack_console_${cookiePort(options)}`, secure: https }
  const used = new UsedOnce(database, tuning.now)
  const ceremonies = { sealed, used, cookie: cookieSettings, now: tuning.now }
  const passkeys = new Passkeys(database, tuning.now)
  const consoleUrl = () => hosts?.address(host, portOf(app)) ?? ''
  const parts = {
    sessions,
    people,
    tokens,
    links,
    proxy: options.proxy && new ProxyHeader(options.proxy),
    knownBrowsers: new KnownBrowsers(sealed.derivedKey('known browsers')),
    database,
    printedLink,
    password: options.password ? new Password(options.password) : undefined,
    build: options.build,
    identities,
    oidc: new Oidc(providers, egress, ceremonies),
    providerSessions: new ProviderSessions(database, sealed, limits.absolute, tuning.now),
    passkeys,
    passkeyCeremonies: new PasskeyCeremonies({
      ...ceremonies,
      passkeys,
      people,
      publicUrl,
      hasLocalhost: ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'].includes(host),
    }),
    cookie: cookieSettings,
    onSignOut: (key: string) => samplers.leave(key),
  }

  if (options.observer) await app.register(options.observer)
  await app.register(cookie)
  await app.register(rateLimit, {
    max: sessionRequests,
    timeWindow: 60_000,
    hook: 'preHandler',
    // Files are cheap and a page has many. Sign-in has its own limit, by which strangers cannot lock anybody out.
    allowList: (request) => !request.url.startsWith('/api/') || request.url === gatewayPaths.session,
    addHeaders: noRateLimitHeaders,
    addHeadersOnExceeding: noRateLimitHeaders,
    keyGenerator: (request) => request.sessionKey || request.ip,
    errorResponseBuilder: (_, { ttl }) =>
      failure('rateLimited', 'Too many requests from this browser. Try again later.', {
        retryAfter: Math.ceil(ttl / 1000),
      }),
  })
  for (const [name, value] of Object.entries(unknownCaller)) app.decorateRequest(name, value)
  app.addHook('onRequest', async (request) => {
    if (request.url.startsWith('/assets/') || isOperational(request.url)) return
    if (presence.isReplaced) throw replaced()
    // A page tells nobody why they are not signed in. Its requests do.
    if (!request.url.startsWith('/api/')) return identify(request, parts).catch(() => {})
    if (bearerOf(request) !== undefined && !isOpen(request)) refuseOtherContent(request.raw)
    else if (hosts) refuseCrossSite(request.raw, hosts)
    await identify(request, parts)
    if (request.access === null && !isOpen(request)) throw failure('signedOut', 'Sign in to continue.')
  })
  enforceRoles(app, {
    stages: connections,
    runPlace: async (id) => runs?.place(id),
    changeRequestPlace: async (id) => changeRequests?.place(id),
  })
  const audit = openAudit(app, database)
  const signInParts = { ...parts, audit }
  const approvals = openApprovals(app, {
    connections,
    deployments,
    people,
    presence,
    sealed,
    egress,
    audit,
    consoleUrl,
    now: tuning.now,
    retries: tuning.noticeRetries,
  })
  const rules = approvalRules({ ...approvals, connections })
  /** What changes deployments comes first, and what holds its changes last. */
  const held = () => {
    if (!changeRequests) throw new Error('The change requests are not open yet.')
    return changeRequests.requests
  }
  const holder: Holder = {
    holdWrite: (...given) => held().holdWrite(...given),
    holdRun: (...given) => held().holdRun(...given),
  }
  registerSession(app, signInParts)
  registerSessionLists(app, parts)
  const peopleParts = {
    people,
    links,
    tokens,
    sessionCounts: () => sessions.counts(),
    endSessions: async (personId: string, except?: string) => {
      const ended = await sessions.endThose(({ person, name }) => person === personId && name !== except)
      for (const name of ended) samplers.leave(name)
    },
    consoleUrl,
  }
  registerPeople(app, peopleParts)
  registerAccount(app, peopleParts)
  registerAccountWays(app, { ...signInParts, now: tuning.now })
  registerBackChannelSignOut(app, {
    ...parts,
    used,
    endSessions: async (ids) => {
      const ended = await sessions.endThose(({ id }) => ids.has(id))
      for (const name of ended) samplers.leave(name)
      return ended.length
    },
  })
  registerConnections(app, connections, deployments, rules, (id) => samplers.forget(id))
  registerSampling(app, samplers)
  registerJoinPages(app, options.stackUrl)
  registerPreviews(app, renderer, consoleUrl)
  const samples = new KnownSamples()
  const revisions = new Revisions(key)
  const locks = new SharedLocks({
    database,
    owner: presence.id,
    onError: logged('The lock of a record could not be released yet.'),
  })
  presence.everySecond(() => locks.releaseRest())
  const guardedWrites = new GuardedWrites(deployments, revisions, locks)
  const { fourEyes } = approvals
  const writeLog = new WriteLog<UpstreamResult>()
  registerEndpoints(app, { connections, deployments, writeLog, revisions, guardedWrites, samples, fourEyes, holder })
  const databasePart = {
    check: () => database.rows('SELECT max(version) AS version FROM migrations'),
    reason: 'The database of the console cannot be read.',
  }
  const consolePart = {
    check: async () => {
      if (presence.isReplaced) throw replaced()
    },
    reason: 'Another console has taken the place of this one. Start it again.',
  }
  registerProbes(app, {
    database: databasePart,
    ...(database.isShared && { console: consolePart }),
    ...options.parts,
  })
  if (options.metrics) registerMetrics(app, options.metrics)
  const history = openHistory(app, {
    connections,
    deployments,
    database,
    sealed,
    presence,
    audit,
    limits: options.history,
  })
  const inventories = new Inventories(connections, deployments)
  const standing = new Standing(people, tokens)
  const apiKeys = openApiKeys(app, {
    connections,
    deployments,
    standing,
    fourEyes,
    audit,
    presence,
    sealed,
    follow: options.followKey,
    pauses: tuning.keyPauses,
    onChange: (id) => samplers.forget(id),
  })
  runs = await openRuns(app, {
    standing,
    fourEyes,
    holder,
    connections,
    deployments,
    inventories,
    guardedWrites,
    database,
    sealed,
    presence,
    history,
    zipLimits: tuning.zipLimits,
  })
  changeRequests = openChangeRequests(app, {
    approvals,
    connections,
    deployments,
    inventories,
    history,
    guardedWrites,
    revisions,
    presence,
    sealed,
    standing,
    runs,
    audit,
    consoleUrl,
    now: tuning.now,
  })
  approvals.register((id, asking) => held().holdEnd(id, asking))
  await openEnvironments(app, { connections, deployments, inventories, links: runs.links, dataDir, presence })
  registerRecordFiles(app, { connections, deployments })
  const firstState = async (request: FastifyRequest): Promise<FirstState | null> => {
    // A link on another site opens the page without the cookie. The page's own requests have it.
    if (request.access === null) return null
    const seen = await seenConnections(connections, rules, request.access)
    const present = samples.present.filter((id) => seen.some((one) => one.id === id))
    return { session: await sessionOf(request, signInParts), connections: seen, samples: present }
  }
  const knowsSample = (connectionId: string) => samples.isKnown(connectionId)
  await registerPages(app, options.pages, { firstState, knowsSample, readDeadline: tuning.readDeadline })

  await app.listen({ host, port: options.port })
  hosts = new Hosts({ host, port: portOf(app), publicUrl, more: options.allowedHosts ?? [] })
  await printedLink.renew()
  presence.everySecond(() => printedLink.renewIfUsed())
  presence.everySecond(async () => {
    for (const id of await connections.refresh()) samplers.forget(id)
  })
  return {
    url: hosts.address(host, portOf(app)),
    address: hosts.listening(host, portOf(app)),
    signInUrl,
    followSeeds: (changed) => connections.seed(changed, 'existing'),
    close: async () => {
      const force = setTimeout(() => app.server.closeAllConnections(), shutdownTimeout)
      samplers.close()
      inventories.close()
      await Promise.all([app.close(), runs?.close(), apiKeys.close(), changeRequests?.close(), approvals.close()])
      await history.close()
      clearTimeout(force)
      await presence.close()
      await database.close()
      await Promise.all([egress.close(), renderer.close()])
    },
  }
}

/** Does something as one of the consoles of a database, and leaves it if that fails: the start has failed then. */
async function joined<T>(presence: Presence, database: Database, work: () => Promise<T>): Promise<T> {
  try {
    await presence.open()
    return await work()
  } catch (error) {
    await presence.close()
    await database.close()
    throw error
  }
}

/** Consoles behind one name share their sessions, on whichever port each listens. */
function cookiePort({ port, publicUrl, databaseUrl }: GatewayOptions): string {
  return databaseUrl !== undefined && publicUrl !== undefined ? new URL(publicUrl).port || 'public' : String(port)
}

function portOf(app: FastifyInstance): number {
  // The address of a server that listens on a host and port is an AddressInfo.
  return (app.server.address() as AddressInfo).port
}
