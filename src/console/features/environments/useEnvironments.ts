/** The known state of all connections, and how each compares with the baseline: a slow one delays only itself. */
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { comparisonsQuery, connectionStatesQuery } from '#console/api/gateway/environments.ts'
import { formatError } from '#console/api/errors.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { ConnectionState } from '#contract/console/environments.ts'
import type { Column } from './matrixRows.ts'

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
  // The drift that this query asks for is not shown here, but all pages share what it reads.
  const { data: known, error: failure, isFetching } = useQuery(connectionStatesQuery(connections))
  const compared = useQuery({ ...comparisonsQuery(connections, baselineId), enabled: baselineId !== '' })
  const { data: found, error: comparisonFailure, isFetching: isComparing } = compared
  return useMemo(() => {
    const ordered = connections.toSorted((a, b) => Number(b.id === baselineId) - Number(a.id === baselineId))
    const reading = new Set(known?.reading)
    const comparing = new Set(found?.comparing)
    const baselineRead = known?.states[baselineId]?.readAt
    return ordered.map((connection): Environment => {
      const { id } = connection
      const state = known?.states[id]
      const comparison = found?.comparisons[id]
      const failed = failure ?? comparisonFailure
      const isPending = comparing.has(id) || isComparing || isFetching
      const uncompared = comparison || isPending ? undefined : 'It could not be compared with the baseline.'
      return {
        connection,
        state,
        problem: failure ? formatError(failure).sentence : state?.problem,
        reading: known ? reading.has(id) : isFetching,
        read: `${baselineRead ?? ''} ${state?.readAt ?? ''}`,
        column: {
          connectionId: id,
          comparison,
          problem: failed ? formatError(failed).sentence : (state?.problem ?? uncompared),
        },
      }
    })
  }, [connections, baselineId, known, failure, isFetching, found, comparisonFailure, isComparing])
}
