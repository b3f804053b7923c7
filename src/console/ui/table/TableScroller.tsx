import { useCallback, useMemo, useRef } from 'react'
import { useElementSize } from '../useElementSize.ts'
import { columnWidths, fittingColumns, nameLines, phoneWidth, textWidths, type Column } from './columns.ts'
import { actionsWidth, headHeight, selectWidth, tableLines, type ScrollerProps } from './tableParts.ts'
import { TableBody } from './TableBody.tsx'
import { useLinesInSight } from './useLinesInSight.ts'
import * as css from './table.module.css'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { RowCheckbox } from './RowCheckbox.tsx'
import type { TableState } from './tableState.ts'
import * as base from '#console/ui/base/base.module.css'

const rowHeights = { dense: 26, roomy: 32 }
/** Pixels of each further line of a name. */
const lineHeight = 18
const skeletonRows = 8

/** The table itself: a real one, with a head that stays and the rows in sight. */
export function TableScroller<Row extends { id: string }>(props: ScrollerProps<Row>) {
  const { label, rows, groupOf, loading, state, rowActions, onSelection } = props
  const scroller = useRef<HTMLDivElement | null>(null)
  const [measure, { width: room, height }] = useElementSize()
  const ref = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element
      return measure(element)
    },
    [measure],
  )
  const frame = (onSelection ? selectWidth : 0) + (rowActions ? actionsWidth : 0)
  const isChosen = state.columns !== null
  // The same ones while the table scrolls: rows are drawn again with others.
  const columns = useMemo(
    () => fittingColumns(props.columns, room - frame, isChosen),
    [props.columns, room, frame, isChosen],
  )
  const texts = useMemo(() => textWidths(columns, rows), [columns, rows])
  const widths = useMemo(() => columnWidths(columns, room - frame, texts), [columns, room, frame, texts])
  const maxLines = room === 0 ? 1 : room < phoneWidth ? 6 : state.dense ? 1 : 2
  const linesOfName = useMemo(
    () => nameLines(columns, rows, widths[0] ?? 0, maxLines),
    [columns, rows, widths, maxLines],
  )
  const rowHeight = (state.dense ? rowHeights.dense : rowHeights.roomy) + (linesOfName - 1) * lineHeight
  const lines = useMemo(() => tableLines(rows, groupOf), [rows, groupOf])
  const count = loading ? skeletonRows : lines.length
  const { places, before, after } = useLinesInSight(scroller, height, count, rowHeight)
  return (
    <div ref={ref} className={css.tableScroller} style={{ scrollPaddingTop: headHeight }}>
      <table
        aria-label={label}
        aria-rowcount={lines.length + 1}
        aria-busy={loading}
        className={css.scrollerTable}
        style={{ width: frame + widths.reduce((sum, width) => sum + width, 0) }}
      >
        <colgroup>
          {onSelection && <col style={{ width: selectWidth }} />}
          {columns.map((column, at) => (
            <col key={column.id} style={{ width: widths[at] }} />
          ))}
          {rowActions && <col style={{ width: actionsWidth }} />}
        </colgroup>
        <TableHead {...props} columns={columns} />
        <TableBody
          {...props}
          columns={columns}
          lines={lines}
          rowHeight={rowHeight}
          linesOfName={linesOfName}
          places={places}
          before={before}
          after={after}
        />
      </table>
    </div>
  )
}

/** Column titles: each is a button that sorts, and has `aria-sort`. */
function TableHead<Row extends { id: string }>(props: ScrollerProps<Row>) {
  const { label, rows, columns, state, onState, rowActions, selection, onSelection } = props
  const chosen = rows.filter((row) => selection.has(row.id)).length
  return (
    <thead>
      <tr aria-rowindex={1}>
        {onSelection && (
          <th scope="col" className={css.tableHeadCell}>
            <RowCheckbox
              label={`Select all ${label.toLowerCase()}`}
              checked={chosen > 0 && chosen === rows.length}
              indeterminate={chosen > 0 && chosen < rows.length}
              disabled={rows.length === 0}
              onChange={(all) => onSelection(new Set(all ? rows.map((row) => row.id) : []))}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={state.sort} onSort={(sort) => onState({ sort })} />
        ))}
        {rowActions && (
          <th scope="col" className={`${css.tableHeadCell} ${css.tableHeadActions}`}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        )}
      </tr>
    </thead>
  )
}

interface HeadCellProps<Row> {
  column: Column<Row>
  sort: TableState['sort']
  onSort: (sort: TableState['sort']) => void
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const mine = sort?.column === column.id ? sort : null
  const Arrow = mine?.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={mine ? (mine.descending ? 'descending' : 'ascending') : 'none'}
      className={css.tableHeadCell}
      data-type={column.type}
    >
      <button
        type="button"
        onClick={() => onSort(nextSort(column.id, mine))}
        className={`${base.plainButton} ${css.sort}`}
      >
        <span className={css.tableHeadTitle}>{column.title}</span>
        <Arrow size={12} aria-hidden style={{ flexShrink: 0 }} />
      </button>
    </th>
  )
}

/** Up, down, and back to the deployment's own order. */
function nextSort(column: string, now: TableState['sort']): TableState['sort'] {
  if (!now) return { column, descending: false }
  return now.descending ? null : { column, descending: true }
}
