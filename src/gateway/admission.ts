/** Checks before every route: the rate limit of a browser, where a request comes from, and who sent it. */
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withAgent } from '#contract/console/agents.ts'
import { gatewayPaths } from '#contract/console/connections.ts'
import { isOperational } from '#node/operations/operationalPaths.ts'
import { RateWindows } from '#node/concurrency/rateWindows.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { isOpen } from './identity/access/enforcement.ts'
import { agentIn } from './identity/sessions/agentMark.ts'
import { consoleReplacedError } from './cluster/ownWrites.ts'
import type { Presence } from './cluster/presence.ts'
import type { SharedRevisions } from './cluster/sharedRevisions.ts'
import type { ConsoleAddress } from './http/consoleAddress.ts'
import { refuseOtherContent } from './http/requestGuard.ts'
import { bearerOf, identify, isForAgents, unknownCaller, type CallerDependencies } from './identity/sessions/callers.ts'

interface AdmissionDependencies {
  address: ConsoleAddress
  presence: Presence
  /** Changes of other consoles are in force before a request is admitted. */
  others: SharedRevisions
  callers: CallerDependencies
}

/** Requests per minute and session: far above normal use, below a page in an endless loop. */
const sessionRequests = 3_000

/** The body reports this limit. Rate limit headers are about the deployment's. */
const noRateLimitHeaders = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/** Finds the caller of each request, and limits requests, on all routes that are registered afterwards. */
export async function admitRequests(
  app: FastifyInstance,
  { address, presence, others, callers }: AdmissionDependencies,
): Promise<void> {
  await app.register(cookie)
  await app.register(rateLimit, {
    store: RateWindows,
    max: sessionRequests,
    timeWindow: 60_000,
    hook: 'preHandler',
    // Files are cheap and a page has many. Sign-in has its own limit, by which strangers cannot lock anybody out.
    allowList: ({ url }) => !(url.startsWith('/api/') || isForAgents(url)) || url === gatewayPaths.session,
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
    if (presence.isReplaced) throw consoleReplacedError()
    const refreshed = others.refresh()
    // A page tells nobody why they are not signed in. Its requests do.
    if (isForAgents(request.url)) return refreshed.then(() => admitAgent(request, address, callers))
    if (!request.url.startsWith('/api/')) return refreshed.then(() => identify(request, callers)).catch(() => {})
    await refreshed
    if (bearerOf(request) !== undefined && !isOpen(request)) refuseOtherContent(request.raw)
    else address.refuseCrossSite(request.raw)
    await identify(request, callers)
    request.agent = agentIn(request.headers)
    if (request.agent) request.actor = withAgent(request.actor, request.agent.name)
    if (request.access === null && !isOpen(request)) throw failure('signedOut', 'Sign in to continue.')
  })
}

/** Agents have a personal token: nothing else, such as the cookie of a browser, counts. @throws signedOut, blocked */
async function admitAgent(
  request: FastifyRequest,
  address: ConsoleAddress,
  callers: CallerDependencies,
): Promise<void> {
  address.refuseOtherOrigin(request.raw)
  if (bearerOf(request) === undefined) {
    throw failure('signedOut', 'Send a personal token of the console as Authorization: Bearer sct_…')
  }
  refuseOtherContent(request.raw)
  await identify(request, callers)
}
