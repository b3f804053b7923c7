import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import { DataGrid, type GridFilterModel, type GridSortModel } from '@mui/x-data-grid'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import type { Action } from '../actions.ts'
import { EmptyState } from '../EmptyState.tsx'
import { actionColumn, gridColumn, type Column } from './columns.tsx'
import { tableLook } from './look.ts'
import type { TableState } from './tableState.ts'
import { TableToolbar } from './TableToolbar.tsx'

interface DataTableProps<Row extends { id: string }> {
  /** What the rows are: "Alerts". Also the table's name for screen readers. */
  label: string
  /** Undefined while they are on their way. */
  rows: readonly Row[] | undefined
  columns: readonly Column<Row>[]
  /** Instead of the table: what went wrong. */
  error: ReactNode | null
  /** Instead of the table when there are no rows at all: why, and the next step. */
  empty: ReactNode
  state: TableState
  onState: (change: Partial<TableState>) => void
  nameOf: (row: Row) => string
  rowActions?: (row: Row) => Action[]
  /** Offers selection, and this for what is selected. */
  bulkActions?: (rows: Row[]) => Action[]
}

const pageSize = 100

/** A table of one kind of thing: sorted, filtered, searched and arranged by the person; its state belongs to the page. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const {
    label,
    rows,
    columns,
    error,
    empty,
    state,
    onState,
    nameOf,
    rowActions,
    bulkActions,
  } = props
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const gridColumns = useMemo(() => {
    const own = columns.map(gridColumn)
    return rowActions ? [...own, actionColumn(rowActions, nameOf)] : own
  }, [columns, rowActions, nameOf])
  const filterModel = useFilterModel(state)
  const sortModel = useMemo<GridSortModel>(
    () => (state.sort ? [{ field: state.sort.column, sort: state.sort.descending ? 'desc' : 'asc' }] : []),
    [state.sort],
  )
  const visible = useMemo(
    () =>
      Object.fromEntries(columns.map(({ id, hidden }) => [id, state.columns ? state.columns.includes(id) : !hidden])),
    [columns, state.columns],
  )
  const search = useCallback((text: string) => onState({ search: text, page: 0 }), [onState])

  if (rows === undefined && error) return <Card>{error}</Card>
  if (rows?.length === 0) return <Card>{empty}</Card>
  const selected = rows?.filter((row) => selection.has(row.id)) ?? []

  return (
    <Card sx={{ flexGrow: 1, minHeight: 320, display: 'flex', flexDirection: 'column' }}>
      {error && <Box sx={{ borderBottom: 1, borderColor: 'divider' }}>{error}</Box>}
      <DataGrid
        label={label}
        rows={rows ?? []}
        columns={gridColumns}
        loading={rows === undefined}
        rowHeight={state.dense ? 26 : 32}
        columnHeaderHeight={32}
        disableRowSelectionOnClick
        disableRowSelectionExcludeModel
        checkboxSelection={bulkActions !== undefined}
        rowSelectionModel={{ type: 'include', ids: new Set(selected.map((row) => row.id)) }}
        onRowSelectionModelChange={(model) => setSelection(new Set([...model.ids].map(String)))}
        filterModel={filterModel}
        filterDebounceMs={0}
        onFilterModelChange={(model) => onState({ filter: filterOf(model), page: 0 })}
        sortModel={sortModel}
        onSortModelChange={(model) => onState({ sort: sortOf(model) })}
        columnVisibilityModel={visible}
        onColumnVisibilityModelChange={(model) =>
          onState({ columns: columns.map(({ id }) => id).filter((id) => model[id] !== false) })
        }
        paginationModel={{ page: state.page, pageSize }}
        pageSizeOptions={[pageSize]}
        onPaginationModelChange={({ page }) => onState({ page })}
        hideFooterPagination={(rows?.length ?? 0) <= pageSize}
        hideFooterSelectedRowCount
        showToolbar
        slots={{ toolbar: TableToolbar, noResultsOverlay: NoResults }}
        slotProps={{
          toolbar: {
            label,
            search: state.search,
            onSearch: search,
            dense: state.dense,
            onDense: (dense) => onState({ dense }),
            selected: selected.length,
            bulkActions: bulkActions && selected.length > 0 ? bulkActions(selected) : [],
          },
          noResultsOverlay: { onClear: () => onState({ search: '', filter: null, page: 0 }) },
          loadingOverlay: { variant: 'skeleton', noRowsVariant: 'skeleton' },
        }}
        sx={tableLook}
      />
    </Card>
  )
}

declare module '@mui/x-data-grid' {
  interface NoResultsOverlayPropsOverrides {
    onClear?: () => void
  }
}

function NoResults({ onClear }: { onClear?: () => void }) {
  return <EmptyState title="Nothing matches" action={<Button onClick={onClear}>Clear search and filter</Button>} />
}

function useFilterModel({ search, filter }: TableState): GridFilterModel {
  return useMemo(
    () => ({
      items: filter ? [{ field: filter.column, operator: filter.operator, value: filter.value || undefined }] : [],
      quickFilterValues: search.split(/\s+/).filter((word) => word !== ''),
      quickFilterExcludeHiddenColumns: false,
    }),
    [search, filter],
  )
}

function filterOf({ items: [item] }: GridFilterModel): TableState['filter'] {
  if (!item) return null
  const { field, operator, value } = item
  return { column: field, operator, value: value instanceof Date ? value.toISOString() : String(value ?? '') }
}

function sortOf([first]: GridSortModel): TableState['sort'] {
  return first?.sort ? { column: first.field, descending: first.sort === 'desc' } : null
}
