/** Where records can be copied to. */
import type { Connection } from '#contract/console/connections.ts'
import { sharesRecords } from '#contract/console/deployments.ts'

export interface OtherConnections {
  /** Connections to another deployment. */
  targets: Connection[]
  /** Connections to the deployment whose records would be copied. */
  same: Connection[]
}

export function otherConnections(connections: readonly Connection[], from: Connection | undefined): OtherConnections {
  const others = connections.filter(({ id }) => id !== from?.id)
  const isSame = (connection: Connection) => from !== undefined && sharesRecords(from, connection)
  return { targets: others.filter((one) => !isSame(one)), same: others.filter(isSame) }
}

/**
 * The IDs of the targets. Until somebody chooses, it is the only one there is.
 * @param chosen undefined until somebody chose. IDs of connections that are no targets are left out.
 */
export function targetsOf(chosen: readonly string[] | undefined, targets: readonly Connection[]): string[] {
  const ids = targets.map(({ id }) => id)
  if (chosen !== undefined) return chosen.filter((id) => ids.includes(id))
  return ids.length === 1 ? ids : []
}
