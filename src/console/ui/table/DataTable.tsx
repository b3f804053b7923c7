import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Button } from '#console/ui/base/Button.tsx'
import type { Action } from '../actions/actions.ts'
import { EmptyState } from '../EmptyState.tsx'
import type { Column } from './columns.ts'
import { TableScroller } from './TableScroller.tsx'
import { TableToolbar } from './TableToolbar.tsx'
import type { TableState } from './tableState.ts'
import { useDebouncedText } from './useDebouncedText.ts'
import { groupRows, searchable, viewRows } from './viewRows.ts'
import { controlAt, type ControlPosition, controlsOf, positionOf } from './tableParts.ts'
import * as base from '#console/ui/base/base.module.css'
import * as css from './table.module.css'

interface DataTableProps<Row extends { id: string }> {
  /** The noun of the rows: "Alerts". Also the table's name for screen readers. */
  label: string
  /** Undefined while they are loading. */
  rows: readonly Row[] | undefined
  columns: readonly Column<Row>[]
  /** Newer rows are loading. */
  refreshing?: boolean
  /** The error: instead of the table, or above the rows of the last time. */
  error: ReactNode | null
  /** Instead of the table when there are no rows at all: why, and the next step. */
  empty: ReactNode
  state: TableState
  onState: (change: Partial<TableState>) => void
  nameOf: (row: Row) => string
  /** The title of a row's group: rows are shown below the titles of their groups, in the order of the first rows. */
  groupOf?: ((row: Row) => string) | undefined
  /** In the toolbar: how rows are arranged. */
  view?: ReactNode
  rowActions?: (row: Row) => Action[]
  /** Enables selection. Called with the selected rows. */
  bulkActions?: (rows: Row[]) => Action[]
}

/**
 * A table of records that can be sorted, filtered, searched and arranged; its state belongs to the page. Only the
 * visible rows are rendered, so ten thousand are as fast as ten.
 */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { label, rows, columns, refreshing = false, error, empty, state, onState, groupOf, bulkActions } = props
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const { filters, sort } = state
  const commitSearch = useCallback((text: string) => onState({ search: text }), [onState])
  const search = useDebouncedText(state.search, commitSearch)
  // If keys come faster than rows are found, only the last one counts.
  const deferredSearch = useDeferredValue(search.text)
  const visible = useMemo(
    () => columns.filter(({ id, hidden }) => (state.columns ? state.columns.includes(id) : !hidden)),
    [columns, state.columns],
  )
  const texts = useMemo(() => searchable(rows ?? [], visible), [rows, visible])
  const shown = useMemo(
    () => groupRows(viewRows(texts, columns, { search: deferredSearch, filters, sort }), groupOf),
    [texts, columns, deferredSearch, filters, sort, groupOf],
  )
  // Rows that were deleted elsewhere, or are filtered away, must not be acted on.
  const selected = shown.filter((row) => selection.has(row.id))
  const card = useRef<HTMLDivElement | null>(null)
  const trackFocus = useFocusRecovery(card, shown)

  if (rows === undefined && error) return <div className={base.card}>{error}</div>
  if (rows?.length === 0) {
    return (
      <div className={base.card} ref={card} tabIndex={-1}>
        {empty}
      </div>
    )
  }
  return (
    // Bounded by the window, or every row would be in sight.
    <div
      ref={card}
      role="presentation"
      onFocus={trackFocus}
      onKeyDown={enterRows}
      className={`${base.card} ${css.dataTable}`}
    >
      {error && <div className={css.dataTableError}>{error}</div>}
      <TableToolbar
        label={label}
        columns={columns}
        visible={visible}
        state={state}
        onState={onState}
        search={search}
        shown={shown.length}
        all={rows?.length}
        refreshing={refreshing}
        view={props.view}
        selected={selected.length}
        bulkActions={bulkActions && selected.length > 0 ? bulkActions(selected) : []}
      />
      <TableScroller
        {...props}
        columns={visible}
        rows={shown}
        loading={rows === undefined}
        selection={selection}
        onSelection={bulkActions && setSelection}
      />
      {rows && shown.length === 0 && (
        <EmptyState
          title="No matches"
          action={<Button onClick={() => onState({ search: '', filters: [] })}>Clear search and filters</Button>}
        />
      )}
    </div>
  )
}

/** Down in the search field goes to the first row. */
function enterRows(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event
  if (key !== 'ArrowDown' || !(target instanceof HTMLInputElement) || target.type !== 'search') return
  const first = currentTarget.querySelector<HTMLElement>('tbody a')
  if (!first) return
  event.preventDefault()
  first.focus()
}

/** Moves the keyboard focus to a neighbor when the focused element is removed. */
interface FocusedControl {
  element: HTMLElement
  /** Its place in the table; undefined for a control above the rows. */
  row?: { id: string; rowIndex: number; control: ControlPosition }
}

/**
 * Hands the focus on when its row was deleted or filtered away: to the same control of the row that took the place, to
 * the search when a button above the rows went, and to what says that there are no rows any more. A row that was only
 * scrolled out of sight is not missed.
 */
function useFocusRecovery<Row extends { id: string }>(
  root: RefObject<HTMLElement | null>,
  rows: readonly Row[],
): (event: FocusEvent<HTMLElement>) => void {
  const held = useRef<FocusedControl | null>(null)
  useEffect(() => {
    const lost = held.current
    if (!lost || lost.element.isConnected || document.activeElement !== document.body) return
    const { row } = lost
    if (row && rows.some(({ id }) => id === row.id)) return
    held.current = null
    const next = row && rowInPlaceOf(root.current, row.rowIndex)
    const search = root.current?.querySelector<HTMLElement>('input[type=search]')
    const target = (next ? controlAt(next, row.control) : search) ?? root.current
    target?.focus()
  }, [root, rows])
  return ({ target }) => {
    const tr = target.closest<HTMLElement>('tbody tr')
    const id = tr?.dataset.row
    const row =
      id === undefined || !tr ? {} : { row: { id, rowIndex: rowIndexOf(tr), control: positionOf(tr, target) } }
    held.current = { element: target, ...row }
  }
}

/** The next row, or the last one; titles of groups have no controls. */
function rowInPlaceOf(root: HTMLElement | null, rowIndex: number): Element | undefined {
  const drawn = [...(root?.querySelectorAll('tbody tr[data-row]') ?? [])].filter((tr) => controlsOf(tr).length > 0)
  return drawn.find((tr) => rowIndexOf(tr) >= rowIndex) ?? drawn.at(-1)
}

const rowIndexOf = (tr: Element) => Number(tr.getAttribute('aria-rowindex'))
