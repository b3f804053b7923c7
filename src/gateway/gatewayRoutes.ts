/** The routes of the gateway, from what every request passes to the pages. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FirstState } from '#contract/console/connections.ts'
import type { createRenderer } from '#node/notifications/renderer.ts'
import { registerMetrics } from '#node/operations/metricsRoute.ts'
import { logFault } from '#node/process/logFault.ts'
import type { UpstreamResult } from '#node/upstream/upstreamReply.ts'
import { admitRequests } from './admission.ts'
import { registerAgents } from './agents/agentRoutes.ts'
import { openApiKeys } from './apiKeys/apiKeys.ts'
import { registerAudit } from './audit/openAudit.ts'
import { openChanges } from './changes/changes.ts'
import { registerConnections, seenConnections } from './connections/connectionRoutes.ts'
import { registerDamagedRecords } from './damagedRecords.ts'
import { ToolReads } from './deploymentTools/toolReads.ts'
import { openEnvironments } from './environments/environments.ts'
import { LastReadings } from './environments/lastReadings.ts'
import type { GatewayCore } from './gatewayCore.ts'
import type { GatewayOptions } from './gatewayOptions.ts'
import { openHistory } from './history/openHistory.ts'
import { registerJoinPages } from './http/joinPage.ts'
import { registerPages } from './http/pages.ts'
import { enforceRoles } from './identity/access/enforcement.ts'
import { removePerson, type PeopleDependencies } from './identity/people/peopleRoutes.ts'
import { identify } from './identity/sessions/callers.ts'
import { sessionOf } from './identity/sessions/sessionRoutes.ts'
import { Inventories } from './inventories/inventories.ts'
import { registerMarkers } from './markers/markerRoutes.ts'
import { registerPreviews } from './previews/previewRoutes.ts'
import { registerReadiness } from './readiness.ts'
import { registerRecordFiles } from './recordFiles/recordFileRoutes.ts'
import { registerEndpoints } from './resources/endpointRoutes.ts'
import { GuardedWrites } from './resources/guardedWrites.ts'
import { KnownSamples } from './resources/knownSamples.ts'
import { Revisions } from './resources/recordRevisions.ts'
import { SharedWrites } from './resources/sharedWrites.ts'
import { WriteLog } from './resources/writeLog.ts'
import { registerSampling } from './sampling/samplingRoutes.ts'
import { registerSavedStatements } from './savedStatements/savedStatementRoutes.ts'
import { SavedStatements } from './savedStatements/savedStatements.ts'
import { registerSharedLinks } from './sharedLinks/sharedLinkRoutes.ts'
import { SharedLinkStore } from './sharedLinks/sharedLinkStore.ts'
import { registerSignIn } from './signIn.ts'

/** Checks of every request: where it comes from, who sent it and their role; and the audit log. @returns what changes accounts */
export async function registerAccess(app: FastifyInstance, core: GatewayCore): Promise<PeopleDependencies> {
  const { address, presence, others, signIn, connections, runs, requests, audit, samplers } = core
  await admitRequests(app, { address, presence, others, callers: signIn })
  enforceRoles(app, {
    stages: connections,
    runPlace: (id) => runs.placeOf(id),
    changeRequestPlace: (id) => requests.placeOf(id),
  })
  registerAudit(app, audit)
  return registerSignIn(app, signIn, { audit: audit.log, onSignOut: (sessionKey) => samplers.leave(sessionKey) })
}

/** Connections, and what the console itself keeps for them: history, markers, statements, links and last readings. */
export function registerKeptRecords(
  app: FastifyInstance,
  core: GatewayCore,
  options: GatewayOptions,
  people: PeopleDependencies,
) {
  const { database, sealed, connections, deployments, rules, samplers, predictions, journal } = core
  const statements = new SavedStatements(database, sealed)
  const links = new SharedLinkStore(database, sealed)
  const lastReadings = new LastReadings({
    database,
    sealed,
    build: options.build,
    onError: logFault(app.log, 'The last readings of connections were not stored.'),
  })
  const history = openHistory(app, { journal, connections, deployments, limits: options.history })
  const forgetMarkers = registerMarkers(app, {
    database,
    connections,
    deployments,
    changes: journal.store,
    settled: () => history.settled(),
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
    removePerson: (id) => removePerson(people, id),
    onConnectionRemoved: forgetConnection,
  })
  registerSampling(app, samplers, predictions)
  registerSavedStatements(app, { statements, connections })
  return { links, lastReadings, history }
}

/** The records of deployments: their endpoints, shared links to them, changes of several, and their API keys. */
export async function registerDeployments(
  app: FastifyInstance,
  core: GatewayCore,
  options: GatewayOptions,
  { links, lastReadings, history }: ReturnType<typeof registerKeptRecords>,
) {
  const { tuning = {} } = options
  const { address, approvals, connections, deployments, database, locks, others, presence, samplers, sealed } = core
  const { twoPersonApproval } = approvals
  const { currentAccess } = core.signIn
  const audit = core.audit.log
  const consoleUrl = () => address.url
  const revisions = new Revisions(core.key)
  const guardedWrites = new GuardedWrites(deployments, revisions, locks)
  const toolReads = new ToolReads(deployments, connections)
  const inventories = new Inventories(connections, deployments)
  const samples = new KnownSamples()
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
  const changes = await openChanges(app, {
    approvals,
    requests: core.requests,
    runs: core.runs,
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
    writeLog: openWriteLog(app, core),
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
  const environments = { connections, deployments, inventories, links: changes.links, presence, others, lastReadings }
  await openEnvironments(app, { ...environments, dataDir: options.dataDir })
  return { samples, inventories, changes, apiKeys }
}

/** The writes that were sent, for those that ask for the result again, whichever console they ask. */
function openWriteLog(app: FastifyInstance, { database, sealed, presence }: GatewayCore): WriteLog<UpstreamResult> {
  const onError = logFault(app.log, 'A write was not noted.')
  const sent = new SharedWrites({ database, sealed, owner: presence.id, onError })
  return new WriteLog<UpstreamResult>(database.isShared ? sent : undefined)
}

/** Agents, the pages of the console, and what operates it. */
export async function registerPagesAndOperations(
  app: FastifyInstance,
  core: GatewayCore,
  options: GatewayOptions,
  { renderer, samples }: { renderer: ReturnType<typeof createRenderer>; samples: KnownSamples },
): Promise<void> {
  const { tuning = {}, build } = options
  const { address, audit, connections, database, others, presence, rules, sealed, signIn } = core
  registerAgents(app, {
    audit: audit.log,
    key: sealed.derivedKey('agent sessions'),
    build,
    identify: (request) => others.refresh().then(() => identify(request, signIn)),
  })
  registerJoinPages(app, options.stackUrl)
  registerPreviews(app, renderer, () => address.url)
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
}
