/** The known state of all connections. Each is read and compared on its own: a slow one delays only itself. */
import { useQueries } from '@tanstack/react-query'
import { comparisonQuery, connectionStateQuery } from '#console/api/gateway/environments.ts'
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
  const states = useQueries({ queries: ordered.map(({ id }) => connectionStateQuery(id)) })
  const baselineRead = states[0]?.data?.readAt
  const reads = states.map(({ data }) => `${baselineRead ?? ''} ${data?.readAt ?? ''}`)
  const comparisons = useQueries({
    queries: ordered.map(({ id }, at) => ({
      ...comparisonQuery({ connectionId: id, baseline: baselineId }, reads[at] ?? ''),
      enabled: baselineRead !== undefined && states[at]?.data !== undefined,
    })),
  })
  const baselineProblem = states[0]?.error
  return ordered.map((connection, at) => {
    const { data: state, error, isFetching = false } = states[at] ?? {}
    const comparison = comparisons[at]
    const failed = error ?? comparison?.error ?? baselineProblem
    return {
      connection,
      state,
      problem: state?.problem ?? (error ? formatError(error).sentence : undefined),
      reading: isFetching,
      read: reads[at] ?? '',
      column: {
        connectionId: connection.id,
        comparison: comparison?.data,
        problem: failed ? formatError(failed).sentence : state?.problem,
      },
    }
  })
}
