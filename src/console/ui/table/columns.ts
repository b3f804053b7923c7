/** Columns as data: the value of a cell for sorting, filtering and searching, and its rendering. */
import type { ReactNode } from 'react'
import { formatTimeAgo } from '../time/formatTime.ts'

interface ColumnBase<Row> {
  /** Letters and digits: it is part of URLs. */
  id: string
  title: string
  /** Pixels; the least of a column that grows. */
  width?: number
  /** Share of the room that is left. */
  grow?: number
  /** Hidden until it is chosen. */
  hidden?: boolean
  /** The cell's text, where it is not the value itself: "96 %" of 96. */
  text?: (row: Row) => string
  /** Draws the cell; without, its text is drawn. */
  cell?: (row: Row) => ReactNode
}

interface Choice {
  value: string
  label: string
}

export type Column<Row> = ColumnBase<Row> &
  (
    | { type?: 'text'; value: (row: Row) => string | null | undefined }
    | { type: 'number'; value: (row: Row) => number | null | undefined }
    | { type: 'boolean'; value: (row: Row) => boolean | null | undefined }
    /** An ISO text. */
    | { type: 'timestamp'; value: (row: Row) => string | null | undefined }
    | { type: 'choice'; value: (row: Row) => string | null | undefined; options: readonly Choice[] }
  )

/** A cell as a person reads it, for the search, for filters and for cells that are not drawn otherwise. */
export function cellText<Row>(column: Column<Row>, row: Row): string {
  if (column.text) return column.text(row)
  const value = column.value(row)
  if (value === null || value === undefined || value === '') return ''
  if (column.type === 'choice') return column.options.find((option) => option.value === value)?.label ?? String(value)
  if (column.type === 'timestamp') return timestampText(String(value))
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

function timestampText(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? '' : formatTimeAgo(time, Date.now())
}

const defaultWidth = 140

/** Minimum pixels of a first column that is shrunk. */
const minNameWidth = 150

/** Pixels of a letter on average, generously, and of the space at both sides of a cell. */
const letterWidth = 7.5
const cellPadding = 20

/** Pixels that the longest text of each growing column takes; 0 of the others. */
export function textWidths<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): number[] {
  return columns.map((column) => {
    if (!column.grow) return 0
    const letters = rows.reduce((most, row) => Math.max(most, cellText(column, row).length), 0)
    return Math.ceil(letters * letterWidth) + cellPadding
  })
}

/**
 * The width of each column in pixels: fixed ones have their width. The room that is left goes to the growing ones: first to
 * those whose text is longer than their width, from the first one on, then by their `grow`. If they do not all fit, the
 * first one shrinks, so that the last visible one is not cut off.
 *
 * @param texts the widths of their texts
 */
export function columnWidths<Row>(
  columns: readonly Column<Row>[],
  available: number,
  texts: readonly number[] = [],
): number[] {
  const least = columns.map((column) => column.width ?? defaultWidth)
  const needed = least.reduce((sum, width) => sum + width, 0)
  if (needed > available) return [(least[0] ?? 0) - cutOf(least, available), ...least.slice(1)]
  let room = available - needed
  const fitted = least.map((width, at) => {
    const more = Math.min(room, Math.max(0, (texts[at] ?? 0) - width))
    room -= more
    return width + more
  })
  const shares = columns.reduce((sum, column) => sum + (column.grow ?? 0), 0)
  return fitted.map((width, at) => width + (shares > 0 ? Math.floor((room * (columns[at]?.grow ?? 0)) / shares) : 0))
}

/** The lines that the names of a list take, `most` at most: where there is no room beside them, they wrap. */
export function nameLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
  most: number,
): number {
  const [name] = columns
  if (!name) return 1
  const letters = rows.reduce((longest, row) => Math.max(longest, cellText(name, row).length), 0)
  const [text, room] = [letters * letterWidth, Math.max(1, width - cellPadding)]
  // Words do not fill their lines.
  return text <= room ? 1 : Math.min(most, Math.ceil((text * 1.2) / room))
}

/** Below this many pixels, a table shows only the columns that fit. */
export const phoneWidth = 480

/** Minimum pixels of a last column that is shrunk. */
const minLastWidth = 100

/**
 * The columns that a table shows in its room: on a phone, as many as fit beside the first one, the last one shrunk. The page of
 * the record has the others. Columns that somebody chose are all shown, and scroll.
 */
export function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  available: number,
  isChosen: boolean,
): readonly Column<Row>[] {
  if (isChosen || available <= 0 || available >= phoneWidth) return columns
  const fitting: Column<Row>[] = []
  let room = available
  for (const column of columns) {
    const isFirst = fitting.length === 0
    const width = column.width ?? defaultWidth
    if (!isFirst && room < Math.min(width, minLastWidth)) break
    fitting.push(isFirst || width <= room ? column : { ...column, width: room })
    room -= isFirst ? Math.min(width, minNameWidth) : width
  }
  return fitting
}

/** Pixels that the column at the edge lacks, where the first one can spare them. */
function cutOf(least: readonly number[], available: number): number {
  const ends = least.map((_, at) => least.slice(0, at + 1).reduce((sum, width) => sum + width, 0))
  const cut = ends.map((end) => end - available).find((lacks) => lacks > 0) ?? 0
  return (least[0] ?? 0) - cut >= minNameWidth ? cut : 0
}
