import { useQuery } from '@tanstack/react-query'
import { ArrowRightLeft, Network, Plus, RefreshCw } from 'lucide-react'
import { useCallback, useDeferredValue, useMemo, useState, type KeyboardEvent } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { baselineOf, prefetchConnectionStates, readConnections } from '#console/api/gateway/environments.ts'
import { paths } from '#console/paths/paths.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { useUrlState } from '#console/shell/urlState.ts'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { counted } from '#domain/text/words.ts'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { useMediaQuery } from '#console/ui/useMediaQuery.ts'
import type { Connection } from '#contract/console/connections.ts'
import { formatRecentDay } from '#console/ui/time/formatRecent.ts'
import { environmentsState } from './environmentsState.ts'
import { Matrix } from './Matrix.tsx'
import { countCells, countColumns, differencesIn, emptyColumn, matrixRows, type ColumnCounts } from './matrixRows.ts'
import { Overview } from './Overview.tsx'
import { Toolbar } from './Toolbar.tsx'
import { useEnvironments, type Environment } from './useEnvironments.ts'
import { useShownRows } from './useShownRows.ts'
import * as css from './environments.module.css'

const FieldsPanel = lazyComponent(async () => (await import('./FieldsPanel.tsx')).FieldsPanel)

export { prefetchConnectionStates as prefetch }

/** All connections side by side: their state, and what differs from one of them. */
export default function EnvironmentsPage() {
  const { data: connections = [], error, refetch } = useQuery(connectionsQuery)
  const [state, setUrl] = useUrlState(environmentsState)
  const baseline = connections.find(({ id }) => id === state.baseline) ?? baselineOf(connections)
  const environments = useEnvironments(connections, baseline?.id ?? '')
  const columns = useMemo(() => environments.map(({ column }) => column), [environments])
  const rows = useMemo(() => matrixRows(columns, baseline?.id ?? ''), [columns, baseline?.id])
  const counts = useMemo(() => countColumns(rows), [rows])
  const differences = [...counts.values()].reduce((sum, column) => sum + differencesIn(column), 0)
  const isSettled = environments.every(({ state: read, problem }) => read !== undefined || problem !== undefined)
  if (error) return <QueryError error={error} onRetry={() => void refetch()} />
  return (
    <Page
      title="Environments"
      state={differences > 0 && <StatusChip tone="warn">{counted(differences, 'difference')}</StatusChip>}
      lead={`Records are matched by name; ids and times do not count as differences.${whenRead(environments)}`}
      actions={<Actions connections={connections} environments={environments} baseline={baseline} />}
    >
      <Overview environments={environments} baseline={baseline} counts={counts} />
      {connections.length < 2 && isSettled && <OneConnection />}
      {(connections.length > 1 || !isSettled) && baseline && (
        <Comparison
          environments={environments}
          baseline={baseline}
          rows={rows}
          counts={counts}
          columns={columns}
          state={state}
          setUrl={setUrl}
        />
      )}
    </Page>
  )
}

function whenRead(environments: readonly Environment[]): string {
  const times = environments.flatMap(({ state }) => state?.readAt ?? []).toSorted()
  const records = environments.flatMap(({ state }) => Object.values(state?.counts ?? {}))
  if (times[0] === undefined) return ''
  return ` Read ${formatRecentDay(times[0])}, ${counted(
    records.reduce((sum, count) => sum + count, 0),
    'record',
  )}.`
}

function OneConnection() {
  return (
    <div className={css.environmentsEmpty}>
      <EmptyState
        icon={Network}
        title="Nothing to compare yet"
        action={
          <LinkButton
            to={paths.newConnection()}
            variant="contained"
            color="primary"
            startIcon={<Plus size={15} aria-hidden />}
          >
            Add connection
          </LinkButton>
        }
      >
        With a second connection, this page shows what differs between the two, record by record and field by field.
      </EmptyState>
    </div>
  )
}

interface ActionsProps {
  connections: readonly Connection[]
  environments: readonly Environment[]
  baseline: Connection | undefined
}

function Actions({ connections, environments, baseline }: ActionsProps) {
  const reading = environments.some((environment) => environment.reading)
  const readAgain = () => {
    // The error is in the query.
    readConnections(connections).catch(() => {})
  }
  return (
    <>
      <Button startIcon={<RefreshCw size={13} aria-hidden />} disabled={reading} onClick={readAgain}>
        Refresh
      </Button>
      {baseline && environments.length > 1 && (
        <LinkButton
          to={paths.promote()}
          variant="contained"
          color="primary"
          startIcon={<ArrowRightLeft size={14} aria-hidden />}
        >
          Promote…
        </LinkButton>
      )}
    </>
  )
}

