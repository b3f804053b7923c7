import { SearchX } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { asFailure } from '#console/api/failure.ts'
import { paths } from '#console/paths/paths.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { usePageActions } from '#console/shell/pageActions.ts'
import { useUrlState } from '#console/shell/urlState.ts'
import { addFilter, removeFilter, type ValueFilter } from '#console/telemetry/search/filters.ts'
import { savedSearchLink } from '#console/telemetry/search/searchLink.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Progress } from '#console/ui/base/Progress.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { absoluteRange } from '#console/ui/time/range.ts'
import { TimeRangePicker } from '#console/ui/time/TimeRangePicker.tsx'
import type { Connection } from '#contract/connections.ts'
import type { Source } from '#contract/sources.ts'
import { columnsOf, timeField } from './row/columns.ts'
import { readWidths } from './row/columnLayout.ts'
import { matchedTerms } from './row/matchedTerms.ts'
import { Facets } from './facets/Facets.tsx'
import { Histogram } from './Histogram.tsx'
import { QueryBar } from './QueryBar.tsx'
import { ResultToolbar } from './ResultToolbar.tsx'
import { RowList } from './list/RowList.tsx'
import { SavedSearchBar } from './SavedSearchBar.tsx'
import { SearchActions } from './SearchActions.tsx'
import css from './SearchView.module.css'
import { LiveTailButton } from './LiveTailButton.tsx'
import { searchUrl, sourceOf, type SearchState } from './query/state.ts'
import { useHistogram } from './query/useCounts.ts'
import { useLiveTail } from './useLiveTail.ts'
import { useSavedSearch } from './useSavedSearch.ts'
import { useSearchRows } from './query/useSearchRows.ts'

const RowDetails = lazyComponent(async () => (await import('./details/RowDetails.tsx')).RowDetails)

interface SearchViewProps {
  connection: Connection
  sources: readonly Source[]
}

/** The page, once the sources are known. */
export function SearchView({ connection, sources }: SearchViewProps) {
  const [state, change] = useUrlState(searchUrl)
  // A link that names only the saved search: its condition, columns and order become part of the URL.
  const linked = useSavedSearch(connection.id, state.source === '' ? state.saved : '')
  useEffect(() => {
    if (linked.data) change({ ...savedSearchLink(linked.data) })
  }, [linked.data, change])
  const source = sourceOf(state, sources)
  if (linked.isLoading || linked.error) {
    return (
      <Page title="Search">
        {linked.error && <QueryError error={linked.error} onRetry={() => void linked.refetch()} />}
      </Page>
    )
  }
  if (!source) {
    return (
      <Page title="Search">
        <Notice
          tone="warning"
          role="alert"
          action={<Button onClick={() => change({ source: '', cols: '', widths: '' })}>Search logs</Button>}
        >
          There is no source of logs or traces “{state.source}” on this connection.
        </Notice>
      </Page>
    )
  }
  return <SearchOf key={source.id} {...{ connection, sources, source, state, change }} />
}

interface SearchOfProps extends SearchViewProps {
  source: Source
  state: SearchState
  change: (patch: Partial<SearchState>, how?: { push?: boolean }) => void
}

