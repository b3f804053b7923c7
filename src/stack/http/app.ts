/** Creates the stack's API server with both variants. */
import cors from '@fastify/cors'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { WireNames } from '#contract/wire/naming.ts'
import { registerMetrics, type MetricsOptions } from '#node/operations/metricsRoute.ts'
import { isOperational } from '#node/operations/operationalPaths.ts'
import { registerProbes, type ProbeTargets } from '#node/operations/probes.ts'
import { trustsSettled, TrustedProxies } from '#node/net/trustedProxies.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { stagingPath } from '#contract/console/stages.ts'
import { readJsonBodies } from './apiBody.ts'
import type { StackDependencies } from '../resources/context.ts'
import { injectFaults } from './faults/injectedFaults.ts'
import { answerUnknownRoute, failureOf } from './httpErrors.ts'
import { joinPage } from './joinPage.ts'
import { organizationJoinPage } from './organizationJoinPage.ts'
import { managedRoutes } from './managed.ts'
import { openSourceRoutes } from './openSource.ts'
import { scheduleQueries } from '../telemetry/scheduling/querySchedule.ts'
import type { VariantOptions } from './variantRoutes.ts'

export interface AppOptions {
  parts: StackDependencies
  names: WireNames
  /** Requests a key may make: in 60 s on the open-source variant, in 10 s on the managed one; 0 for no limit. */
  rateLimits: { openSource: number; managed: number }
  /** The one origin whose pages may call from a browser; empty for none. */
  corsOrigin: string
  logger: FastifyBaseLogger
  /** The staging environment of the sample, while it is present. */
  staging?: StagingOptions
  /** The file with the rules of injected faults; undefined for none. */
  faultsFile?: string
  /** Observes every request, such as `SelfTelemetry.plugin`. */
  observer?: FastifyPluginAsync
  /** Serves `/metrics`. */
  metrics?: MetricsOptions
  deadlines?: Partial<Deadlines>
  /** Addresses or networks of proxies whose `X-Forwarded-For` names the client. */
  proxyAddresses?: readonly string[]
}

interface StagingOptions {
  parts: StackDependencies
  /** Until it is removed. Then each of its routes is unknown. */
  isPresent(): boolean
}

/** Milliseconds for each phase of a request. A slower connection is closed. */
interface Deadlines {
  headers: number
  /** From the first byte of the request to the last of its body. */
  request: number
  handler: number
  keepAlive: number
  /** Without a byte in either direction. */
  idle: number
}

const defaultDeadlines: Deadlines = {
  headers: 10_000,
  request: 30_000,
  handler: 60_000,
  keepAlive: 65_000,
  idle: 120_000,
}

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const deadlines = { ...defaultDeadlines, ...options.deadlines }
  const { proxyAddresses = [] } = options
  const proxies = proxyAddresses.length > 0 ? new TrustedProxies(proxyAddresses) : undefined
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    ...(proxies && { trustProxy: trustsSettled }),
    requestTimeout: deadlines.request,
    keepAliveTimeout: deadlines.keepAlive,
    connectionTimeout: deadlines.idle,
    // However slow the disk is: by default, a start fails after ten seconds.
    pluginTimeout: 0,
    http: { headersTimeout: deadlines.headers, connectionsCheckingInterval: Math.min(1000, deadlines.headers) },
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
    // A URL that cannot be decoded or is too long is an unknown route.
    frameworkErrors: (_, request, reply) => answerUnknownRoute(request, reply),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    // A running handler must not keep the process from exiting.
    forceCloseConnections: 'idle',
  })
  if (proxies) app.addHook('onRequest', async ({ raw }) => proxies.settle(raw))
  app.decorateRequest('member', null)
  readJsonBodies(app)
  logRequests(app)
  app.setNotFoundHandler(answerUnknownRoute)
  app.setErrorHandler((error, request, reply) => {
    const { status, message } = failureOf(error, request)
    return reply.code(status).send({ message })
  })
  if (options.observer) await app.register(options.observer)
  if (options.faultsFile !== undefined) injectFaults(app, options.faultsFile)
  if (options.corsOrigin) await allowOrigin(app, options.corsOrigin)
  const { names, rateLimits } = options
  const { engine } = options.parts
  const parts: StackDependencies = engine ? { schedule: scheduleQueries(engine), ...options.parts } : options.parts
  registerProbes(app, probedParts(parts), { fatal: () => engineFailure(parts) })
  if (options.metrics) registerMetrics(app, options.metrics)
  const shared = { parts, names, timeout: deadlines.handler }
  await app.register(joinPage, { store: parts.store })
  await app.register(organizationJoinPage, { store: parts.store, identity: parts.identity })
  await app.register(openSourceRoutes, { ...shared, rateLimit: rateLimits.openSource })
  await app.register(managedRoutes, { ...shared, rateLimit: rateLimits.managed })
  if (options.staging) {
    await app.register(stagingRoutes, { ...shared, ...options.staging, rateLimit: rateLimits.openSource })
  }
  return app
}

function engineFailure({ engine }: StackDependencies): string | null {
  return engine?.isAlive() === false
    ? 'The telemetry engine has stopped after a fatal error, or cannot stop its queries. The stack is being restarted.'
    : null
}

function probedParts({ store, engine }: StackDependencies): ProbeTargets {
  return {
    store: { check: () => store.rows('SELECT 1 AS one'), reason: 'The records of the stack cannot be read.' },
    engine: engine && {
      check: () => engine.query('SELECT 1 AS one'),
      reason: 'The telemetry engine does not answer queries.',
    },
  }
}

/** Logs one line for each request, with the pattern of its path: the path itself may contain private data. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    if (isOperational(route)) return
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    request.log.info(
      { method: request.method, route, status: reply.statusCode, milliseconds },
      `${request.method} ${route} ${reply.statusCode}`,
    )
  })
}

/** One origin, never the caller's own: docs/DEPLOYMENTS.md#requests. */
async function allowOrigin(app: FastifyInstance, origin: string): Promise<void> {
  // As deployments send it. The plugin adds its values after it.
  app.addHook('onRequest', async (_, reply) => void reply.header('vary', 'Origin'))
  await app.register(cors, {
    origin,
    credentials: true,
    methods: ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'],
    strictPreflight: false,
  })
}

/** The records of the staging environment. */
const stagingResources: readonly string[] = [...recordKinds, 'dataConnections', 'sample']
/** They need telemetry, or send something. */
const withoutFeatures: readonly (string | undefined)[] = ['deliveries', 'metricNames', 'test']

const servesStaging = ({ resource, feature }: Endpoint) =>
  stagingResources.includes(resource) && !withoutFeatures.includes(feature)

/** The staging environment of the sample: the open-source variant for records, without what needs telemetry or sends anything. */
async function stagingRoutes(app: FastifyInstance, options: VariantOptions & StagingOptions): Promise<void> {
  const { isPresent } = options
  app.addHook('onRequest', async (request, reply) => (isPresent() ? undefined : answerUnknownRoute(request, reply)))
  await app.register(openSourceRoutes, { ...options, serves: servesStaging, prefix: stagingPath })
}
