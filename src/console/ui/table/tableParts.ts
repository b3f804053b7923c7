/** Shared parts of a table. */
import type { Dispatch, SetStateAction } from 'react'
import type { Action } from '../actions/actions.ts'
import type { Column } from './columns.ts'
import type { TableState } from './tableState.ts'

export interface ScrollerProps<Row extends { id: string }> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** The title of a row's group. Rows of one group follow each other. */
  groupOf?: ((row: Row) => string) | undefined
  loading: boolean
  state: TableState
  onState: (change: Partial<TableState>) => void
  nameOf: (row: Row) => string
  rowActions?: ((row: Row) => Action[]) | undefined
  selection: ReadonlySet<string>
  /** Undefined if rows are not selected. */
  onSelection?: Dispatch<SetStateAction<ReadonlySet<string>>> | undefined
}

/** A line of the body: a row, or the title above the rows of a group. */
export type TableLine<Row> = { row: Row } | { title: string; count: number }

/** Rows with a title above each group. */
export function tableLines<Row>(rows: readonly Row[], groupOf?: (row: Row) => string): TableLine<Row>[] {
  if (!groupOf) return rows.map((row) => ({ row }))
  return [...groupsOf(rows, groupOf)].flatMap(([title, members]): TableLine<Row>[] => [
    { title, count: members.length },
    ...members.map((row) => ({ row })),
  ])
}

/** Focusable elements in a row, in the order of its cells. */
export const controlsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>('a[href], button, input')]

/** Where a control is in its row. Not counted over the whole row: not every row has a link in every cell. */
export interface ControlPosition {
  cell: number
  /** Among the controls of the cell. */
  index: number
}

export function positionOf(row: Element, control: HTMLElement): ControlPosition {
  const cells = [...row.children]
  const cell = cells.findIndex((element) => element.contains(control))
  return { cell, index: controlsOf(cells[cell] ?? row).indexOf(control) }
}

/** The control at a position; in a row without one, the last of the same cell or the first of the row. */
export function controlAt(row: Element, { cell, index }: ControlPosition): HTMLElement | undefined {
  const inCell = controlsOf(row.children[cell] ?? row)
  return inCell[index] ?? inCell.at(-1) ?? controlsOf(row)[0]
}

/** The `aria-rowindex` of the first row: the head is row 1. */
export const firstRowIndex = 2

/** Pixels. */
export const headHeight = 32
export const selectWidth = 40
export const actionsWidth = 44

/** Rows by their group, groups in the order of their first rows. */
export function groupsOf<Row>(rows: readonly Row[], groupOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const name = groupOf(row)
    const group = groups.get(name)
    if (group) group.push(row)
    else groups.set(name, [row])
  }
  return groups
}
