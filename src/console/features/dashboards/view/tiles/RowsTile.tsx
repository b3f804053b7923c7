import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Ref, useEffect, useImperativeHandle } from 'react'
import { queryKey } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { QueryWait } from '#console/charting/progress/QueryWait.tsx'
import { writtenCondition } from '#console/charting/freeText.ts'
import { columnsOf, type ResultColumn, type ResultRow } from '#console/charting/rows/columns.ts'
import { maxMessages, messageColumns } from '#console/charting/rows/messageRows.ts'
import { readRows, type RowsQuery, withUniqueKeys } from '#console/charting/rows/readRows.ts'
import { tileEvents } from '#console/charting/search/tileEvents.ts'
import type { SearchLink } from '#console/charting/search/searchLink.ts'
import type { QueryPlan, TileRows } from '#console/charting/tiles/tileQuery.ts'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { absoluteRange } from '#console/ui/time/range.ts'
import { search } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'
import { counted } from '#domain/text/words.ts'
import type { Span } from '#domain/time/span.ts'
import type { Zone } from '#domain/time/zone.ts'
import { PatternTable, SampleNote } from '#console/charting/patterns/PatternTable.tsx'
import { usePatterns } from '#console/charting/patterns/usePatterns.ts'
import { NoData } from './NoData.tsx'
import { RowTable } from './RowTable.tsx'
import type { TileExport } from './tileExport.ts'
import * as css from './tiles.module.css'

/** Rows that a tile lists. */
export const maxListed = 100

export interface RowsTileProps {
  connectionId: string
  source: Source
  plan: QueryPlan
  rows: TileRows
  span: Span
  zone: Zone
  /** Whether the tile is near the visible part of the page: only then its rows are read. */
  near: boolean
  label: string
  /** Told whether rows are being read. */
  onBusy: (busy: boolean) => void
  drawn?: Ref<TileExport | null> | undefined
}

/** The newest rows of a condition, or the patterns of messages of the whole range. */
export function RowsTile(props: RowsTileProps) {
  const { connectionId, source, plan, rows: asked, span, near, onBusy } = props
  const columns = asked.kind === 'search' ? columnsOf(asked.select, source) : messageColumns(source)
  const maxResults = asked.kind === 'search' ? maxListed : maxMessages
  const series = plan.requests[0]?.query.series[0]
  const whereLanguage = series?.whereLanguage ?? 'lucene'
  const where = writtenCondition(series?.where ?? '', whereLanguage)
  const read = queryKey(connectionId, search.query, [source.id, span, where, whereLanguage, columns, maxResults])
  const { data, error, isFetching, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: read,
    queryFn: async ({ signal }) => {
      const query = { span, where, whereLanguage, columns, maxResults }
      const { rows } = await readRows(connectionId, source, query, { signal, read, priority: 'visible' })
      // The columns that they were read with: other columns are asked for while they are still shown.
      return { rows: withUniqueKeys(rows), kind: asked.kind, query }
    },
    enabled: near,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  useEffect(() => onBusy(isFetching), [onBusy, isFetching])
  const { link } = tileEvents(plan, null, absoluteRange(span), [source])
  const isStopped = near && !isFetching && (isPending || isPlaceholderData)
  return (
    <>
      <QueryWait {...{ connectionId, isFetching, isStopped }} reads={[read]} onRun={() => void refetch()} />
      {error ? (
        <QueryError error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        !isStopped && <Skeleton variant="rounded" className={css.rowsSkeleton} />
      ) : data.rows.length === 0 ? (
        <NoData />
      ) : (
        <Listed {...props} read={data} isStale={isPlaceholderData} link={link} />
      )}
    </>
  )
}

interface ListedProps extends Omit<RowsTileProps, 'rows'> {
  read: { rows: readonly ResultRow[]; kind: TileRows['kind']; query: RowsQuery }
  isStale: boolean
  /** To the events of the tile. */
  link: SearchLink | undefined
}

/** The rows that were read, and how to see the others. */
function Listed(props: ListedProps) {
  const { read, isStale, link, connectionId, source, label, drawn } = props
  const { rows, kind, query } = read
  const isAll = rows.length < query.maxResults
  return (
    // Without a tab stop the arrow keys would have nothing to scroll.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.tile} tabIndex={0} role="region" aria-label={`${label}, rows`} data-stale={isStale}>
      {kind === 'search' ? (
        <SearchRows {...props} rows={rows} columns={query.columns} />
      ) : (
        <PatternRows {...{ connectionId, source, query, drawn }} rows={rows} isAll={isAll || isStale} link={link} />
      )}
      {!isAll && (
        <p className={css.tileTableNote}>
          {kind === 'search' && `The newest ${counted(rows.length, 'row')}. `}
          {link && (
            <TextLink to={paths.search(connectionId)} search={{ ...link }} underline="always">
              View all events
            </TextLink>
          )}
        </p>
      )}
    </div>
  )
}

interface SearchRowsProps extends Omit<RowsTileProps, 'rows'> {
  columns: readonly ResultColumn[]
  rows: readonly ResultRow[]
  link: SearchLink | undefined
}

function SearchRows({ connectionId, rows, columns, link, span, zone, drawn }: SearchRowsProps) {
  useImperativeHandle(drawn, () => ({
    lines: () => [
      ['Time', ...columns.map(({ expression }) => expression)],
      ...rows.map(({ time, values }) => [time, ...values]),
    ],
  }))
  return (
    <RowTable
      {...{ columns, rows, span, zone }}
      renderTime={({ key }, text) => (
        <TextLink to={paths.search(connectionId)} search={{ ...link, row: key }} disabled={!link}>
          {text}
        </TextLink>
      )}
    />
  )
}

interface PatternRowsProps {
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

/** The patterns of a tile; each leads to its newest row, which shows the values. */
function PatternRows({ connectionId, source, query, rows, isAll, link, drawn }: PatternRowsProps) {
  const found = usePatterns({ connectionId, source, query, newest: rows, isAll })
  const { patterns, isSample, total } = found
  useImperativeHandle(drawn, () => ({
    lines: () => [['Count', 'Pattern'], ...patterns.map((pattern) => [String(pattern.count), pattern.pattern])],
  }))
  return (
    <>
      <PatternTable
        patterns={found}
        renderLink={({ pattern, newest }) => (
          <TextLink
            to={paths.search(connectionId)}
            search={{ ...link, ...(isSample && total !== undefined && endingWith(newest)), row: newest.key }}
            disabled={!link}
            row
          >
            {pattern}
          </TextLink>
        )}
      />
      <SampleNote patterns={found} className={css.tileTableNote} />
    </>
  )
}

/** The search lists the newest rows first: with this end, an old row is among them. */
const endingWith = ({ at }: ResultRow) => (Number.isNaN(at) ? {} : { to: String(Math.floor(at) + 1) })
