/** Order, widths and sorting of the columns, as the URL has them. */
import { withoutEnd } from '#domain/text/withoutEnd.ts'
import type { ResultColumn } from '#console/charting/rows/columns.ts'

export const minWidth = 50
export const maxWidth = 1200
/** Pixels that a key changes a width by. */
export const widthStep = 20

type Columns = readonly Pick<ResultColumn, 'expression'>[]

/** Chosen widths in pixels by expression. The URL has them in the order of the columns: `120,,300`. */
export function readWidths(text: string, columns: Columns): ReadonlyMap<string, number> {
  const widths = text.split(',').map((width) => (/^\d+$/.test(width) ? clampWidth(Number(width)) : null))
  return new Map(columns.flatMap(({ expression }, at) => (widths[at] ? [[expression, widths[at]]] : [])))
}

export const clampWidth = (width: number): number => Math.round(Math.min(maxWidth, Math.max(minWidth, width)))

function writeWidths(widths: ReadonlyMap<string, number>, columns: Columns): string {
  return withoutEnd(columns.map(({ expression }) => widths.get(expression) ?? '').join(','), /,/)
}

interface Layout {
  cols: string
  widths: string
}

/** These columns in this order, with the widths of those that have one. */
export function layoutOf(expressions: readonly string[], widths: ReadonlyMap<string, number>): Layout {
  const columns = expressions.map((expression) => ({ expression }))
  return { cols: expressions.join(','), widths: writeWidths(widths, columns) }
}

export function withWidth(
  columns: Columns,
  widths: ReadonlyMap<string, number>,
  expression: string,
  width: number,
): Pick<Layout, 'widths'> {
  return { widths: writeWidths(new Map([...widths, [expression, clampWidth(width)]]), columns) }
}

/** The columns with one of them moved to the place of another. */
export function withMoved(
  columns: Columns,
  widths: ReadonlyMap<string, number>,
  from: number,
  to: number,
): Layout | null {
  const names = columns.map(({ expression }) => expression)
  const [moved] = names.splice(from, 1)
  if (moved === undefined || to < 0 || to > names.length || from === to) return null
  names.splice(to, 0, moved)
  return layoutOf(names, widths)
}

export type Direction = 'ascending' | 'descending'

/** How rows are ordered by a column; null if by something else. The order of the URL is empty for newest first. */
export function directionOf(order: string, expression: string, isTime: boolean): Direction | null {
  if (order === '') return isTime ? 'descending' : null
  const text = order.trim()
  const [ending = '', word = 'ASC'] = /\s(ASC|DESC)$/i.exec(text) ?? []
  if (text.slice(0, text.length - ending.length).trimEnd() !== expression) return null
  return word.toUpperCase() === 'ASC' ? 'ascending' : 'descending'
}

export function orderBy(expression: string, direction: Direction, isTime: boolean): string {
  if (isTime && direction === 'descending') return ''
  return `${expression} ${direction === 'ascending' ? 'ASC' : 'DESC'}`
}
