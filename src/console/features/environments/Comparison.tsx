import { useDeferredValue, useState, type KeyboardEvent } from 'react'
import type { useUrlState } from '#console/shell/urlState.ts'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { useMediaQuery } from '#console/ui/useMediaQuery.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { environmentsState, EnvironmentsState } from './environmentsState.ts'
import { Matrix } from './Matrix.tsx'
import { countCells, differencesIn, emptyColumn, type ColumnCounts, type MatrixRow } from './matrixRows.ts'
import { Toolbar } from './Toolbar.tsx'
import type { Environment } from './useEnvironments.ts'
import { useShownRows } from './useShownRows.ts'
import * as css from './environments.module.css'

const FieldsPanel = lazyComponent(async () => (await import('./FieldsPanel.tsx')).FieldsPanel)

interface ComparisonProps {
  environments: readonly Environment[]
  baseline: Connection
  rows: readonly MatrixRow[]
  /** By connection, over all rows. */
  counts: ReadonlyMap<string, ColumnCounts>
  columns: readonly Environment['column'][]
  state: EnvironmentsState
  setUrl: ReturnType<typeof useUrlState<typeof environmentsState>>[1]
}

/** The matrix of the records that fit the filters, and the fields of the chosen one beside it. */
export function Comparison({ environments, baseline, rows, counts, columns, state, setUrl }: ComparisonProps) {
  const phone = useMediaQuery('(max-width: 760px)')
  const others = environments.filter(({ connection }) => connection.id !== baseline.id)
  const on = others.find(({ connection }) => connection.id === state.on)
  const onlyShown = phone ? (on ?? others[0]) : undefined
  const text = useDeferredValue(state.q)
  const filter = { text, kind: state.kind, notableOnly: !state.all }
  const { rows: filtered, groups } = useShownRows(rows, columns, onlyShown?.connection.id, filter)
  const row = rows.find(({ key }) => key === state.row)
  const base = environments.find(({ connection }) => connection.id === baseline.id)
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
  return (
    // Escape closes the panel beside the matrix, wherever the focus is.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={closeByKey}>
      <Toolbar
        state={state}
        baseline={baseline.id}
        connections={environments.map(({ connection }) => connection)}
        counts={isReading ? null : countCells(filtered)}
        onChange={setUrl}
      />
      {onlyShown && (
        <ConnectionSwitch
          environments={others}
          shown={onlyShown.connection.id}
          counts={counts}
          onShow={(id) => setUrl({ on: id, row: undefined })}
        />
      )}
      <div className={css.environmentsColumns} data-open={row !== undefined && on !== undefined}>
        {isReading && rows.length === 0 ? (
          <LoadingPanels heights={[360]} />
        ) : filtered.length === 0 && !isReading ? (
          <Panel>
            <NothingShown
              isFiltered={text !== '' || state.kind !== undefined}
              hasRows={rows.length > 0}
              isWhole={columns.every(({ problem }) => problem === undefined)}
              onChange={setUrl}
            />
          </Panel>
        ) : (
          <Matrix
            connections={(onlyShown ? [onlyShown] : environments).map(({ connection }) => connection)}
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

interface ConnectionSwitchProps {
  environments: readonly Environment[]
  /** The ID of the connection that is shown. */
  shown: string
  counts: ReadonlyMap<string, ColumnCounts>
  onShow: (connectionId: string) => void
}

/** Where the matrix has room for one connection: which one, with its number of differences. */
function ConnectionSwitch({ environments, shown, counts, onShow }: ConnectionSwitchProps) {
  return (
    <div className={css.connections}>
      <ToggleButtons
        label="Connection"
        value={shown}
        options={environments.map(({ connection, column }) => ({
          value: connection.id,
          label: column.comparison
            ? `${connection.name} ${differencesIn(counts.get(connection.id) ?? emptyColumn)}`
            : connection.name,
        }))}
        onChange={onShow}
      />
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
