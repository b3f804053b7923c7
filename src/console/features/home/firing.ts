/** The alerts that fire on all connections. */
import type { Connection } from '#contract/connections.ts'
import { sharesRecords } from '#contract/deployments.ts'
import type { ListedAlert } from '#contract/environments.ts'
import type { HomeEnvironment } from './useHome.ts'

/** An alert, and the connections that show it: several may lead to the same deployment. */
export interface FiringAlert {
  alert: ListedAlert
  connections: readonly [Connection, ...Connection[]]
}

/** Those that are known, each once, in the order of the connections. */
export function firingAlerts(environments: readonly Pick<HomeEnvironment, 'connection' | 'firing'>[]): FiringAlert[] {
  return environments.reduce<FiringAlert[]>(
    (found, { connection, firing = [] }) => firing.reduce((all, alert) => withAlert(all, alert, connection), found),
    [],
  )
}

function withAlert(found: FiringAlert[], alert: ListedAlert, connection: Connection): FiringAlert[] {
  const known = found.find((one) => one.alert.id === alert.id && sharesRecords(one.connections[0], connection))
  if (!known) return [...found, { alert, connections: [connection] }]
  return found.map((one) => (one === known ? { alert, connections: [...one.connections, connection] } : one))
}
