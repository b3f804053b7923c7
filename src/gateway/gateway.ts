/** The gateway: serves the page, signs people in, stores the connections, and forwards the contract's requests to deployments. */
import { mkdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FirstState } from '#contract/console/connections.ts'
import { wallClock } from '#node/clock/wallClock.ts'
import { watchDamagedRows } from '#node/database/damagedRows.ts'
import { waitForServer } from '#node/database/waitForServer.ts'
import { logFault } from '#node/process/logFault.ts'
import { createRenderer } from '#node/notifications/renderer.ts'
import { registerMetrics } from '#node/operations/metricsRoute.ts'
import { isOperational } from '#node/operations/operationalPaths.ts'
import { TrustedProxies } from '#node/net/trustedProxies.ts'
import type { UpstreamResult } from '#node/upstream/upstreamReply.ts'
import { enforceRoles } from './identity/access/enforcement.ts'
import { admitRequests } from './admission.ts'
import { registerAgents } from './agents/agentRoutes.ts'
import { openApiKeys } from './apiKeys/apiKeys.ts'
import { approvalRules } from './approvals/connectionRules.ts'
import { openApprovals } from './approvals/openApprovals.ts'
import { openAudit, registerAudit } from './audit/openAudit.ts'
import { RequestStore } from './changes/changeRequests/requestStore.ts'
import { openChanges } from './changes/changes.ts'
import { openWritePath } from './changes/writePath.ts'
import { registerConnections, seenConnections } from './connections/connectionRoutes.ts'
import { openConnections } from './connections/openConnections.ts'
import { followSeeds, seedsKeptMessage, seedConnections } from './connections/seedConnections.ts'
import { startAsMember, openConsoles } from './cluster/openConsoles.ts'
import { rememberClock } from './database/clockMemory.ts'
import { registerDamagedRecords } from './damagedRecords.ts'
import { correctFutureTimes, setBackFutureTimes } from './database/futureTimes.ts'
import { openDatabase } from './database/database.ts'
import { forgetDeletedRows } from './database/storedRows.ts'
import { SealedJson } from './database/sealedJson.ts'
import { openEnvironments } from './environments/environments.ts'
import { LastReadings } from './environments/lastReadings.ts'
import { ToolReads } from './deploymentTools/toolReads.ts'
import type { Gateway, GatewayOptions } from './gatewayOptions.ts'
import { openHistory, openJournal } from './history/openHistory.ts'
import { ConsoleAddress } from './http/consoleAddress.ts'
import { setSecurityHeaders } from './http/headers.ts'
import { createHttpApp } from './http/httpApp.ts'
import { registerJoinPages } from './http/joinPage.ts'
import { registerPages } from './http/pages.ts'
import { Inventories } from './inventories/inventories.ts'
import { removePerson } from './identity/people/peopleRoutes.ts'
import { registerPreviews } from './previews/previewRoutes.ts'
import { registerReadiness } from './readiness.ts'
import { registerRecordFiles } from './recordFiles/recordFileRoutes.ts'
import { registerEndpoints } from './resources/endpointRoutes.ts'
import { GuardedWrites } from './resources/guardedWrites.ts'
import { KnownSamples } from './resources/knownSamples.ts'
import { Revisions } from './resources/recordRevisions.ts'
import { SharedWrites } from './resources/sharedWrites.ts'
import { WriteLog } from './resources/writeLog.ts'
import { RunStore } from './changes/runs/runStore.ts'
import { Samplers } from './sampling/samplers.ts'
import { ServiceLoads } from './sampling/serviceLoads.ts'
import { SharedSamples } from './sampling/sharedSamples.ts'
import { registerMarkers } from './markers/markerRoutes.ts'
import { registerSampling } from './sampling/samplingRoutes.ts'
import { SizeLoadStore } from './sampling/sizeLoads.ts'
import { SizePredictions } from './sampling/sizePredictions.ts'
import { registerSavedStatements } from './savedStatements/savedStatementRoutes.ts'
import { SavedStatements } from './savedStatements/savedStatements.ts'
import { registerSharedLinks } from './sharedLinks/sharedLinkRoutes.ts'
import { SharedLinkStore } from './sharedLinks/sharedLinkStore.ts'
import { sessionOf } from './identity/sessions/sessionRoutes.ts'
import { identify } from './identity/sessions/callers.ts'
import { openSignIn, registerSignIn } from './signIn.ts'
import { openUpstreams } from './upstreams.ts'

/** Previews of notifications that may wait for others. */
const maxPreviews = 20

/** Milliseconds that running requests get at shutdown. */
const shutdownTimeout = 5_000

