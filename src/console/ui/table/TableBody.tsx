import { memo, useCallback, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { visibleText } from '#domain/text/visibleText.ts'
import { formatValue } from '#domain/charts/units.ts'
import type { Action } from '../actions/actions.ts'
import { ActionMenu } from '../actions/ActionMenu.tsx'
import { Timestamp } from '../Timestamp.tsx'
import { cellText, type Column } from './columns.ts'
import { RowCheckbox } from './RowCheckbox.tsx'
import { controlAt, controlsOf, firstRowIndex, positionOf, type ScrollerProps, type TableLine } from './tableParts.ts'
import * as css from './table.module.css'

interface TableBodyProps<Row extends { id: string }> extends ScrollerProps<Row> {
  lines: readonly TableLine<Row>[]
  rowHeight: number
  /** Lines that a name may take. */
  linesOfName: number
  /** Which lines are in sight. */
  places: number[]
  /** Pixels of the lines above and below them. */
  before: number
  after: number
}

/** The rows in sight, between two spacers for the rest. Arrow keys go from row to row. */
export function TableBody<Row extends { id: string }>(props: TableBodyProps<Row>) {
  const { rows, lines, columns, loading, rowHeight, linesOfName, places, before, after, nameOf } = props
  const { rowActions, selection, onSelection } = props
  const anchor = useRef<string | null>(null)
  const select = useCallback(
    (id: string, checked: boolean, range: boolean) => {
      // Read immediately: React may call the update after the anchor has moved.
      const from = range ? anchor.current : null
      onSelection?.((now) => applySelection(rows, now, { from, to: id, checked }))
      anchor.current = id
    },
    [rows, onSelection],
  )
  return (
    // The controls of its rows are what the keys are pressed on.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <tbody
      onKeyDown={moveBetweenRows}
      className={css.tableRows}
      data-wrapped={linesOfName > 1 ? linesOfName : undefined}
    >
      {before > 0 && <tr aria-hidden style={{ height: before }} />}
      {places.map((place) => {
        const line = lines[place]
        if (line && 'title' in line) {
          const span = columns.length + (rowActions ? 1 : 0) + (onSelection ? 1 : 0)
          return <GroupTitle key={`group ${line.title}`} {...line} place={place} height={rowHeight} span={span} />
        }
        const row = line?.row
        if (loading || !row) return <SkeletonRow key={place} cells={columns.length} height={rowHeight} {...props} />
        return (
          <TableRow
            key={row.id}
            row={row}
            place={place}
            height={rowHeight}
            columns={columns}
            nameOf={nameOf}
            rowActions={rowActions}
            selected={selection.has(row.id)}
            onSelect={onSelection && select}
          />
        )
      })}
      {after > 0 && <tr aria-hidden style={{ height: after }} />}
    </tbody>
  )
}

interface TableRowProps<Row> {
  row: Row
  place: number
  height: number
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  rowActions: ((row: Row) => Action[]) | undefined
  selected: boolean
  onSelect: ((id: string, checked: boolean, range: boolean) => void) | undefined
}

function PlainRow<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, place, height, columns, nameOf, rowActions, selected, onSelect } = props
  const name = visibleText(nameOf(row))
  return (
    <tr
      data-row={row.id}
      aria-rowindex={place + firstRowIndex}
      {...(onSelect ? { 'aria-selected': selected } : {})}
      style={{ height }}
    >
      {onSelect && (
        <td className={css.tableTool}>
          <RowCheckbox
            label={`Select ${name}`}
            checked={selected}
            onChange={(checked, range) => onSelect(row.id, checked, range)}
          />
        </td>
      )}
      {columns.map((column, at) => {
        const number = column.type === 'number' ? { className: css.tableNumber } : {}
        const content = cellContent(column, row)
        return at === 0 ? (
          <th key={column.id} scope="row" {...number}>
            {content}
            {column.cell && <HiddenCharacters text={cellText(column, row)} />}
          </th>
        ) : (
          <td key={column.id} {...number}>
            {content}
          </td>
        )
      })}
      {rowActions && (
        <td className={`${css.tableTool} ${css.tableActions}`}>
          <ActionMenu label={`Actions of ${name}`} actions={() => rowActions(row)} />
        </td>
      )}
    </tr>
  )
}

interface GroupTitleProps {
  title: string
  count: number
  place: number
  height: number
  /** Columns of the table. */
  span: number
}

/** The title above the rows of a group. */
function GroupTitle({ title, count, place, height, span }: GroupTitleProps) {
  return (
    <tr aria-rowindex={place + firstRowIndex} style={{ height }}>
      <th scope="rowgroup" colSpan={span} className={css.tableGroup}>
        {title} <span>{formatValue(count)}</span>
      </th>
    </tr>
  )
}

/** A scroll draws only the rows that came into sight. */
const TableRow = memo(PlainRow) as typeof PlainRow // memo forgets type parameters

function cellContent<Row>(column: Column<Row>, row: Row): ReactNode {
  if (column.cell) return column.cell(row)
  if (column.type === 'timestamp') return <Timestamp iso={column.value(row)} />
  return visibleText(cellText(column, row))
}

/** Writes a name once more, with what cannot be seen in it. */
function HiddenCharacters({ text }: { text: string }) {
  const visible = visibleText(text)
  return visible !== text && <code className={css.hidden}>{visible}</code>
}

interface SkeletonRowProps {
  cells: number
  height: number
  rowActions?: unknown
  onSelection?: unknown
}

function SkeletonRow({ cells, height, rowActions, onSelection }: SkeletonRowProps) {
  const all = cells + (rowActions ? 1 : 0) + (onSelection ? 1 : 0)
  return (
    <tr style={{ height }}>
      {Array.from({ length: all }, (_, at) => (
        <td key={at} aria-hidden>
          <div className={css.tableSkeleton} style={{ width: `${40 + ((at * 37) % 45)}%` }} />
        </td>
      ))}
    </tr>
  )
}

/** With an anchor, all rows from there to here; the anchor may be filtered out. */
function applySelection<Row extends { id: string }>(
  rows: readonly Row[],
  selection: ReadonlySet<string>,
  { from, to, checked }: { from: string | null; to: string; checked: boolean },
): ReadonlySet<string> {
  const [a, b] = [rows.findIndex((row) => row.id === from), rows.findIndex((row) => row.id === to)]
  const range = a === -1 ? rows.slice(b, b + 1) : rows.slice(Math.min(a, b), Math.max(a, b) + 1)
  const next = new Set(selection)
  for (const row of range) {
    if (checked) next.add(row.id)
    else next.delete(row.id)
  }
  return next
}

/** Up and down go to the same control of the neighbouring row, past titles of groups; focus scrolls it into sight, which draws the next ones. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step =
    event.key === 'ArrowDown' ? 'nextElementSibling' : event.key === 'ArrowUp' ? 'previousElementSibling' : null
  const { target } = event
  if (!step || !(target instanceof HTMLElement)) return
  const row = target.closest('tr')
  let neighbour = row?.[step]
  while (neighbour && controlsOf(neighbour).length === 0) neighbour = neighbour[step]
  if (!row || !neighbour) return
  const next = controlAt(neighbour, positionOf(row, target))
  if (!next) return
  event.preventDefault()
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}
