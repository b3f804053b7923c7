/** Where dashboards may not be shared with people without an account. */
import type { Connection } from '#contract/console/connections.ts'
import { connectionLocation, isSameLocation } from '#contract/console/deployments.ts'

const off =
  'Shared links are off on production connections, unless an administrator allows them in the settings of the connection.'

/**
 * Why links of a connection cannot be shared; undefined if they can. All connections to its deployment count: the data of a managed
 * one is read through an open-source one. The result answers for many connections with the same list.
 * @param seen whether the name of a connection may be told to whoever asks
 */
export function linkRefusals(
  all: readonly Connection[],
  seen: (id: string) => boolean,
): (connection: Connection) => string | undefined {
  const refusing = all
    .filter(refusesLinks)
    .map((connection) => ({ connection, location: connectionLocation(connection) }))
  return (connection) => {
    if (refusesLinks(connection)) return off
    if (refusing.length === 0) return undefined
    const location = connectionLocation(connection)
    const others = refusing.filter((other) => isSameLocation(other.location, location))
    if (others.length === 0) return undefined
    const named = others.find((other) => seen(other.connection.id))
    return `${off} ${named?.connection.name ?? 'Another connection'} is a production connection to the same deployment.`
  }
}

const refusesLinks = ({ stage, sharedLinks }: Connection): boolean => stage === 'production' && sharedLinks !== true
