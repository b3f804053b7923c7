import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { VisuallyHidden } from '../base/VisuallyHidden.tsx'
import type { Column } from './columns.ts'
import { RowCheckbox } from './RowCheckbox.tsx'
import { headHeight, type ScrollerProps } from './tableParts.ts'
import type { TableState } from './tableState.ts'

const headCell = {
  position: 'sticky',
  top: 0,
  zIndex: 1,
  height: headHeight,
  p: 0,
  bgcolor: 'background.paper',
  borderBottom: 1,
  borderColor: 'divider',
  textAlign: 'left',
} as const

/** Column titles: each is a button that sorts, and has `aria-sort`. */
export function TableHead<Row extends { id: string }>(props: ScrollerProps<Row>) {
  const { label, rows, columns, state, onState, rowActions, selection, onSelection } = props
  const chosen = rows.filter((row) => selection.has(row.id)).length
  return (
    <thead>
      <tr aria-rowindex={1}>
        {onSelection && (
          <Box component="th" scope="col" sx={headCell}>
            <RowCheckbox
              label={`Select all ${label.toLowerCase()}`}
              checked={chosen > 0 && chosen === rows.length}
              indeterminate={chosen > 0 && chosen < rows.length}
              disabled={rows.length === 0}
              onChange={(all) => onSelection(new Set(all ? rows.map((row) => row.id) : []))}
            />
          </Box>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={state.sort} onSort={(sort) => onState({ sort })} />
        ))}
        {rowActions && (
          <Box component="th" scope="col" sx={{ ...headCell, right: 0, zIndex: 2 }}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Box>
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
    <Box
      component="th"
      scope="col"
      aria-sort={mine ? (mine.descending ? 'descending' : 'ascending') : 'none'}
      sx={headCell}
    >
      <ButtonBase
        onClick={() => onSort(nextSort(column.id, mine))}
        sx={{
          display: 'flex',
          flexDirection: column.type === 'number' ? 'row-reverse' : 'row',
          justifyContent: 'flex-start',
          gap: 1,
          width: '100%',
          height: '100%',
          px: 2.5,
          font: 'inherit',
          fontSize: 12,
          fontWeight: 500,
          color: mine ? 'text.primary' : 'text.secondary',
          '& svg': { opacity: mine ? 1 : 0 },
          '&:hover svg, &:focus-visible svg': { opacity: mine ? 1 : 0.5 },
        }}
      >
        <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          {column.title}
        </Box>
        <Arrow size={12} aria-hidden style={{ flexShrink: 0 }} />
      </ButtonBase>
    </Box>
  )
}

/** Up, down, and back to the deployment's own order. */
function nextSort(column: string, now: TableState['sort']): TableState['sort'] {
  if (!now) return { column, descending: false }
  return now.descending ? null : { column, descending: true }
}
