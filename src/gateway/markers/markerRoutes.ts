/** The markers of a connection: what charts draw on their time axis. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { pathId } from '#contract/kernel.ts'
import { markerKinds, maxMarkers } from '#contract/markerKinds.ts'
import { markersQuery, type MarkerList, type MarkersQuery } from '#contract/markers.ts'
import { pagePaths } from '#contract/pagePaths.ts'
import { sees, type Access } from '../access/access.ts'
import type { Connections } from '../connections/connections.ts'
import type { Database } from '../database/database.ts'
import type { ChangeStore } from '../history/changeStore.ts'
import { placeOf } from '../history/historyKinds.ts'
import { parsed } from '../http/requests.ts'
import { ChangeMarkers, type MarkedPlace } from './changeMarkers.ts'

interface MarkerParts {
  database: Database
  connections: Connections
  changes: ChangeStore
  /** Returns once all reads so far are stored. */
  settled(): Promise<void>
}

const params = z.object({ connectionId: pathId })

export function registerMarkers(app: FastifyInstance, { database, connections, changes, settled }: MarkerParts): void {
  const changeMarkers = new ChangeMarkers(database, changes)
  const list = async (place: MarkedPlace, { from, to, kinds = markerKinds }: MarkersQuery): Promise<MarkerList> => {
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    await settled()
    const [items, counts] = await Promise.all([
      changeMarkers.list(place, { ...range, kinds, limit: maxMarkers }),
      changeMarkers.counts(place, range.from, range.to),
    ])
    return { items: items.toReversed(), counts }
  }
  app.get(pagePaths.markers.replace('{connectionId}', ':connectionId'), (request) => {
    const { connectionId } = parsed(params, request.params, 'The connection ID')
    const query = parsed(markersQuery, request.query, 'The query')
    return list(placeFor(connections, request.access, connectionId, query), query)
  })
}

/**
 * The changes that the sender may know of: all of the connection's deployment, as its history shows them. Of another service
 * of the organization, which may have a connection of its own, only what was made or seen through connections they see.
 */
function placeFor(
  connections: Connections,
  access: FastifyRequest['access'],
  connectionId: string,
  { serviceId }: Pick<MarkersQuery, 'serviceId'>,
): MarkedPlace {
  const target = connections.open(connectionId)
  const { deployment } = placeOf(target)
  if (serviceId === undefined || target.variant !== 'managed' || serviceId === target.serviceId) return { deployment }
  const other = placeOf({ ...target, serviceId })
  return { deployment: other.deployment, pipesThrough: seenIds(connections, access) }
}

function seenIds(connections: Connections, access: Access | null): string[] {
  return connections.list().flatMap(({ id }) => (sees(access, connections, id) ? [id] : []))
}
