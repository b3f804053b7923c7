/** The markers of a connection: what charts draw on their time axis. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { pathId } from '#contract/wire/kernel.ts'
import { markerKinds, maxMarkers } from '#contract/console/markerKinds.ts'
import {
  markerInput,
  markerParams,
  markersQuery,
  markerTimeProblem,
  type Marker,
  type MarkerList,
  type MarkersQuery,
} from '#contract/console/markers.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { sees, unknownConnection, type Access } from '../identity/access/access.ts'
import type { Connections } from '../connections/connections.ts'
import type { Database } from '../database/database.ts'
import type { ChangeStore } from '../history/changeStore.ts'
import { locationOf } from '#contract/console/deployments.ts'
import { actorOf, parsed, routePath } from '../http/requests.ts'
import { ChangeMarkers, type MarkedPlace } from './changeMarkers.ts'
import { FoundDeployments } from './foundDeployments.ts'
import { ReportedMarkers } from './reportedMarkers.ts'

interface MarkerDependencies {
  database: Database
  connections: Connections
  deployments: Deployments
  changes: ChangeStore
  /** Returns once all reads so far are stored. */
  settled(): Promise<void>
}

const params = z.object({ connectionId: pathId })
/** Bytes of a report. */
const maxBody = 16_384

/** @returns a function that forgets the markers of a removed connection */
export function registerMarkers(
  app: FastifyInstance,
  parts: MarkerDependencies,
): (connectionId: string) => Promise<unknown> {
  const { database, connections, deployments, changes } = parts
  const reported = new ReportedMarkers(database)
  const sources = {
    made: new ChangeMarkers(database, changes),
    reported,
    found: new FoundDeployments(database, deployments),
  }
  app.get(routePath(pagePaths.markers), (request) => {
    const { connectionId } = parsed(params, request.params, 'The connection ID')
    const query = parsed(markersQuery, request.query, 'The query')
    const target = connections.open(connectionId)
    const place = placeFor(connections, request.access, target, query)
    const targets = [target, ...shownBeside(connections, request.access, query, connectionId)]
    return parts.settled().then(() => listMarkers(sources, { targets, place }, query))
  })
  app.post(routePath(pagePaths.markers), { bodyLimit: maxBody }, (request) => {
    const { connectionId } = parsed(params, request.params, 'The connection ID')
    const input = parsed(markerInput, request.body, 'The marker')
    const problem = input.at === undefined ? undefined : markerTimeProblem(Date.parse(input.at), currentTime())
    if (problem !== undefined) {
      throw failure('invalid', `The marker is not valid: ${problem}.`, { fields: [{ path: 'at', message: problem }] })
    }
    // Says that a connection does not exist.
    connections.open(connectionId)
    return reported.add(connectionId, input, actorOf(request))
  })
  app.delete(routePath(pagePaths.marker), (request) => {
    const { connectionId, markerId } = parsed(markerParams, request.params, 'The ID of the marker')
    return reported.remove(connectionId, markerId)
  })
  return (connectionId) => Promise.all([reported.removeOf(connectionId), sources.found.removeOf(connectionId)])
}

interface Sources {
  made: ChangeMarkers
  reported: ReportedMarkers
  found: FoundDeployments
}

async function listMarkers(
  { made, reported, found }: Sources,
  { targets, place }: { targets: readonly UpstreamTarget[]; place: MarkedPlace },
  query: MarkersQuery,
): Promise<MarkerList> {
  const { kinds = markerKinds } = query
  const [from, to] = [new Date(query.from).toISOString(), new Date(query.to).toISOString()]
  const [changes, counts, released] = await Promise.all([
    made.list(place, { from, to, kinds, limit: maxMarkers }),
    made.counts(place, from, to),
    releasesOf({ reported, found }, targets, { from, to, isWanted: kinds.includes('deployment') }),
  ])
  const newest = [...changes, ...released.items]
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, maxMarkers)
  return {
    items: newest.toReversed(),
    counts: { ...counts, ...(released.count > 0 && { deployment: released.count }) },
    isLooking: released.isLooking,
  }
}

/** The deployments of connections: those that were reported, and those found in telemetry that were not reported. */
async function releasesOf(
  { reported, found }: Pick<Sources, 'reported' | 'found'>,
  targets: readonly UpstreamTarget[],
  { from, to, isWanted }: { from: string; to: string; isWanted: boolean },
): Promise<{ items: Marker[]; count: number; isLooking: boolean }> {
  const counts = await Promise.all(targets.map(({ connectionId }) => reported.count(connectionId, from, to)))
  const count = counts.reduce((sum, value) => sum + value, 0)
  if (!isWanted) return { items: [], count, isLooking: false }
  const [reports, looks] = await Promise.all([
    Promise.all(targets.map(({ connectionId }) => reported.list(connectionId, from, to, maxMarkers))),
    Promise.all(targets.map((target) => found.list(target, from, to, maxMarkers))),
  ])
  const known = new Set(reports.flat().map(releaseOf))
  const unreported = looks.flatMap(({ items }) => items).filter((item) => !known.has(releaseOf(item)))
  return {
    items: [...reports.flat(), ...unreported],
    count: count + unreported.length,
    isLooking: looks.some(({ isLooking }) => isLooking),
  }
}

/** The identity of a deployment, be it reported or found. */
const releaseOf = ({ release }: Marker): string => JSON.stringify([release?.service, release?.version])

/**
 * The changes that the sender may know of: all of the connection's deployment, as its history shows them. Of another service
 * of the organization, which may have a connection of its own, only what was made or seen through connections they see.
 */
function placeFor(
  connections: Connections,
  access: FastifyRequest['access'],
  target: UpstreamTarget,
  { serviceId }: Pick<MarkersQuery, 'serviceId'>,
): MarkedPlace {
  const { deployment } = locationOf(target)
  if (serviceId === undefined || target.variant !== 'managed' || serviceId === target.serviceId) return { deployment }
  const other = locationOf({ ...target, serviceId })
  return { deployment: other.deployment, pipesThrough: seenIds(connections, access) }
}

/** The connection whose data the charts show, if it is another one that the sender sees. */
function shownBeside(
  connections: Connections,
  access: FastifyRequest['access'],
  { deploymentsOf }: Pick<MarkersQuery, 'deploymentsOf'>,
  connectionId: string,
): UpstreamTarget[] {
  if (deploymentsOf === undefined || deploymentsOf === connectionId) return []
  if (!sees(access, connections, deploymentsOf)) throw unknownConnection()
  return [connections.open(deploymentsOf)]
}

function seenIds(connections: Connections, access: Access | null): string[] {
  return connections.list().flatMap(({ id }) => (sees(access, connections, id) ? [id] : []))
}
