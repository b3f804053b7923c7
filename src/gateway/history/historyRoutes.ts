/** The API of the history. What it shows is masked like every response of a deployment. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { historyPaths } from '#contract/console/environmentPaths.ts'
import type { RecentChanges } from '#contract/console/environments.ts'
import {
  changesQuery,
  historySettings,
  recordParams,
  stripQuery,
  versionParams,
  type ChangePage,
  type ChangeStrip,
  type DeletedRecord,
  type GoneRecord,
  type HistoryTotals,
  type RecordVersion,
  type VersionDocument,
} from '#contract/console/history.ts'
import { endpoints } from '#contract/index.ts'
import { pathId } from '#contract/wire/kernel.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { sees } from '../identity/access/access.ts'
import type { Connections } from '../connections/connections.ts'
import { compressResponse } from '../http/compressedResponses.ts'
import { disconnectSignal, parsed, routePath } from '../http/requests.ts'
import { masked } from '#node/upstream/masks.ts'
import type { ChangeStore } from './changeStore.ts'
import { recentChanges, shownChange } from './recentChanges.ts'
import type { History } from './history.ts'
import { locationOf } from '#contract/console/deployments.ts'
import type { HistoryQueries } from './historyQueries.ts'
import type { RetentionLimits } from './retention.ts'
import type { Snapshots } from './snapshots.ts'
import type { Versions } from './versions.ts'

interface RouteDependencies {
  connections: Connections
  store: ChangeStore
  queries: HistoryQueries
  versions: Versions
  history: History
  snapshots: Snapshots
  limits: RetentionLimits
}

const params = z.object({ connectionId: pathId })
/** Milliseconds that the last changes of all connections wait for what is being stored. */
const settlingTime = 150

export function registerHistory(app: FastifyInstance, parts: RouteDependencies): void {
  const { history, queries, store, snapshots } = parts
  const targetOf = (request: FastifyRequest) => openTarget(parts, request)
  const deploymentOf = (request: FastifyRequest) => locationOf(targetOf(request)).deployment
  /** The reads so far are part of every answer. */
  const upToDate = <T>(read: () => Promise<T>): Promise<T> => history.settled().then(read)

  app.get(historyPaths.recentChanges, { onSend: compressResponse }, (request) => listRecent(parts, request))
  app.get(routePath(historyPaths.changes), (request) => {
    const query = parsed(changesQuery, request.query, 'The query')
    const deployment = deploymentOf(request)
    const isSeen = (id: string) => sees(request.access, parts.connections, id)
    return upToDate(() => listChanges(store, deployment, query, isSeen))
  })
  app.get(routePath(historyPaths.historyTotals), (request) => {
    const target = targetOf(request)
    return upToDate(() => totalsOf(parts, target))
  })
  app.get(routePath(historyPaths.changeStrip), (request): Promise<ChangeStrip> => {
    const { from, to } = parsed(stripQuery, request.query, 'The query')
    const deployment = deploymentOf(request)
    return upToDate(() => store.strip(deployment, from, to))
  })
  app.get(routePath(historyPaths.deletedRecords), (request): Promise<DeletedRecord[]> => {
    const deployment = deploymentOf(request)
    return upToDate(() => queries.deleted(deployment))
  })
  app.get(routePath(historyPaths.recordVersions), (request): Promise<RecordVersion[]> => {
    const { kind, recordId } = parsed(recordParams, decoded(request), 'The address')
    const deployment = deploymentOf(request)
    return upToDate(() => queries.versions(deployment, kind, recordId))
  })
  app.get(routePath(historyPaths.goneRecord), (request): Promise<GoneRecord> => {
    const { kind, recordId } = parsed(recordParams, decoded(request), 'The address')
    const deployment = deploymentOf(request)
    return upToDate(async () => {
      const found = await queries.gone(deployment, kind, recordId)
      if (!found) throw failure('notFound', 'The history knows no deleted record with this ID.')
      return found
    })
  })
  app.get(routePath(historyPaths.recordVersion), (request) => showVersion(parts, request, deploymentOf(request)))
  app.put(routePath(historyPaths.historySettings), (request) => saveSettings(parts, request, targetOf(request)))
  app.post(routePath(historyPaths.snapshot), (request, reply) =>
    snapshots
      .take(targetOf(request), disconnectSignal(reply))
      .then(() => history.settled())
      .then(() => ({})),
  )
}

function openTarget({ connections }: RouteDependencies, request: FastifyRequest): UpstreamTarget {
  return connections.open(parsed(params.loose(), request.params, 'The connection ID').connectionId)
}

async function listRecent(
  { history, store, connections }: RouteDependencies,
  { access }: FastifyRequest,
): Promise<RecentChanges[]> {
  // One that has just been read may be late. The next reading of the page shows it.
  await Promise.race([history.settled(), sleep(settlingTime)])
  return recentChanges(store, connections, (id) => sees(access, connections, id))
}

async function listChanges(
  store: ChangeStore,
  deployment: string,
  query: z.output<typeof changesQuery>,
  isSeen: (connectionId: string) => boolean,
): Promise<ChangePage> {
  const found = await store.list(deployment, { ...query, limit: query.limit + 1 })
  const items = found.map((change) => shownChange(change, isSeen))
  const hasMore = items.length > query.limit
  return { items: items.slice(0, query.limit), hasMore, actors: await store.actors(deployment) }
}

async function totalsOf(
  { queries, snapshots, limits }: RouteDependencies,
  target: UpstreamTarget,
): Promise<HistoryTotals> {
  const totals = await queries.totals(locationOf(target).deployment)
  return { ...totals, keptDays: limits.days, snapshotMinutes: await snapshots.minutesOf(target.connectionId) }
}

async function showVersion(
  { queries, versions }: RouteDependencies,
  request: FastifyRequest,
  deployment: string,
): Promise<VersionDocument> {
  const { version } = parsed(versionParams, request.params, 'The address')
  const kind = await queries.kindOf(deployment, version)
  const document = kind === undefined ? undefined : await versions.read(version)
  if (kind === undefined || document === undefined) throw failure('notFound', 'This version is no longer kept.')
  const endpoint = endpoints.find(({ resource, method }) => resource === kind.split('/')[0] && method === 'GET')
  return { kind, document: endpoint ? masked(endpoint, document) : document }
}

async function saveSettings(
  { snapshots }: RouteDependencies,
  request: FastifyRequest,
  { connectionId }: UpstreamTarget,
) {
  const { snapshotMinutes } = parsed(historySettings, request.body, 'The settings')
  await snapshots.setMinutes(connectionId, snapshotMinutes)
  return { snapshotMinutes }
}

/** A part of a record has a slash in its kind, which the path has as a dot. */
function decoded({ params: encoded }: FastifyRequest): unknown {
  const values = z.looseObject({ kind: z.string() }).parse(encoded)
  return { ...values, kind: values.kind.replace('.', '/') }
}
