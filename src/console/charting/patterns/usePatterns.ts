import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { queryClient, queryKey } from '#console/api/queryClient.ts'
import type { ResultRow } from '#console/charting/rows/columns.ts'
import type { RowsQuery } from '#console/charting/rows/readRows.ts'
import { sampleRows } from '#console/charting/rows/sampleRows.ts'
import { search } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'
import { countedPatterns, type CountedPattern } from '#domain/text/countedPatterns.ts'

export interface DrawnPattern extends CountedPattern {
  /** Its rows, newest first; at least one. */
  rows: ResultRow[]
  newest: ResultRow
}

export interface Patterns {
  patterns: DrawnPattern[]
  /** Rows of which they are made. */
  read: number
  /** Rows of the whole range; undefined where only the newest were read. */
  total: number | undefined
  /** Whether those that were read are a part of the range. */
  isSample: boolean
  isReading: boolean
  error: Error | null
  stop: () => void
  /** Reads the sample, after Stop or an error. */
  run: () => void
}

interface PatternRows {
  connectionId: string
  source: Source
  /** The query of `newest`, with the columns of `messageRows.ts`. */
  query: RowsQuery
  newest: readonly ResultRow[]
  /** Whether there are no others, so that nothing is to be sampled. */
  isAll: boolean
}

/** The patterns of messages: of all of them, or of a sample of the whole range, and until that is read of the newest. */
export function usePatterns({ connectionId, source, query, newest, isAll }: PatternRows): Patterns {
  const [isStopped, setStopped] = useState(false)
  const { span, where, whereLanguage, columns, maxResults } = query
  const key = queryKey(connectionId, search.query, [
    'sample',
    source.id,
    { span, where, whereLanguage, columns, maxResults },
  ])
  const sample = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => sampleRows(connectionId, source, query, newest, { signal, priority: 'background' }),
    enabled: !isAll && !isStopped,
    staleTime: Infinity,
    retry: false,
  })
  const sampled = isAll ? undefined : sample.data
  const rows = sampled?.rows ?? newest
  const patterns = useMemo(() => patternsOf(rows), [rows])
  return {
    patterns,
    read: rows.length,
    total: isAll ? rows.length : sampled?.total,
    isSample: !isAll,
    isReading: sample.isFetching,
    error: sample.error,
    stop: () => {
      setStopped(true)
      void queryClient.cancelQueries({ queryKey: key })
    },
    run: () => (isStopped ? setStopped(false) : void sample.refetch()),
  }
}

function patternsOf(rows: readonly ResultRow[]): DrawnPattern[] {
  const messages = rows.map(({ values: [text = '', level = ''] }) => ({ text, level }))
  return countedPatterns(messages).flatMap(({ places, ...counted }) => {
    const own = places.flatMap((place) => rows[place] ?? [])
    const [newest] = own
    return newest ? [{ ...counted, rows: own, newest }] : []
  })
}