function SearchOf({ connection, sources, source, state, change }: SearchOfProps) {
  const rows = useSearchRows(connection.id, state, source)
  const histogram = useHistogram(connection.id, state, source)
  const columns = useMemo(() => columnsOf(state.cols, source), [state.cols, source])
  // While the rows of other columns are still shown, their heads are too.
  const shown = rows.first?.columns ?? columns
  const widths = useMemo(() => readWidths(state.widths, columns), [state.widths, columns])
  const terms = useMemo(() => matchedTerms(state.q, state.lang), [state.q, state.lang])
  const editor = useRef<HTMLInputElement | null>(null)
  const apply = (patch: Partial<SearchState>) => change({ row: '', ...patch }, { push: true })
  const filter = (one: ValueFilter) => {
    const q = addFilter(state.q, one, state.lang)
    if (q !== null) apply({ q })
  }
  const failure = rows.error && !rows.isFetching ? asFailure(rows.error) : null
  const refused = failure?.code === 'invalid' ? refusalOf(failure.message) : null
  const open = rows.rows.findIndex(({ key }) => key === state.row)
  const [cursor, setCursor] = useState('')
  const at = open >= 0 ? open : cursor === '' ? -1 : rows.rows.findIndex(({ key }) => key === cursor)
  const select = (next: number, opens = open >= 0) => {
    const row = rows.rows[next]
    if (!row) return
    setCursor(row.key)
    if (opens) change({ row: row.key })
  }
  const [away, setAway] = useState(false)
  const live = state.live === '1'
  const waiting = open >= 0 ? 'close the row to continue' : away ? 'scroll to the top to continue' : undefined
  const noTail =
    state.to !== 'now'
      ? 'Choose a time range that ends now'
      : state.order !== ''
        ? 'Order the rows by newest first'
        : undefined
  const tail = useLiveTail({
    connectionId: connection.id,
    state,
    source,
    running: live && noTail === undefined && waiting === undefined && rows.isSuccess && !rows.isPlaceholderData,
    onRows: () => {
      // The histogram costs a request too.
      if (histogram.isFetching || Date.now() - histogram.dataUpdatedAt < countEveryMs) return
      void histogram.refetch({ cancelRefetch: false })
    },
  })
  const toggleLive = () => {
    if (live) return change({ live: '' })
    setCursor('')
    return change({ live: '1', row: '' })
  }
  const navigate = useNavigate()
  const openTrace = () => {
    const row = rows.rows[at]
    if (!row?.traceId) return
    void navigate({
      to: paths.trace(connection.id, row.traceId),
      search: { at: String(row.at), span: row.spanId },
    })
  }
  const keys = useRef({ at, select, toggleLive, openTrace })
  useEffect(() => {
    keys.current = { at, select, toggleLive, openTrace }
  })
  const actions = useMemo(
    () => [
      { label: 'Next row', key: 'j', run: () => keys.current.select(keys.current.at + 1) },
      { label: 'Previous row', key: 'k', run: () => keys.current.select(Math.max(0, keys.current.at - 1)) },
      { label: 'Open row', key: 'o', run: () => keys.current.select(Math.max(0, keys.current.at), true) },
      { label: 'Open trace', key: 't', run: () => keys.current.openTrace() },
      { label: 'Switch live tail on or off', key: 'p', run: () => keys.current.toggleLive() },
      { label: 'Edit condition', key: '/', run: () => editor.current?.focus() },
    ],
    [],
  )
  usePageActions(actions)

  return (
    <Page
      title="Search"
      lead="Rows of logs and traces."
      actions={
        <>
          <TimeRangePicker
            range={state}
            zone={state.tz}
            onChange={({ from, to }) => apply({ from, to })}
            onZoneChange={(tz) => apply({ tz })}
          />
          <LiveTailButton
            on={live}
            tail={tail}
            waiting={waiting}
            disabled={live ? undefined : noTail}
            onToggle={toggleLive}
          />
          <SearchActions connection={connection} state={state} source={source} columns={shown} rows={rows.rows} />
        </>
      }
    >
      <SavedSearchBar connection={connection} state={state} source={source} onReset={apply} />
      <QueryBar
        connection={connection}
        sources={sources}
        source={source}
        state={state}
        editor={editor}
        error={refused?.field === 'where' ? refused.message : undefined}
        onRun={(patch) => {
          const same = (Object.keys(patch) as (keyof SearchState)[]).every((key) => patch[key] === state[key])
          if (!same) apply(patch)
          else {
            void rows.refetch()
            void histogram.refetch()
          }
        }}
      />
      <div className={css.progress}>
        {(rows.isFetching || histogram.isFetching) && <Progress aria-label="Loading" className={css.bar} />}
      </div>
      {/* The condition is shown as wrong at its field, once. */}
      {!refused && (
        <Histogram query={histogram} source={source} zone={state.tz} onNarrow={(span) => apply(absoluteRange(span))} />
      )}
      {refused && refused.field !== 'where' && (
        <Notice
          tone="error"
          role="alert"
          action={<Button onClick={() => apply({ cols: '', widths: '', order: '' })}>Reset columns and order</Button>}
        >
          {refused.message}
        </Notice>
      )}
      {failure && !refused && <QueryError error={failure} onRetry={() => void rows.refetch()} />}
      {!failure && rows.isSuccess && rows.rows.length === 0 && (
        <EmptyState
          icon={SearchX}
          title="No rows in this range"
          action={<Button onClick={() => apply({ from: 'now-7d', to: 'now' })}>Show the last 7 days</Button>}
        >
          No rows match the condition in this time range. Widen the range or remove a part of the condition.
        </EmptyState>
      )}
      {!failure && (rows.isPending || rows.rows.length > 0) && (
        <div className={css.result} data-details={open >= 0 || undefined}>
          <Facets
            connection={connection}
            state={state}
            source={source}
            histogram={histogram}
            ready={rows.isSuccess && !rows.isPlaceholderData}
            onFilter={filter}
            onUnfilter={(one) => apply({ q: removeFilter(state.q, one, state.lang) })}
            onChange={change}
          />
          <div className={css.list} onPointerEnter={RowDetails.preload} onFocus={RowDetails.preload}>
            <ResultToolbar
              connection={connection}
              state={state}
              sources={sources}
              source={source}
              columns={columns}
              rows={rows}
              total={histogram.isPlaceholderData ? undefined : histogram.data?.total}
              widths={widths}
              onChange={apply}
            />
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
              onAway={setAway}
            />
          </div>
          {open >= 0 && rows.rows[open] && (
            <RowDetails
              key={state.row}
              connection={connection}
              source={source}
              row={rows.rows[open]}
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
      )}
    </Page>
  )
}

/** While the live tail runs, rows are counted again after this long. */
const countEveryMs = 15_000

/** The field of the request that the deployment refused, if it says so. Without a field it is the condition. */
function refusalOf(said: string): { field: string; message: string } {
  const [, field = 'where', message = said] = /^(where|select|orderBy|sourceId): (.*)$/s.exec(said) ?? []
  return { field, message }
}
