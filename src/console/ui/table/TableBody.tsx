import Box from '@mui/material/Box'
import { memo, useRef, type KeyboardEvent } from 'react'
import type { Action } from '../actions.ts'
import { ActionMenu } from '../ActionMenu.tsx'
import { Moment } from '../Moment.tsx'
import { cellText, type Column } from './columns.ts'
import { RowCheckbox } from './RowCheckbox.tsx'
import type { ScrollerProps } from './parts.ts'

interface TableBodyProps<Row extends { id: string }> extends ScrollerProps<Row> {
  rowHeight: number
  /** Which rows are in sight. */
  places: number[]
  /** Pixels of the rows above and below them. */
  before: number
  after: number
}

/** The rows in sight, between two spacers for the rest. Arrow keys go from row to row. */
export function TableBody<Row extends { id: string }>(props: TableBodyProps<Row>) {
  const { rows, columns, loading, rowHeight, places, before, after, nameOf, rowActions, selection, onSelection } = props
  const anchor = useRef<string | null>(null)

  const select = (row: Row, checked: boolean, range: boolean) => {
    onSelection?.(withSelected(rows, selection, { from: range ? anchor.current : null, to: row.id, checked }))
    anchor.current = row.id
  }
  return (
    <Box component="tbody" onKeyDown={moveBetweenRows} sx={{ '& > tr:last-child > *': { borderBottom: 0 } }}>
      {before > 0 && <tr aria-hidden style={{ height: before }} />}
      {places.map((place) => {
        const row = rows[place]
        if (loading || !row) return <SkeletonRow key={place} cells={columns.length} height={rowHeight} {...props} />
        return (
          <TableRow
            key={row.id}
            row={row}
            place={place}
            height={rowHeight}
            columns={columns}
            name={nameOf(row)}
            rowActions={rowActions}
            selected={selection.has(row.id)}
            onSelect={onSelection && select}
          />
        )
      })}
      {after > 0 && <tr aria-hidden style={{ height: after }} />}
    </Box>
  )
}

const bodyCell = {
  p: 0,
  px: 2.5,
  borderBottom: 1,
  borderColor: 'divider',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
} as const

interface TableRowProps<Row> {
  row: Row
  place: number
  height: number
  columns: readonly Column<Row>[]
  name: string
  rowActions: ((row: Row) => Action[]) | undefined
  selected: boolean
  onSelect: ((row: Row, checked: boolean, range: boolean) => void) | undefined
}

function TableRow<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, place, height, columns, name, rowActions, selected, onSelect } = props
  return (
    <Box
      component="tr"
      // The head is row 1.
      aria-rowindex={place + 2}
      {...(onSelect ? { 'aria-selected': selected } : {})}
      sx={{
        height,
        bgcolor: selected ? 'action.selected' : undefined,
        '&:hover': { bgcolor: selected ? undefined : 'action.hover' },
      }}
    >
      {onSelect && (
        <Box component="td" sx={{ ...bodyCell, px: 0 }}>
          <RowCheckbox
            label={`Select ${name}`}
            checked={selected}
            onChange={(checked, range) => onSelect(row, checked, range)}
          />
        </Box>
      )}
      {columns.map((column, at) => (
        <Box
          component={at === 0 ? 'th' : 'td'}
          key={column.id}
          {...(at === 0 ? { scope: 'row' } : {})}
          sx={{ ...bodyCell, fontWeight: 'inherit', textAlign: column.type === 'number' ? 'right' : 'left' }}
        >
          <Cell column={column} row={row} />
        </Box>
      ))}
      {rowActions && (
        <Box component="td" sx={{ ...bodyCell, px: 0, textAlign: 'center' }}>
          <ActionMenu label={`Actions of ${name}`} actions={() => rowActions(row)} />
        </Box>
      )}
    </Box>
  )
}

const Cell = memo(function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  if (column.cell) return column.cell(row)
  if (column.type === 'moment') return <Moment iso={column.value(row)} />
  return cellText(column, row)
}) as <Row>(props: { column: Column<Row>; row: Row }) => React.ReactNode // memo forgets type parameters

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
        <Box component="td" key={at} sx={bodyCell}>
          <Box sx={{ height: 8, width: `${40 + ((at * 37) % 45)}%`, borderRadius: 9, bgcolor: 'divider' }} />
        </Box>
      ))}
    </tr>
  )
}

/** With an anchor, everything from there to here; the anchor may have been filtered away. */
function withSelected<Row extends { id: string }>(
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

/** Up and down go to the same control of the neighbouring row; focus scrolls it into sight, which draws the next ones. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step =
    event.key === 'ArrowDown' ? 'nextElementSibling' : event.key === 'ArrowUp' ? 'previousElementSibling' : null
  const { target } = event
  if (!step || !(target instanceof HTMLElement)) return
  const row = target.closest('tr')
  const neighbour = row?.[step]
  if (!row || !neighbour) return
  const controls = (of: Element) => [...of.querySelectorAll<HTMLElement>('a[href], button, input')]
  const next = controls(neighbour)[controls(row).indexOf(target)]
  if (!next) return
  event.preventDefault()
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}
