/** Runs a statement; another one stops it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#console/api/call.ts'
import { queryKey } from '#console/api/queryClient.ts'
import { sql, type SqlQuery, type SqlResult } from '#contract/stack/sql.ts'

/** Rows that are shown of a result. */
const maxRows = 5000

export interface StatementRun {
  /** The statement that runs, or whose result is shown. */
  asked: SqlQuery | null
  data: SqlResult | undefined
  error: Error | null
  isRunning: boolean
  /** Somebody stopped it before it had a result. */
  isStopped: boolean
  /** The key of the read, by which its progress is found. */
  read: readonly unknown[]
  start(query: SqlQuery): void
  stop(): void
}

export function useStatement(connectionId: string): StatementRun {
  const client = useQueryClient()
  const [run, setRun] = useState<{ query: SqlQuery; at: number } | null>(null)
  const read = queryKey(connectionId, sql.run, run?.at ?? 0)
  const { data, error, isFetching } = useQuery({
    queryKey: read,
    queryFn: ({ signal }) =>
      call(connectionId, sql.run, { body: { maxRows, ...run!.query } }, { signal, priority: 'user', read }),
    enabled: run !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const stop = () => void client.cancelQueries({ queryKey: read, exact: true })
  return {
    asked: run?.query ?? null,
    data,
    error,
    isRunning: isFetching,
    isStopped: run !== null && !isFetching && !data && !error,
    read,
    start(query) {
      stop()
      setRun((last) => ({ query, at: (last?.at ?? 0) + 1 }))
    },
    stop,
  }
}
