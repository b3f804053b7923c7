/** The alerts that fire on all connections. */
import type { Connection } from '#contract/console/connections.ts'
import { connectionLocation, isSameLocation, type ConnectionLocation } from '#contract/console/deployments.ts'
import type { ListedAlert } from '#contract/console/environments.ts'
import type { HomeEnvironment } from './useHome.ts'

/** An alert, and the connections that show it: several may lead to the same deployment. */
export interface FiringAlert {
  alert: ListedAlert
  connections: readonly [Connection, ...Connection[]]
}

/** An alert that was found, and where it is from. */
interface Found extends FiringAlert {
  connections: [Connection, ...Connection[]]
  place: ConnectionLocation
}

/** The known firing alerts, each once, in the order of the connections. */
export function firingAlerts(environments: readonly Pick<HomeEnvironment, 'connection' | 'firing'>[]): FiringAlert[] {
  // Alerts of copied deployments have the same ids, but are others.
  const byId = new Map<string, Found[]>()
  const all: Found[] = []
  for (const { connection, firing = [] } of environments) {
    if (firing.length === 0) continue
    const place = connectionLocation(connection)
    for (const alert of firing) {
      const sameId = byId.get(alert.id) ?? []
      const known = sameId.find((candidate) => isSameLocation(candidate.place, place))
      if (known) known.connections.push(connection)
      else {
        const found: Found = { alert, connections: [connection], place }
        all.push(found)
        byId.set(alert.id, [...sameId, found])
      }
    }
  }
  return all
}
