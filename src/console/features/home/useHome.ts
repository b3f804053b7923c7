/**
 * The state of each connection on Home. All are read in a few requests; a slow or dead one delays and empties nothing but its own line.
 *
 * Home sends no chart query. It reads inventories, the alerts that fire, the last changes, and services and pipes behind all other
 * requests (of up to eight services). Connections of more than 300 records are not compared.
 * Unknown values are shown as unknown, and keep the page from saying that all is quiet.
 */
import { useQuery } from '@tanstack/react-query'
import { formatError } from '#console/api/errors.ts'
import { connectionStatesQuery } from '#console/api/gateway/environments.ts'
import { recentChangesQuery } from '#console/api/gateway/recentChanges.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { ConnectionState, ListedAlert } from '#contract/console/environments.ts'
import type { Change } from '#contract/console/history.ts'
import type { Problems } from './problems.ts'

export interface HomeEnvironment {
  connection: Connection
  state: ConnectionState | undefined
  /** Why nothing could be read; undefined while it is being read. */
  problem: string | undefined
  /** The alerts that fire; undefined until they are known. */
  firing: readonly ListedAlert[] | undefined
  /** Why it is not known which alerts fire. */
  firingUnknown: string | undefined
  /** Undefined until the reading of them has begun. */
  problems: Problems | undefined
  /** Whether it is being read, or compared with the baseline. */
  isReading: boolean
  /** The last ones; undefined until they are known, null where they cannot be read. */
  changes: readonly Change[] | null | undefined
}

/** Milliseconds between two readings while the page is open. */
export const interval = 60_000

/** One list for all connections without changes, so that their lines are not drawn again. */
const none: readonly Change[] = []

/** @param problems in the order of the connections, as `ProblemsReader` reads them */
export function useHome(connections: readonly Connection[], problems: readonly Problems[]): HomeEnvironment[] {
  const read = useQuery({ ...connectionStatesQuery(connections), refetchInterval: interval })
  const changes = useQuery({ ...recentChangesQuery, refetchInterval: interval })
  // An older state is not shown as if it were the current one.
  const failure = read.error ? formatError(read.error).sentence : undefined
  const reading = read.data && new Set(read.data.reading)
  return connections.map((connection, at): HomeEnvironment => {
    const state = read.data?.states[connection.id]
    const problem = failure ?? state?.problem
    return {
      connection,
      state,
      problem,
      firing: problem === undefined ? state?.firing : undefined,
      firingUnknown: problem ?? state?.firingUnknown,
      problems: problems[at],
      isReading: reading?.has(connection.id) ?? read.isFetching,
      changes: changes.isError ? null : changes.data && (changes.data[connection.id] ?? none),
    }
  })
}
