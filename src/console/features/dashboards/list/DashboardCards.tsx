import Pagination from '@mui/material/Pagination'
import { Link } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { useTableState } from '#console/shell/useTableState.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { paths } from '#console/paths/paths.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { SearchInput } from '#console/ui/table/SearchInput.tsx'
import { useDebouncedText } from '#console/ui/table/useDebouncedText.ts'
import { AlertCell } from './AlertCell.tsx'
import type { DashboardRowsProps } from './DashboardTable.tsx'
import { RowDialogs, useRowActions, type RowDialog } from './useRowActions.tsx'
import { type DashboardRow, filterRows, foldersOf, pageOf, sortRows } from './rows.ts'
import { useFavorites } from '#console/charting/thumbnail/dashboardShelf.ts'
import { FavoriteButton } from '#console/charting/thumbnail/FavoriteButton.tsx'
import { visibleText } from '#domain/text/visibleText.ts'
import { counted } from '#domain/text/words.ts'
import { Thumbnail } from '#console/charting/thumbnail/Thumbnail.tsx'
import { readOutline } from '#domain/dashboards/outlineText.ts'
import * as base from '#console/ui/base/base.module.css'
import { Text } from '#console/ui/base/Text.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { MuiProvider } from '#console/ui/theme/MuiProvider.tsx'
import * as css from '../dashboards.module.css'

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
  const search = useDebouncedText(table.state.search, commitSearch)
  const [dialog, setDialog] = useState<RowDialog | null>(null)
  const actionsOf = useRowActions(setDialog, onBulk, locked)
  const [page, setPage] = useState(1)
  const { id: connectionId } = useConnection()
  const favorites = useFavorites(connectionId)
  const isFavorite = (row: DashboardRow) => favorites.has(row.id)
  const deferredSearch = useDeferredValue(search.text)
  const found = useMemo(
    () => rows && sortRows(filterRows(rows, [], deferredSearch), sort),
    [rows, deferredSearch, sort],
  )
  if (rows === undefined) return error ? <div className={base.card}>{error}</div> : <Outline />
  if (rows.length === 0) return <div className={base.card}>{empty}</div>
  const pages = Math.max(1, Math.ceil((found?.length ?? 0) / pageSize))
  const shownPage = Math.min(page, pages)
  return (
    <MuiProvider>
      {error && <div className={`${base.card} ${css.dashboardCards}`}>{error}</div>}
      <div className={css.dashboardControls}>
        <SearchInput label="Search dashboards" value={search.text} onChange={search.change} onBlur={search.commit} />
        <SortField table={table} />
      </div>
      {pageOf(foldersOf(found ?? [], isFavorite), shownPage, pageSize).map((folder) => (
        <div key={`${folder.kind} ${folder.name}`} className={css.folder}>
          {folder.name !== '' && (
            <Text variant="h3" component="h2" className={css.folderName}>
              {visibleText(folder.name)}
            </Text>
          )}
          <ul aria-label={visibleText(folder.name) || 'Dashboards'} className={css.cardGrid}>
            {folder.rows.map((row) => (
              <li key={row.id}>
                <DashboardCard row={row} actions={() => actionsOf(row)} />
              </li>
            ))}
          </ul>
        </div>
      ))}
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
    </MuiProvider>
  )
}

const orders = [
  { column: 'name', descending: false, label: 'By name' },
  { column: 'alerts', descending: true, label: 'Worst alerts first' },
  { column: 'tiles', descending: true, label: 'Most tiles first' },
] as const

/** The order of the cards. The table uses the same URL parameter. */
function SortField({ table: { state, onState } }: Pick<DashboardCardsProps, 'table'>) {
  const chosen = orders.find(({ column }) => column === state.sort?.column) ?? orders[0]
  return (
    <SelectInput
      label="Sort by"
      hiddenLabel
      value={chosen.column}
      options={orders.map(({ column, label }) => ({ value: column, label }))}
      onChange={(value) => {
        const { column, descending } = orders.find((order) => order.column === value) ?? orders[0]
        onState({ sort: column === 'name' ? null : { column, descending } })
      }}
      minWidth={180}
    />
  )
}

function DashboardCard({ row, actions }: { row: DashboardRow; actions: () => Action[] }) {
  const { id: connectionId } = useConnection()
  return (
    <div className={`${base.card} ${css.dashboardCard}`}>
      <Link to={paths.dashboard(connectionId, row.id)} className={css.cardLink}>
        <Thumbnail connectionId={connectionId} dashboardId={row.id} places={readOutline(row.outline)} />
        <Text variant="h3" component="h3" title={row.name} className={css.dashboardTitle}>
          {row.name}
        </Text>
        <div className={css.metadata}>
          <Text variant="caption" color="textSecondary">
            {counted(row.tileCount, 'tile')}
          </Text>
          <AlertCell row={row} />
          {row.tags.map((tag) => (
            <StatusChip key={tag} tone="neutral">
              {tag}
            </StatusChip>
          ))}
        </div>
      </Link>
      <div className={css.dashboardMenu}>
        <FavoriteButton connectionId={connectionId} dashboardId={row.id} name={row.name} />
        <ActionMenu label={`Actions of ${row.name}`} actions={actions} />
      </div>
    </div>
  )
}

function Outline() {
  return (
    <div aria-busy className={css.placeholders}>
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <Skeleton key={card} variant="rounded" height={170} />
      ))}
    </div>
  )
}
