import { SearchX } from 'lucide-react'
import { useMemo } from 'react'
import { addFilter, removeFilter, type ValueFilter } from '#console/charting/search/filters.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import { Facets } from './facets/Facets.tsx'
import { RowList } from './list/RowList.tsx'
import { conditionWithoutOwn, type SearchState } from './query/state.ts'
import type { useHistogram } from './query/useCounts.ts'
import type { SearchRows } from './query/useSearchRows.ts'
import { ResultToolbar } from './ResultToolbar.tsx'
import { readWidths } from './row/columnLayout.ts'
import { columnsOf, timeField } from '#console/charting/rows/columns.ts'
import { matchedTerms } from './row/matchedTerms.ts'
import * as css from './search.module.css'
import type { RowSelection } from './useRowSelection.ts'

const PatternsView = lazyComponent(async () => (await import('./patterns/PatternsView.tsx')).PatternsView)
const RowDetails = lazyComponent(async () => (await import('./details/RowDetails.tsx')).RowDetails)

interface SearchResultProps {
  connection: Connection
  sources: readonly Source[]
  source: Source
  state: SearchState
  rows: SearchRows
  histogram: ReturnType<typeof useHistogram>
  selection: RowSelection
  change: (patch: Partial<SearchState>, how?: { push?: boolean }) => void
  /** Changes what is searched, which closes the open row. */
  apply: (patch: Partial<SearchState>) => void
  /** Whether the list is scrolled away from the newest row. */
  onAway: (away: boolean) => void
}

/** The rows with their facets, and the details of the open one. */
export function SearchResult(props: SearchResultProps) {
  const { connection, sources, source, state, rows, histogram, change, apply, onAway } = props
  const { at, open, select } = props.selection
  const { columns, widths, terms } = useRowAppearance(state, source)
  // While the rows of other columns are still shown, their heads are too.
  const shown = rows.first?.columns ?? columns
  const filter = (valueFilter: ValueFilter) => {
    const q = addFilter(state.q, valueFilter, state.lang)
    if (q !== null) apply({ q })
  }
  const opened = rows.rows[open]
  if (rows.isSuccess && rows.rows.length === 0) return <NoRows {...props} />
  // A failed search is read again.
  if (!rows.isPending && rows.rows.length === 0) return null
  return (
    <div className={css.searchResult} data-details={open >= 0 || undefined}>
      <Facets
        connection={connection}
        state={state}
        source={source}
        histogram={histogram}
        ready={rows.isSuccess && !rows.isPlaceholderData}
        onFilter={filter}
        onUnfilter={(valueFilter) => apply({ q: removeFilter(state.q, valueFilter, state.lang) })}
        onChange={change}
      />
      <div className={css.searchResultList} onPointerEnter={RowDetails.preload} onFocus={RowDetails.preload}>
        <ResultToolbar
          connection={connection}
          state={state}
          sources={sources}
          source={source}
          columns={columns}
          rows={rows}
          counted={histogram.isPlaceholderData ? undefined : histogram.data}
          widths={widths}
          onChange={apply}
          onViewPointed={PatternsView.preload}
        />
        {state.view === 'patterns' && rows.first ? (
          <PatternsView
            {...{ connection, source, state, apply }}
            span={rows.first.span}
            isStale={rows.isPlaceholderData}
          />
        ) : (
          <RowList
            columns={shown}
            widths={widths}
            order={state.order}
            timestamp={timeField(source)}
            terms={terms}
            onLayout={(patch) => change(patch, { push: 'cols' in patch || 'order' in patch })}
            rows={rows}
            zone={state.tz}
            at={at}
            onSelect={(next) => select(next, true)}
            onAway={onAway}
          />
        )}
      </div>
      {opened && (
        <RowDetails
          key={state.row}
          connection={connection}
          source={source}
          row={opened}
          columns={shown}
          zone={state.tz}
          language={state.lang}
          onFilter={filter}
          onAround={(patch) => change(patch, { push: true })}
          onStep={(by) => select(open + by)}
          onClose={() => change({ row: '' })}
        />
      )}
    </div>
  )
}

/** The columns of the rows with their widths, and the texts that are marked in them. */
function useRowAppearance(state: SearchState, source: Source) {
  const columns = useMemo(() => columnsOf(state.cols, source), [state.cols, source])
  const widths = useMemo(() => readWidths(state.widths, columns), [state.widths, columns])
  const terms = useMemo(() => matchedTerms(state.q, state.lang), [state.q, state.lang])
  return { columns, widths, terms }
}

function NoRows({ connection, source, state, apply }: SearchResultProps) {
  const leavesOutOwn = connection.stage === 'local' && state.q !== '' && state.q === conditionWithoutOwn(source)
  return (
    <EmptyState
      icon={SearchX}
      title="No rows in this range"
      action={
        <>
          {leavesOutOwn && <Button onClick={() => apply({ q: '' })}>Show the stack’s own rows</Button>}
          <Button onClick={() => apply({ from: 'now-7d', to: 'now' })}>Show the last 7 days</Button>
        </>
      }
    >
      {leavesOutOwn
        ? 'Nothing but the stack’s own telemetry, which the condition leaves out, is in this time range.'
        : 'No rows match the condition in this time range. Widen the range or remove a part of the condition.'}
    </EmptyState>
  )
}
