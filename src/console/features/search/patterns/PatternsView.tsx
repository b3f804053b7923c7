import { useQuery } from '@tanstack/react-query'
import { Filter, FilterX } from 'lucide-react'
import { queryKey } from '#console/api/queryClient.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { PatternTable, SampleNote } from '#console/charting/patterns/PatternTable.tsx'
import { usePatterns, type DrawnPattern } from '#console/charting/patterns/usePatterns.ts'
import { QueryWait } from '#console/charting/progress/QueryWait.tsx'
import { writtenCondition } from '#console/charting/freeText.ts'
import { maxMessages, messageColumns } from '#console/charting/rows/messageRows.ts'
import { readRows } from '#console/charting/rows/readRows.ts'
import { withPattern, type PatternFilter } from '#console/charting/search/patternFilter.ts'
import * as base from '#console/ui/base/base.module.css'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { formatClock, formatMoment } from '#console/ui/time/formatTime.ts'
import type { Connection } from '#contract/console/connections.ts'
import { search } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'
import { commonPieces } from '#domain/text/messagePatterns.ts'
import { visibleText } from '#domain/text/visibleText.ts'
import type { Span } from '#domain/time/span.ts'
import type { SearchState } from '../query/state.ts'
import * as css from '../search.module.css'

interface PatternsViewProps {
  connection: Connection
  source: Source
  state: SearchState
  /** The range of the rows. */
  span: Span
  /** The rows of the condition are not there yet. */
  isStale: boolean
  /** Changes what is searched. */
  apply: (patch: Partial<SearchState>) => void
}

const day = 86_400_000

/** The patterns of the messages that match, each a way to its rows, or to the others. */
export function PatternsView({
  connection: { id: connectionId },
  source,
  state,
  span,
  isStale,
  apply,
}: PatternsViewProps) {
  const columns = messageColumns(source)
  const where = writtenCondition(state.q, state.lang)
  const query = { span, where, whereLanguage: state.lang, columns, maxResults: maxMessages }
  const read = queryKey(connectionId, search.query, ['messages', source.id, query])
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: read,
    queryFn: ({ signal }) => readRows(connectionId, source, query, { signal, read, priority: 'visible' }),
    enabled: !isStale,
    staleTime: Infinity,
  })
  const rows = data?.rows ?? noRows
  const patterns = usePatterns({
    connectionId,
    source,
    query,
    newest: rows,
    isAll: !data || rows.length < maxMessages,
  })
  const isStopped = !isStale && !data && !error && !isFetching
  const formatTime = span.to - span.from > day ? formatMoment : formatClock
  const conditionOf = ({ pattern, rows: own }: DrawnPattern, mode: PatternFilter['mode']) => {
    const pieces = commonPieces(
      pattern,
      own.map(({ values }) => values[0] ?? ''),
    )
    return pieces && withPattern(state.q, { expression: columns[0].expression, pieces, mode }, state.lang, source)
  }
  const seen = {
    title: patterns.isSample ? 'Newest in sample' : 'Last seen',
    render: ({ newest: { at, time } }: DrawnPattern) => (Number.isNaN(at) ? time : formatTime(at, state.tz, 'second')),
  }
  const exclude = {
    title: 'Exclude',
    render: (pattern: DrawnPattern) => (
      <Exclude name={pattern.pattern} condition={conditionOf(pattern, 'out')} apply={apply} />
    ),
  }
  return (
    <div className={css.patterns}>
      <div className={css.patternsWait}>
        <QueryWait {...{ connectionId, isFetching, isStopped }} reads={[read]} onRun={() => void refetch()} />
      </div>
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {!data && !error && !isStopped && <Skeleton variant="rounded" className={css.patternsSkeleton} />}
      {data && !error && (
        // Without a tab stop the arrow keys would have nothing to scroll.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={css.patternsScroller} tabIndex={0} role="region" aria-label="Patterns">
          <PatternTable
            patterns={patterns}
            renderLink={(drawnPattern) => (
              <ShowRows name={drawnPattern.pattern} condition={conditionOf(drawnPattern, 'in')} apply={apply} />
            )}
            further={[seen, exclude]}
          />
        </div>
      )}
      {data && !error && <SampleNote patterns={patterns} />}
    </div>
  )
}

const noRows = [] as const

interface PatternActionProps {
  name: string
  /** The one with the filter; null where it cannot be filtered by. */
  condition: string | null
  apply: (patch: Partial<SearchState>) => void
}

/** Why a pattern is no filter. */
const noFilter = 'The condition cannot express what these messages have in common.'

/** The pattern, which lists its rows. */
function ShowRows({ name, condition, apply }: PatternActionProps) {
  const text = visibleText(name)
  if (condition === null) return <span title={noFilter}>{text}</span>
  return (
    <button
      type="button"
      className={`${base.plainButton} ${css.pattern}`}
      aria-label={`Show rows of ${text}`}
      onClick={() => apply({ q: condition, view: '' })}
    >
      <Filter size={12} aria-hidden className={css.patternsIcon} />
      {text}
    </button>
  )
}

function Exclude({ name, condition, apply }: PatternActionProps) {
  return (
    <DisabledReason reason={condition === null ? noFilter : undefined}>
      <IconButton
        size="small"
        aria-label={`Exclude ${visibleText(name)}`}
        {...hint('Exclude this pattern')}
        disabled={condition === null}
        onClick={() => condition !== null && apply({ q: condition })}
      >
        <FilterX size={13} aria-hidden />
      </IconButton>
    </DisabledReason>
  )
}
