import { ArrowDown, ArrowUp } from 'lucide-react'
import { VisuallyHidden } from '../base/VisuallyHidden.tsx'
import type { Column } from './columns.ts'
import { RowCheckbox } from './RowCheckbox.tsx'
import type { ScrollerProps } from './tableParts.ts'
import type { TableState } from './tableState.ts'
import * as base from '#console/ui/base/base.module.css'
import * as css from './table.module.css'

/** Column titles: each is a button that sorts, and has `aria-sort`. */
export function TableHead<Row extends { id: string }>(props: ScrollerProps<Row>) {
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
