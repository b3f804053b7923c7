import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { queryClient, queryKey } from '#console/api/queryClient.ts'
import type { ResultRow } from '#console/telemetry/rows/columns.ts'
import type { RowsQuery } from '#console/telemetry/rows/readRows.ts'
import { sampleRows } from '#console/telemetry/rows/sampleRows.ts'
import { search } from '#contract/search.ts'
import type { Source } from '#contract/sources.ts'
import { messagePatterns } from '#domain/text/messagePatterns.ts'

/** Patterns that are shown; most messages are in few of them. */
const maxPatterns = 100

export interface DrawnPattern {
  pattern: string
  /** Its rows, of which the first one is the newest; at least one. */
  rows: ResultRow[]
  newest: ResultRow
  /** How many of its rows have which severity, the commonest first. */
  levels: { level: string; count: number }[]
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
  return messagePatterns(rows.map(({ values }) => values[0] ?? ''))
    .slice(0, maxPatterns)
    .flatMap(({ pattern, places }) => {
      const own = places.flatMap((place) => rows[place] ?? [])
      const [newest] = own
      return newest ? [{ pattern, rows: own, newest, levels: levelsOf(own) }] : []
    })
}

function levelsOf(rows: readonly ResultRow[]): DrawnPattern['levels'] {
  const counts = new Map<string, number>()
  for (const { values } of rows) counts.set(values[1] ?? '', (counts.get(values[1] ?? '') ?? 0) + 1)
  return [...counts].map(([level, count]) => ({ level, count })).toSorted((a, b) => b.count - a.count)
}