interface ComparisonProps {
  environments: readonly Environment[]
  baseline: Connection
  rows: ReturnType<typeof matrixRows>
  counts: ReadonlyMap<string, ColumnCounts>
  columns: readonly Environment['column'][]
  state: ReturnType<typeof environmentsState.parse>
  setUrl: ReturnType<typeof useUrlState<typeof environmentsState>>[1]
}

function Comparison({ environments, baseline, rows, counts, columns, state, setUrl }: ComparisonProps) {
  const phone = useMediaQuery('(max-width: 760px)')
  const others = environments.filter(({ connection }) => connection.id !== baseline.id)
  const shown = others.find(({ connection }) => connection.id === state.on) ?? others[0]
  const text = useDeferredValue(state.q)
  const only = phone ? shown?.connection.id : undefined
  const filter = { text, kind: state.kind, notableOnly: !state.all }
  const { rows: filtered, groups } = useShownRows(rows, columns, only, filter)
  const row = rows.find(({ key }) => key === state.row)
  const on = others.find(({ connection }) => connection.id === state.on)
  const base = environments.find(({ connection }) => connection.id === baseline.id)
  const onChange = useCallback((change: Parameters<typeof setUrl>[0]) => setUrl(change), [setUrl])
  const [focusBack, setFocusBack] = useState<HTMLElement | null>(null)
  const close = () => {
    setUrl({ row: undefined, ...(phone ? {} : { on: undefined }) })
    focusBack?.focus()
  }
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !row || isInDialog(event.target)) return
    close()
  }
  const isReading = columns.some(({ comparison, problem }) => !comparison && problem === undefined)
  const isFirst = isReading && rows.length === 0
  return (
    // Escape closes the panel beside the matrix, wherever the focus is.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={closeByKey}>
      <Toolbar
        state={state}
        baseline={baseline.id}
        connections={environments.map(({ connection }) => connection)}
        counts={isReading ? null : countCells(filtered)}
        onChange={onChange}
      />
      {phone && shown && (
        <div className={css.connections}>
          <ToggleButtons
            label="Connection"
            value={shown.connection.id}
            options={others.map(({ connection, column }) => ({
              value: connection.id,
              label: column.comparison
                ? `${connection.name} ${differencesIn(counts.get(connection.id) ?? emptyColumn)}`
                : connection.name,
            }))}
            onChange={(id) => setUrl({ on: id, row: undefined })}
          />
        </div>
      )}
      <div className={css.environmentsColumns} data-open={row !== undefined && on !== undefined}>
        {isFirst ? (
          <LoadingPanels heights={[360]} />
        ) : filtered.length === 0 && !isReading ? (
          <Panel>
            <NothingShown
              isFiltered={text !== '' || state.kind !== undefined}
              hasRows={rows.length > 0}
              isWhole={columns.every(({ problem }) => problem === undefined)}
              onChange={onChange}
            />
          </Panel>
        ) : (
          <Matrix
            connections={(phone && shown ? [shown] : environments).map(({ connection }) => connection)}
            baseline={baseline}
            counts={counts}
            rows={filtered}
            groups={groups}
            busy={isReading}
            chosen={state.row !== undefined && state.on !== undefined ? { row: state.row, on: state.on } : undefined}
            onChoose={(cell) => {
              setFocusBack(document.activeElement instanceof HTMLElement ? document.activeElement : null)
              setUrl({ ...cell }, { push: row === undefined })
            }}
          />
        )}
        {row && on && base && (
          <FieldsPanel
            key={`${row.key} ${on.connection.id}`}
            row={row}
            baseline={base}
            other={on}
            environments={environments}
            onClose={close}
          />
        )}
      </div>
    </div>
  )
}

const isInDialog = (target: EventTarget) => target instanceof Element && target.closest('[role="dialog"]') !== null

interface NothingShownProps {
  isFiltered: boolean
  hasRows: boolean
  /** All connections could be read. */
  isWhole: boolean
  onChange: (change: Record<string, string | undefined>) => void
}

function NothingShown({ isFiltered, hasRows, isWhole, onChange }: NothingShownProps) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No matches"
        action={<Button onClick={() => onChange({ q: undefined, kind: undefined })}>Clear search and filters</Button>}
      />
    )
  }
  if (!hasRows)
    return (
      <EmptyState title="No records yet">
        No connection {isWhole ? '' : 'that could be read '}has a record to compare.
      </EmptyState>
    )
  return (
    <EmptyState
      title="No differences"
      action={<Button onClick={() => onChange({ all: '1' })}>Show all records</Button>}
    >
      Every record is the same on all connections{isWhole ? '' : ' that could be read'}.
    </EmptyState>
  )
}
