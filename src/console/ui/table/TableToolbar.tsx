import { Columns3, ListFilter, Rows3, Rows4, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Action } from '../actions/actions.ts'
import { hint } from '../hint/hint.ts'
import { lazyComponent } from '../base/lazyComponent.tsx'
import { DisabledReason } from '../hint/DisabledReason.tsx'
import type { Column } from './columns.ts'
import { formatFilter } from './filters.ts'
import { SearchInput } from './SearchInput.tsx'
import type { DebouncedText } from './useDebouncedText.ts'
import type { TableState } from './tableState.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { formatValue } from '#domain/charts/units.ts'
import * as css from './table.module.css'

// The panels come with their first opening.
const FilterPanel = lazyComponent(async () => (await import('./FilterPanel.tsx')).FilterPanel)
const ColumnsPanel = lazyComponent(async () => (await import('./ColumnsPanel.tsx')).ColumnsPanel)

interface TableToolbarProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  visible: readonly Column<Row>[]
  state: TableState
  onState: (change: Partial<TableState>) => void
  search: DebouncedText
  shown: number
  /** Undefined while they are loading. */
  all: number | undefined
  refreshing: boolean
  view: ReactNode
  selected: number
  bulkActions: Action[]
}

/** Above the table: search, filters, columns, density; actions if rows are selected. */
export function TableToolbar<Row>(props: TableToolbarProps<Row>) {
  const { label, columns, state, onState, search, shown, all, refreshing, selected, bulkActions } = props
  return (
    <div role="group" aria-label={`${label}: view`} className={css.tableToolbar}>
      <div className={css.toolbarControls}>
        <SearchInput
          label={`Search ${label.toLowerCase()}`}
          value={search.text}
          onChange={search.change}
          onBlur={search.commit}
        />
        <span role="status" className={css.toolbarCount}>
          {formatRowCount(shown, all)}
          {refreshing && ', refreshing…'}
          {selected > 0 && `, ${formatValue(selected)} selected`}
        </span>
        {bulkActions.map((action) => (
          <BulkButton key={action.label} action={action} />
        ))}
        <div className={css.toolbarSpacer} />
        {/* Its room is for the actions of selected rows: the table must not move when a row is selected. */}
        {selected === 0 && props.view}
        <Panels {...props} />
      </div>
      {state.filters.length > 0 && (
        <ul aria-label="Filters" className={css.toolbarFilters}>
          {state.filters.map((filter, at) => (
            <li key={`${filter.column} ${at}`} className={css.toolbarFilter}>
              <FilterChip
                words={formatFilter(filter, columns)}
                onRemove={() => onState({ filters: state.filters.filter((_, other) => other !== at) })}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** "3 of 120" while a search or a filter holds rows back. */
function formatRowCount(shown: number, all: number | undefined): string {
  if (all === undefined) return ''
  return shown === all ? formatValue(all) : `${formatValue(shown)} of ${formatValue(all)}`
}

function BulkButton({ action: { label, icon: Icon, run, disabled, danger } }: { action: Action }) {
  return (
    <DisabledReason reason={disabled}>
      <Button
        onClick={run}
        disabled={disabled !== undefined}
        startIcon={Icon && <Icon size={14} aria-hidden />}
        style={{ color: danger && disabled === undefined ? 'var(--bad)' : undefined }}
      >
        {label}
      </Button>
    </DisabledReason>
  )
}

function FilterChip({ words, onRemove }: { words: string; onRemove: () => void }) {
  return (
    <div className={css.filterChip}>
      {words}
      <IconButton aria-label={`Remove filter: ${words}`} onClick={onRemove} color="inherit" size="small">
        <X size={12} aria-hidden />
      </IconButton>
    </div>
  )
}

function Panels<Row>({ columns, visible, state, onState }: TableToolbarProps<Row>) {
  const [open, setOpen] = useState<{ panel: 'filter' | 'columns'; anchor: HTMLElement } | null>(null)
  const close = () => setOpen(null)
  const toggle = (panel: 'filter' | 'columns') => ({
    'aria-haspopup': 'dialog' as const,
    'aria-expanded': open?.panel === panel,
    onPointerEnter: panel === 'filter' ? FilterPanel.preload : ColumnsPanel.preload,
    onClick: (event: React.MouseEvent<HTMLElement>) => setOpen({ panel, anchor: event.currentTarget }),
  })
  return (
    <div className={css.toolbarPanels}>
      <IconButton aria-label="Filter" {...hint('Filter')} {...toggle('filter')}>
        <ListFilter size={16} aria-hidden />
        {state.filters.length > 0 && <span className={css.toolbarDot} />}
      </IconButton>
      <IconButton aria-label="Columns" {...hint('Columns')} {...toggle('columns')}>
        <Columns3 size={16} aria-hidden />
      </IconButton>
      <IconButton
        aria-label="Compact rows"
        {...hint('Compact rows')}
        aria-pressed={state.dense}
        onClick={() => onState({ dense: !state.dense })}
      >
        {state.dense ? <Rows3 size={16} aria-hidden /> : <Rows4 size={16} aria-hidden />}
      </IconButton>
      {open?.panel === 'filter' && (
        <FilterPanel
          anchor={open.anchor}
          onClose={close}
          // A panel does not depend on the type of rows: it uses titles, types and options.
          columns={columns as readonly Column<never>[]}
          filters={state.filters}
          onFilters={(filters) => onState({ filters })}
        />
      )}
      {open?.panel === 'columns' && (
        <ColumnsPanel
          anchor={open.anchor}
          onClose={close}
          columns={columns}
          visible={visible.map((column) => column.id)}
          onVisible={(ids) => onState({ columns: ids })}
        />
      )}
    </div>
  )
}
