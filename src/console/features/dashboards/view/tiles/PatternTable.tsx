import { useQuery } from '@tanstack/react-query'
import { useImperativeHandle, useMemo, useState, type Ref } from 'react'
import { formatError } from '#console/api/errors.ts'
import { queryClient, queryKey } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import type { ResultRow } from '#console/telemetry/rows/columns.ts'
import type { RowsQuery } from '#console/telemetry/rows/readRows.ts'
import { sampleRows, sampleWindows } from '#console/telemetry/rows/sampleRows.ts'
import type { SearchLink } from '#console/telemetry/search/searchLink.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { search } from '#contract/search.ts'
import type { Source } from '#contract/sources.ts'
import { formatValue } from '#domain/charts/units.ts'
import { messagePatterns } from '#domain/text/messagePatterns.ts'
import { counted } from '#domain/text/words.ts'
import type { TileExport } from './tileExport.ts'
import css from './RowsTile.module.css'
import table from './tileTable.module.css'

/** Patterns that are shown; most messages are in few of them. */
const maxPatterns = 100

interface PatternTableProps {
  connectionId: string
  source: Source
  /** The query of `rows`. */
  query: RowsQuery
  /** The newest. */
  rows: readonly ResultRow[]
  /** Whether there are no others, so that nothing is to be sampled. */
  isAll: boolean
  link: SearchLink | undefined
  drawn?: Ref<TileExport | null> | undefined
}

/** The patterns of messages: of all of them, or of a sample of the whole range, and until that is read of the newest. */
export function PatternTable({ connectionId, source, query, rows: newest, isAll, link, drawn }: PatternTableProps) {
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
  const stop = () => {
    setStopped(true)
    void queryClient.cancelQueries({ queryKey: key })
  }
  const sampled = isAll ? undefined : sample.data
  const rows = sampled?.rows ?? newest
  const all = useMemo(() => messagePatterns(rows.map(({ values }) => values[0] ?? '')), [rows])
  const patterns = all.slice(0, maxPatterns)
  const highest = patterns[0]?.count ?? 1
  useImperativeHandle(drawn, () => ({
    lines: () => [['Count', 'Pattern'], ...patterns.map(({ count, pattern }) => [String(count), pattern])],
  }))
  return (
    <>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col" className={table.number}>
              {isAll ? 'Count' : 'In sample'}
            </th>
            <th scope="col">Share</th>
            <th scope="col">Pattern</th>
          </tr>
        </thead>
        <tbody>
          {patterns.map(({ pattern, count, first }) => (
            <tr key={pattern}>
              <td className={table.number}>{formatValue(count)}</td>
              <td>
                <svg viewBox="0 0 60 6" className={css.share} role="img" aria-label={shareText(count, rows.length)}>
                  <rect width={(60 * count) / highest} height="6" rx="2" />
                </svg>
              </td>
              <td className={css.wide}>
                {/* Its newest row, which shows the values. */}
                <TextLink
                  to={paths.search(connectionId)}
                  search={{ ...link, ...(sampled && endingWith(rows[first])), row: rows[first]?.key }}
                  disabled={!link}
                  row
                >
                  {pattern}
                </TextLink>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isAll && (
        <div className={`${table.note} ${css.sampled}`} aria-live="polite">
          {sampled ? (
            sampleText(sampled.rows.length, sampled.total)
          ) : (
            <>
              Patterns of the newest {counted(newest.length, 'row')}.{' '}
              {sample.isFetching
                ? 'Reading others of the whole range…'
                : sample.error && formatError(sample.error).sentence}
            </>
          )}
          {!sampled &&
            (sample.isFetching ? (
              <Button size="small" onClick={stop}>
                Stop
              </Button>
            ) : (
              <Button size="small" onClick={() => (isStopped ? setStopped(false) : void sample.refetch())}>
                Read the whole range
              </Button>
            ))}
        </div>
      )}
    </>
  )
}

/** The search lists the newest rows first: with this end, an old row is among them. */
const endingWith = (row: ResultRow | undefined) =>
  row === undefined || Number.isNaN(row.at) ? {} : { to: String(Math.floor(row.at) + 1) }

/** "Patterns of 996 of 73,214 rows (1.3 %), from 6 parts of the range." */
function sampleText(read: number, total: number): string {
  // Rows come in while the sample is read.
  if (read >= total) return `Patterns of ${counted(read, 'row')}.`
  return `Patterns of ${formatValue(read)} of ${counted(total, 'row')} (${shareText(read, total)}), from ${sampleWindows} parts of the range.`
}

/** Rounded down: 997 of 1,000 are not all of them. */
const shareText = (count: number, all: number) => {
  const percent = Math.floor((1000 * count) / all) / 10
  return `${percent === 0 && count > 0 ? 'less than 0.1' : percent} %`
}
