/** Widths of the columns of the list, and heights of its rows. */
import type { Span } from '#domain/time/span.ts'
import type { ResultColumn } from '#console/charting/rows/columns.ts'

const day = 86_400_000

/** How times are shown: with the day where the range is longer than one. */
export function timeFormatOf(span: Span | undefined): { withDay: boolean; width: number } {
  const withDay = span !== undefined && span.to - span.from > day
  return { withDay, width: withDay ? 152 : 96 }
}

/** The narrowest and the widest width of a column in pixels; null for the room that is left. */
function widthOf({ wide, role }: ResultColumn): [least: number, most: number | null] {
  if (wide) return [160, null]
  return role === undefined ? [80, 140] : [90, 90]
}

/** Pixels between columns, and at both ends of a row, as in `search.module.css`. */
const gap = 12

/** CSS variables of the grid: the tracks, and the width of a row, which scrolls where it does not fit. */
export function trackVariables(
  columns: readonly ResultColumn[],
  timeWidth: number,
  chosen: ReadonlyMap<string, number>,
): Record<string, string> {
  const widths = columns.map((column): ReturnType<typeof widthOf> => {
    const width = chosen.get(column.expression)
    return width === undefined ? widthOf(column) : [width, width]
  })
  const tracks = widths.map(([least, most]) => `minmax(${least}px, ${most === null ? '1fr' : `${most}px`})`)
  const least = widths.reduce((sum, [width]) => sum + width + gap, timeWidth + 2 * gap)
  // Without a column that takes the rest, the last one does.
  if (!widths.some(([, most]) => most === null)) tracks.push('1fr')
  return { '--columns': `${timeWidth}px ${tracks.join(' ')}`, '--width': `max(100%, ${least}px)` }
}

export const rowHeights = { line: 26, card: 52 }
