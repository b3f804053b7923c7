/** The look of the list of rows: widths of its columns, and one set of rules for all rows together. */
import type { Span } from '#console/ui/time/range.ts'
import type { ResultColumn } from './row/columns.ts'

const day = 86_400_000

/** How times are shown: with the date where the range is longer than a day. */
export function timeFormatOf(span: Span | undefined): { format: string; width: number } {
  const long = span !== undefined && span.to - span.from > day
  return long ? { format: 'D MMM HH:mm:ss.SSS', width: 152 } : { format: 'HH:mm:ss.SSS', width: 96 }
}

/** The narrowest and the widest width of a column in pixels; null for the room that is left. */
function widthOf({ wide, role }: ResultColumn): [least: number, most: number | null] {
  if (wide) return [160, null]
  return role === undefined ? [80, 140] : [90, 90]
}

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

const line = {
  display: 'grid',
  gridTemplateColumns: 'var(--columns)',
  columnGap: `${gap}px`,
  alignItems: 'center',
  px: `${gap}px`,
  width: 'var(--width)',
} as const

/** On a phone a row is a card: the wide column is below the others. */
const card = {
  display: 'flex',
  flexWrap: 'wrap',
  alignContent: 'center',
  columnGap: '8px',
  px: `${gap}px`,
  width: '100%',
  borderBottom: 1,
  borderColor: 'divider',
  '& .wide': { order: 1, flexBasis: '100%' },
} as const

export function listStyle(cards: boolean) {
  return {
    height: { xs: 'calc(100dvh - 300px)', md: 'calc(100dvh - 440px)' },
    minHeight: 280,
    overflow: 'auto',
    border: 1,
    borderColor: 'divider',
    borderRadius: '10px',
    bgcolor: 'background.paper',
    '& .head': {
      ...line,
      position: 'sticky',
      top: 0,
      zIndex: 1,
      bgcolor: 'background.paper',
      borderBottom: 1,
      borderColor: 'divider',
      color: 'text.secondary',
      fontWeight: 550,
      height: 30,
      // Read out, not seen.
      ...(cards && { position: 'absolute', clipPath: 'inset(50%)' }),
    },
    '& .row': {
      ...(cards ? card : line),
      height: cards ? rowHeights.card : rowHeights.line,
      // Another row's text changes the layout of nothing else.
      contain: 'strict',
      position: 'absolute',
      top: 0,
      left: 0,
      cursor: 'pointer',
      fontSize: 12.5,
    },
    '& .row:hover': { bgcolor: 'action.hover' },
    '& .row[aria-selected=true]': {
      bgcolor: 'action.selected',
      boxShadow: 'inset 3px 0 var(--accent)',
    },
    '& span[role]': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
    '& .head > span': { position: 'relative', overflow: 'visible' },
    '& .head .title': { overflow: 'hidden', textOverflow: 'ellipsis', minWidth: 0 },
    '& .edge': {
      position: 'absolute',
      right: -18,
      top: 0,
      width: 24,
      height: 28,
      cursor: 'col-resize',
      touchAction: 'none',
      zIndex: 1,
    },
    '& .edge::after': {
      content: '""',
      position: 'absolute',
      left: 11,
      top: 5,
      bottom: 5,
      width: '1px',
      bgcolor: 'divider',
    },
    '& .edge:hover::after, & .edge:focus-visible::after': { bgcolor: 'primary.main', width: '2px' },
    '& mark': {
      color: 'inherit',
      bgcolor: 'color-mix(in srgb, var(--warn) 28%, transparent)',
      borderRadius: '2px',
    },
    '& .time, & .wide': { fontFamily: 'var(--mono)', fontSize: 12 },
    '& .time': { color: 'text.secondary' },
  } as const
}
