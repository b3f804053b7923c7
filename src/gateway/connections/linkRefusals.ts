/** Where dashboards may not be shared with people without an account. */
import type { Connection } from '#contract/console/connections.ts'
import { sharesRecords } from '#contract/console/deployments.ts'

const off =
  'Shared links are off on production connections, unless an administrator allows them in the settings of the connection.'

/**
 * Why links of a connection cannot be shared; undefined if they can. Connections to the same deployment count as well: the data of
 * a managed one is read by an open-source one.
 * @param seen whether its name may be told to whoever asks
 */
export function linkRefusal(
  connection: Connection,
  all: readonly Connection[],
  seen: (id: string) => boolean,
): string | undefined {
  if (refusesLinks(connection)) return off
  const others = all.filter((one) => refusesLinks(one) && sharesRecords(one, connection))
  if (others.length === 0) return undefined
  const named = others.find(({ id }) => seen(id))
  return `${off} ${named?.name ?? 'Another connection'} leads to the same deployment, and is one.`
}

const refusesLinks = ({ stage, sharedLinks }: Connection): boolean => stage === 'production' && sharedLinks !== true