/** Starts listening. @throws the error of `listen` if the port is in use; UnusableState for damaged files in `dataDir` */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, dataDir, tuning = {} } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const { egress, upstream, budgets } = openUpstreams(options)
  const renderer = createRenderer({ maxWaiting: maxPreviews })
  const address = new ConsoleAddress(options)
  const consoleUrl = () => address.url
  const app = createApp(options, address)
  const database = await waitForServer(() => openDatabase(dataDir, options.databaseUrl, options), options.databaseWait)
  const logged = (what: string) => logFault(app.log, what)

  const stopWatching = wallClock.watch(app.log)
  const stopReporting = watchDamagedRows(app.log, options.meter, {
    known: database.damaged,
    refresh: () => forgetDeletedRows(database),
  })

  // This console among those of its database, and what they share.
  const consoles = openConsoles({ database, dataDir, logged, beat: tuning.beat })
  const { presence, locks, others } = consoles
  const { connections, key, dataKey, seeding } = await startAsMember(presence, database, async () => {
    const { seeds = [], secret } = options
    const ids = seeds.map(({ id }) => id)
    const found = await openConnections({ database, dataDir, secret }, ids, presence.ownWrites)
    const parts = { connections: found.connections, database: presence.ownWrites }
    const seeding = await seedConnections(parts, seeds, () => presence.hasOthers())
    return { ...found, seeding }
  })
  if (seeding === 'kept') app.log.warn(seedsKeptMessage)
  const sealed = new SealedJson(dataKey)
  consoles.shareBudgets(budgets, sealed.derivedKey('budgets'))

  const stopRemembering = await rememberClock(database, logged('What is known of the clock could not be stored yet.'))
  await setBackFutureTimes(database, wallClock.now())

  // Sign-in and roles, and what every write to a deployment passes.
  const signIn = await openSignIn(options, {
    database,
    sealed,
    egress,
    address,
    consoleId: presence.id,
    onLinkError: logged('Failed to store the sign-in link.'),
  })
  const { people, currentAccess, printedLink } = signIn
  const approvals = openApprovals({
    connections,
    people,
    presence,
    sealed,
    egress,
    logger: app.log,
    now: tuning.now,
    retries: tuning.noticeRetries,
  })
  const { twoPersonApproval } = approvals
  const rules = approvalRules({ ...approvals, connections })
  const { store: auditStore, log: audit } = openAudit(database, app.log)
  const journal = openJournal({ database, sealed, presence, locks, others, audit, logger: app.log })
  const deployments = openWritePath({ upstream, budgets, retries: tuning.retries, approvals, journal, consoles })

  const requests = new RequestStore(presence.ownWrites, sealed, tuning.now)
  const predictions = new SizePredictions(database, (id) => requests.get(id))
  const samplers = new Samplers(connections, deployments, {
    intervals: tuning.intervals,
    loads: new ServiceLoads(database, logged('The load of services was not stored.')),
    sizeLoads: new SizeLoadStore(database, logged('The load of pipes and services was not stored.')),
    predictions,
    shared: database.isShared ? new SharedSamples(database) : undefined,
  })
  others.follow(async (seen) => {
    for (const id of await connections.refresh(seen)) samplers.forget(id)
  })
  const stopCorrecting = correctFutureTimes(database, {
    onDone: () => {
      signIn.sessions.forgetHeld()
      samplers.forgetAll()
    },
    onError: logged('Times that lie ahead of the clock could not be corrected.'),
  })
  if (options.observer) await app.register(options.observer)
  await admitRequests(app, { address, presence, others, callers: signIn })
  const runs = new RunStore(presence.ownWrites, sealed)
  enforceRoles(app, {
    stages: connections,
    runPlace: (id) => runs.placeOf(id),
    changeRequestPlace: (id) => requests.placeOf(id),
  })
  registerAudit(app, { store: auditStore, log: audit })
  const peopleParts = registerSignIn(app, signIn, { audit, onSignOut: (sessionKey) => samplers.leave(sessionKey) })

  // Connections and the records of their deployments.
  const statements = new SavedStatements(database, sealed)
  const links = new SharedLinkStore(database, sealed)
  const lastReadings = new LastReadings({
    database,
    sealed,
    build: options.build,
    onError: logged('The last readings of connections were not stored.'),
  })
  const forgetConnection = async (id: string) => {
    samplers.forget(id)
    await Promise.all([statements.removeOf(id), links.removeOf(id), forgetMarkers(id), lastReadings.removeOf(id)])
  }
  registerConnections(app, connections, deployments, rules, {
    onEdit: (id) => samplers.forget(id),
    onDelete: forgetConnection,
  })
  registerDamagedRecords(app, {
    database,
    connections,
    removePerson: (id) => removePerson(peopleParts, id),
    onConnectionRemoved: forgetConnection,
  })
  registerSampling(app, samplers, predictions)
  const samples = new KnownSamples()
  const revisions = new Revisions(key)
  const guardedWrites = new GuardedWrites(deployments, revisions, locks)
  const sent = new SharedWrites({ database, sealed, owner: presence.id, onError: logged('A write was not noted.') })
  const writeLog = new WriteLog<UpstreamResult>(database.isShared ? sent : undefined)
  const history = openHistory(app, { journal, connections, deployments, limits: options.history })
  const forgetMarkers = registerMarkers(app, {
    database,
    connections,
    deployments,
    changes: journal.store,
    settled: () => history.settled(),
  })
  registerSavedStatements(app, { statements, connections })
  const toolReads = new ToolReads(deployments, connections)
  registerSharedLinks(app, {
    store: links,
    connections,
    deployments,
    toolReads,
    currentAccess,
    audit,
    consoleUrl,
    viewLimits: tuning.sharedViews,
  })
  const inventories = new Inventories(connections, deployments)
  const changes = await openChanges(app, {
    approvals,
    requests,
    runs,
    connections,
    deployments,
    inventories,
    history,
    guardedWrites,
    revisions,
    database,
    presence,
    sealed,
    currentAccess,
    audit,
    consoleUrl,
    zipLimits: tuning.zipLimits,
  })
  registerEndpoints(app, {
    connections,
    deployments,
    toolReads,
    writeLog,
    revisions,
    guardedWrites,
    samples,
    twoPersonApproval,
    approvalQueue: changes.approvalQueue,
    unreadLimit: tuning.unreadLimit,
  })
  registerRecordFiles(app, { connections, deployments })
  const apiKeys = openApiKeys(app, {
    connections,
    deployments,
    currentAccess,
    twoPersonApproval,
    audit,
    presence,
    sealed,
    follow: options.followKey,
    pauses: tuning.keyPauses,
    onChange: (id) => samplers.forget(id),
  })
  await openEnvironments(app, {
    connections,
    deployments,
    inventories,
    links: changes.links,
    presence,
    dataDir,
    others,
    lastReadings,
  })

  registerAgents(app, {
    audit,
    key: sealed.derivedKey('agent sessions'),
    build: options.build,
    identify: (request) => others.refresh().then(() => identify(request, signIn)),
  })

  // Pages, and what operates the console.
  registerJoinPages(app, options.stackUrl)
  registerPreviews(app, renderer, consoleUrl)
  registerReadiness(app, { database, presence, more: options.parts })
  if (options.metrics) registerMetrics(app, options.metrics)
  const firstState = async (request: FastifyRequest): Promise<FirstState | null> => {
    // A link on another site opens the page without the cookie. The page's own requests have it.
    if (request.access === null) return null
    const seen = await seenConnections(connections, rules, request.access)
    const present = samples.present.filter((id) => seen.some((connection) => connection.id === id))
    return { session: await sessionOf(request, signIn), connections: seen, samples: present }
  }
  const knowsSample = (connectionId: string) => samples.isKnown(connectionId)
  const { basePath } = address
  await registerPages(app, options.pages, { firstState, knowsSample, basePath, readDeadline: tuning.readDeadline })

  await app.ready()
  await options.stackReady
  await app.listen({ host, port: options.port })
  address.listensOn(portOf(app))
  await printedLink.renew()
  presence.everyBeat(() => printedLink.renewIfUsed())
  return {
    url: address.url,
    address: address.local,
    signInUrl: signIn.signInUrl,
    followSeeds: async (changed) => {
      if (seeding === 'kept') return
      const removed = await followSeeds({ connections, database: presence.ownWrites }, changed)
      for (const id of removed) samplers.forget(id)
    },
    close: async () => {
      const force = setTimeout(() => app.server.closeAllConnections(), shutdownTimeout)
      stopWatching()
      stopReporting()
      stopCorrecting()
      samplers.close()
      inventories.close()
      await Promise.all([app.close(), apiKeys.close(), changes.close()])
      await Promise.all([history.close(), lastReadings.close()])
      clearTimeout(force)
      await stopRemembering()
      await presence.close()
      await database.close()
      await Promise.all([egress.close(), renderer.close()])
    },
  }
}

/** The server, which receives only what is sent to the addresses of the console. */
function createApp({ logger, tuning = {}, proxyAddresses = [] }: GatewayOptions, address: ConsoleAddress) {
  const isAllowedHost = (request: IncomingMessage, response: ServerResponse) => {
    setSecurityHeaders(response, address.isSecure)
    return isOperational(request.url) || address.allows(request)
  }
  const proxies = proxyAddresses.length > 0 ? new TrustedProxies(proxyAddresses) : undefined
  return createHttpApp(logger, isAllowedHost, { timeouts: tuning.timeouts, proxies, basePath: address.basePath })
}

function portOf(app: FastifyInstance): number {
  // The address of a server that listens on a host and port is an AddressInfo.
  return (app.server.address() as AddressInfo).port
}
