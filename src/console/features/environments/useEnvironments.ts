/** The known state of all connections. Each is compared on its own: a slow one delays only itself. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { comparisonQuery, connectionStatesQuery } from '#console/api/gateway/environments.ts'
import { formatError } from '#console/api/errors.ts'
import type { Connection } from '#contract/connections.ts'
import type { ConnectionState } from '#contract/environments.ts'
import type { Column } from './matrix.ts'

export interface Environment {
  connection: Connection
  state: ConnectionState | undefined
  /** Why nothing could be read; undefined while it is being read. */
  problem: string | undefined
  reading: boolean
  /** When it and the baseline were read. */
  read: string
  column: Column
}

/** The baseline comes first. */
export function useEnvironments(connections: readonly Connection[], baselineId: string): Environment[] {
  const ordered = connections.toSorted((a, b) => Number(b.id === baselineId) - Number(a.id === baselineId))
  // The drift that this query asks for is not shown here, but all pages share what it reads.
  const { data: known, error: failure, isFetching } = useQuery(connectionStatesQuery(connections))
  const stateOf = (id: string) => known?.states[id]
  const baselineRead = stateOf(baselineId)?.readAt
  const reads = ordered.map(({ id }) => `${baselineRead ?? ''} ${stateOf(id)?.readAt ?? ''}`)
  const comparisons = useQueries({
    queries: ordered.map(({ id }, at) => ({
      ...comparisonQuery({ connectionId: id, baseline: baselineId }, reads[at] ?? ''),
      enabled: baselineRead !== undefined && stateOf(id) !== undefined,
    })),
  })
  return ordered.map((connection, at) => {
    const state = stateOf(connection.id)
    const comparison = comparisons[at]
    const failed = failure ?? comparison?.error
    const problem = failure ? formatError(failure).sentence : state?.problem
    return {
      connection,
      state,
      problem,
      reading: known ? known.reading.includes(connection.id) : isFetching,
      read: reads[at] ?? '',
      column: {
        connectionId: connection.id,
        comparison: comparison?.data,
        problem: failed ? formatError(failed).sentence : state?.problem,
      },
    }
  })
}
