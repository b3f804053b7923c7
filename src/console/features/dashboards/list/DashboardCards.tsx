import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import CardActionArea from '@mui/material/CardActionArea'
import MenuItem from '@mui/material/MenuItem'
import Pagination from '@mui/material/Pagination'
import Skeleton from '@mui/material/Skeleton'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { Link } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { useTableState } from '#console/shell/useTableState.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { paths } from '#console/paths/paths.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { SearchInput } from '#console/ui/table/SearchInput.tsx'
import { useDebouncedText } from '#console/ui/table/useDebouncedText.ts'
import { AlertCell } from './AlertCell.tsx'
import type { DashboardRowsProps } from './DashboardTable.tsx'
import { RowDialogs, rowActions, type RowDialog } from './rowActions.tsx'
import { type DashboardRow, filterRows, sortRows } from './rows.ts'
import { Thumbnail } from './Thumbnail.tsx'

interface DashboardCardsProps extends DashboardRowsProps {
  table: ReturnType<typeof useTableState>
}

/** Number of cards on a page, which can be rendered together. */
const pageSize = 48

/** Dashboards as cards, with the outline of their tiles. */
export function DashboardCards({ rows, error, empty, onBulk, locked, table }: DashboardCardsProps) {
  const { sort } = table.state
  const { onState } = table
  const commitSearch = useCallback((text: string) => onState({ search: text }), [onState])
  const [search, setSearch] = useDebouncedText(table.state.search, commitSearch)
  const [dialog, setDialog] = useState<RowDialog | null>(null)
  const [page, setPage] = useState(1)
  const deferredSearch = useDeferredValue(search)
  const found = useMemo(
    () => rows && sortRows(filterRows(rows, [], deferredSearch), sort),
    [rows, deferredSearch, sort],
  )
  if (rows === undefined) return error ? <Card>{error}</Card> : <Outline />
  if (rows.length === 0) return <Card>{empty}</Card>
  const pages = Math.max(1, Math.ceil((found?.length ?? 0) / pageSize))
  const shownPage = Math.min(page, pages)
  return (
    <>
      {error && <Card sx={{ mb: 3 }}>{error}</Card>}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mb: 3 }}>
        <SearchInput label="Search dashboards" value={search} onChange={setSearch} />
        <SortField table={table} />
      </Box>
      <Box component="ul" aria-label="Dashboards" sx={{ ...gridSx, listStyle: 'none', m: 0, p: 0 }}>
        {found?.slice((shownPage - 1) * pageSize, shownPage * pageSize).map((row) => (
          <li key={row.id}>
            <DashboardCard row={row} actions={() => rowActions(row, setDialog, onBulk, locked)} />
          </li>
        ))}
      </Box>
      {found?.length === 0 && <EmptyState title="No matches" />}
      {pages > 1 && (
        <Pagination
          count={pages}
          page={shownPage}
          onChange={(_, next) => setPage(next)}
          sx={{ mt: 4, alignSelf: 'center' }}
        />
      )}
      <RowDialogs dialog={dialog} onClose={() => setDialog(null)} />
    </>
  )
}

const orders = [
  { column: 'name', descending: false, label: 'By name' },
  { column: 'alerts', descending: true, label: 'Worst alerts first' },
  { column: 'tiles', descending: true, label: 'Most tiles first' },
]

/** The order of the cards. The table uses the same URL parameter. */
function SortField({ table: { state, onState } }: Pick<DashboardCardsProps, 'table'>) {
  const chosen = orders.find(({ column }) => column === state.sort?.column) ?? orders[0]
  return (
    <TextField
      select
      size="small"
      value={chosen?.column}
      onChange={({ target }) => {
        const { column, descending } = orders.find((one) => one.column === target.value) ?? orders[0]!
        onState({ sort: column === 'name' ? null : { column, descending } })
      }}
      slotProps={{ select: { inputProps: { 'aria-label': 'Sort by' } } }}
      sx={{ width: 180 }}
    >
      {orders.map(({ column, label }) => (
        <MenuItem key={column} value={column}>
          {label}
        </MenuItem>
      ))}
    </TextField>
  )
}

const gridSx = {
  display: 'grid',
  gap: 3,
  gridTemplateColumns: 'repeat(auto-fill, minmax(240px, 1fr))',
} as const

/** Names have at most two lines, so that the cards of a row have the same height. */
const nameSx = {
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: 2,
  overflow: 'hidden',
  overflowWrap: 'anywhere',
  unicodeBidi: 'plaintext',
} as const

/** One line, ends where the menu is; the list shows all tags. */
const footSx = {
  display: 'flex',
  gap: 1,
  alignItems: 'center',
  mt: 'auto',
  mr: 6,
  minHeight: 24,
  overflow: 'hidden',
  '& > *': { flexShrink: 0 },
} as const

function DashboardCard({ row, actions }: { row: DashboardRow; actions: () => Action[] }) {
  const { id: connectionId } = useConnection()
  return (
    <Card sx={{ position: 'relative', height: '100%' }}>
      <CardActionArea
        component={Link}
        to={paths.dashboard(connectionId, row.id)}
        sx={{
          p: 3,
          height: '100%',
          display: 'flex',
          flexDirection: 'column',
          alignItems: 'stretch',
          justifyContent: 'flex-start',
          gap: 2,
        }}
      >
        <Thumbnail dashboard={row.dashboard} />
        <Typography variant="h3" component="h2" title={row.name} sx={nameSx}>
          {row.name}
        </Typography>
        <Box sx={footSx}>
          <Typography variant="caption" color="textSecondary">
            {row.tiles} {row.tiles === 1 ? 'tile' : 'tiles'}
          </Typography>
          <AlertCell row={row} />
          {row.tags.map((tag) => (
            <StatusChip key={tag} tone="neutral">
              {tag}
            </StatusChip>
          ))}
        </Box>
      </CardActionArea>
      <Box sx={{ position: 'absolute', right: 8, bottom: 8 }}>
        <ActionMenu label={`Actions of ${row.name}`} actions={actions} />
      </Box>
    </Card>
  )
}

function Outline() {
  return (
    <Box aria-busy sx={gridSx}>
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <Skeleton key={card} variant="rounded" height={170} />
      ))}
    </Box>
  )
}
