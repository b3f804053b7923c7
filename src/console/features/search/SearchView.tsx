import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { asFailure } from '#console/api/failure.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { QueryWait } from '#console/charting/progress/QueryWait.tsx'
import { setBrowserSettings } from '#console/shell/browserSettings.ts'
import { useUrlState } from '#console/shell/urlState.ts'
import { savedSearchLink } from '#console/charting/search/searchLink.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { absoluteRange } from '#console/ui/time/range.ts'
import { TimeRangePicker } from '#console/ui/time/TimeRangePicker.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import { Histogram } from './Histogram.tsx'
import { LiveTailButton } from './LiveTailButton.tsx'
import { searchUrl, sourceOf, startedSearch, type SearchState } from './query/state.ts'
import { histogramQuery, useHistogram } from './query/useCounts.ts'
import { rowsQuery, useSearchRows, type SearchRows } from './query/useSearchRows.ts'
import { useUnknownFields } from './query/useUnknownFields.ts'
import { QueryBar } from './QueryBar.tsx'
import { SavedSearchBar, useSavedSearch } from './SavedSearchBar.tsx'
import { SearchActions } from './SearchActions.tsx'
import { SearchResult } from './SearchResult.tsx'
import { useSearchTail } from './useLiveTail.ts'
import { useRowSelection } from './useRowSelection.ts'

const UnknownFieldsNotice = lazyComponent(async () => (await import('./UnknownFieldsNotice.tsx')).UnknownFieldsNotice)

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
  const started = useMemo(
    () => (source ? startedSearch(state, connection, source) : state),
    [state, connection, source],
  )
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
  // The first change writes the condition with which the search began into the URL, where it can also be removed.
  const changeStarted: typeof change = (patch, how) => change({ source: source.id, q: started.q, ...patch }, how)
  return (
    <SearchOf
      key={source.id}
      {...{ connection, sources, source, state: started, change: started === state ? change : changeStarted }}
    />
  )
}

interface SearchProps extends SearchViewProps {
  source: Source
  state: SearchState
  change: (patch: Partial<SearchState>, how?: { push?: boolean }) => void
}

function SearchOf({ connection, sources, source, state, change }: SearchProps) {
  const rows = useSearchRows(connection.id, state, source)
  const histogram = useHistogram(connection.id, state, source)
  const editor = useRef<HTMLInputElement | null>(null)
  const toggleLive = () => {
    if (live.on) return change({ live: '' })
    selection.clear()
    return change({ live: '1', row: '', view: '' })
  }
  const selection = useRowSelection({ connectionId: connection.id, state, rows, editor, change, toggleLive })
  const live = useSearchTail({ connectionId: connection.id, state, source, rows, histogram, selection })
  const apply = (patch: Partial<SearchState>) => change({ row: '', ...patch }, { push: true })
  const run = (patch: Partial<SearchState>) => {
    const same = (Object.keys(patch) as (keyof SearchState)[]).every((key) => patch[key] === state[key])
    if (!same) return apply(patch)
    void rows.refetch()
    void histogram.refetch()
  }
  const { unknown, failure, refused } = useSearchFailure(rows, state, change)
  return (
    <Page
      title="Search"
      lead="Rows of logs and traces."
      actions={
        <>
          <SearchTimes state={state} onChange={apply} />
          <LiveTailButton
            on={live.on}
            tail={live.tail}
            waiting={live.waiting}
            disabled={live.on ? undefined : live.refused}
            onToggle={toggleLive}
          />
          <SearchActions
            connection={connection}
            state={state}
            source={source}
            columns={rows.first?.columns ?? []}
            rows={rows.rows}
          />
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
        unknown={unknown}
        error={refused?.field === 'where' ? refused.message : undefined}
        onRun={run}
      />
      {unknown.names.size > 0 && state.lang === 'lucene' && (
        <UnknownFieldsNotice
          condition={state.q}
          unknown={unknown.names}
          source={source}
          onChange={(q) => apply({ q })}
        />
      )}
      <SearchWait {...{ connection, source, state, rows, histogram }} />
      {/* The condition is shown as wrong at its field, once. */}
      {!refused && !unknown.isRewriting && (
        <Histogram query={histogram} source={source} zone={state.tz} onNarrow={(span) => apply(absoluteRange(span))} />
      )}
      {refused && refused.field !== 'where' && (
        <LayoutRefusal message={refused.message} onReset={() => apply({ cols: '', widths: '', order: '' })} />
      )}
      {failure && !refused && <QueryError error={failure} onRetry={() => void rows.refetch()} />}
      {!failure && (
        <SearchResult
          {...{ connection, sources, source, state, rows, histogram, selection, change, apply }}
          onAway={live.setAway}
        />
      )}
    </Page>
  )
}

interface SearchWaitProps extends Omit<SearchProps, 'change' | 'sources'> {
  rows: SearchRows
  histogram: ReturnType<typeof useHistogram>
}

/** The wait for the rows and the histogram, which runs those again that were stopped. */
function SearchWait({ connection, source, state, rows, histogram }: SearchWaitProps) {
  return (
    <QueryWait
      connectionId={connection.id}
      reads={[rowsQuery(connection.id, state, source).queryKey, histogramQuery(connection.id, state, source).queryKey]}
      isFetching={rows.isFetching || histogram.isFetching}
      isStopped={isStopped(rows) || isStopped(histogram)}
      onRun={() => {
        if (isStopped(rows)) void rows.refetch()
        if (isStopped(histogram)) void histogram.refetch()
      }}
    />
  )
}

/** Whether a read has neither what was asked for nor a reason for that. */
const isStopped = (read: Pick<UseQueryResult, 'isFetching' | 'isPending' | 'isPlaceholderData'>) =>
  !read.isFetching && (read.isPending || read.isPlaceholderData)

/** Why the rows could not be read; nothing while the condition is about to be replaced. `refused` names the refused field. */
function useSearchFailure(rows: SearchRows, state: SearchState, change: SearchProps['change']) {
  const error = rows.error && !rows.isFetching ? asFailure(rows.error) : null
  const unknown = useUnknownFields(state, error, change)
  const failure = unknown.isRewriting ? null : error
  const refused = failure?.code === 'invalid' ? refusalOf(failure.message) : null

  return { unknown, failure, refused }
}

interface SearchTimesProps {
  state: SearchState
  onChange: (patch: Partial<SearchState>) => void
}

function SearchTimes({ state, onChange }: SearchTimesProps) {
  return (
    <TimeRangePicker
      range={state}
      zone={state.tz}
      onChange={({ from, to }) => onChange({ from, to })}
      onZoneChange={(tz) => {
        setBrowserSettings({ zone: tz })
        onChange({ tz })
      }}
    />
  )
}

/** The deployment refused the columns or the order. */
function LayoutRefusal({ message, onReset }: { message: string; onReset: () => void }) {
  return (
    <Notice tone="error" role="alert" action={<Button onClick={onReset}>Reset columns and order</Button>}>
      {message}
    </Notice>
  )
}

/** The field of the request that the deployment refused, if it says so. Without a field it is the condition. */
function refusalOf(text: string): { field: string; message: string } {
  const [, field = 'where', message = text] = /^(where|select|orderBy|sourceId): (.*)$/s.exec(text) ?? []
  return { field, message }
}
