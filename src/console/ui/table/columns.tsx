/** Columns as data: what a row's cell is for sorting, filtering and searching, and how it is drawn. */
import type { GridColDef } from '@mui/x-data-grid'
import type { ReactNode } from 'react'
import type { Action } from '../actions.ts'
import { ActionMenu } from '../ActionMenu.tsx'
import type { Option } from '../form/SelectField.tsx'
import { Moment } from '../Moment.tsx'

interface ColumnBase<Row> {
  /** Letters and digits: it stands in addresses. */
  id: string
  title: string
  width?: number
  /** Share of the room that is left. */
  grow?: number
  align?: 'left' | 'right'
  /** Hidden until it is chosen. */
  hidden?: boolean
  /** Draws the cell; the value itself is drawn without. */
  cell?: (row: Row) => ReactNode
}

export type Column<Row> = ColumnBase<Row> &
  (
    | { type?: 'text'; value: (row: Row) => string | null | undefined }
    | { type: 'number'; value: (row: Row) => number | null | undefined }
    | { type: 'yesNo'; value: (row: Row) => boolean | undefined }
    /** An ISO text. */
    | { type: 'moment'; value: (row: Row) => string | null | undefined }
    | { type: 'choice'; value: (row: Row) => string | null | undefined; options: readonly Option[] }
  )

/** Our column in the grid's words. */
export function gridColumn<Row extends { id: string }>(column: Column<Row>): GridColDef<Row> {
  const shared: GridColDef<Row> = {
    field: column.id,
    headerName: column.title,
    minWidth: 70,
    ...(column.grow === undefined
      ? { width: column.width ?? 140 }
      : { flex: column.grow, minWidth: column.width ?? 120 }),
    ...(column.align ? { align: column.align, headerAlign: column.align } : {}),
    ...(column.cell ? { renderCell: ({ row }) => column.cell?.(row) } : {}),
    valueGetter: (_, row) => column.value(row),
  }
  switch (column.type) {
    case 'number':
      return { ...shared, type: 'number' }
    case 'yesNo':
      return { ...shared, type: 'boolean' }
    case 'moment':
      return {
        ...shared,
        type: 'dateTime',
        valueGetter: (_, row) => momentOf(column.value(row)),
        renderCell: ({ row }) => column.cell?.(row) ?? <Moment iso={column.value(row)} />,
      }
    case 'choice':
      return { ...shared, type: 'singleSelect', valueOptions: [...column.options] }
    default:
      return { ...shared, type: 'string' }
  }
}

function momentOf(iso: string | null | undefined): Date | null {
  const date = new Date(iso ?? '')
  return Number.isNaN(date.getTime()) ? null : date
}

/** The last column: what can be done to a row. */
export function actionColumn<Row extends { id: string }>(
  actions: (row: Row) => Action[],
  nameOf: (row: Row) => string,
): GridColDef<Row> {
  return {
    field: 'rowActions',
    headerName: 'Actions',
    renderHeader: () => null,
    width: 44,
    align: 'center',
    sortable: false,
    filterable: false,
    hideable: false,
    resizable: false,
    disableColumnMenu: true,
    renderCell: ({ row }) => <ActionMenu label={`Actions of ${nameOf(row)}`} actions={actions(row)} />,
  }
}
