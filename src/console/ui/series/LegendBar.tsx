import Box from '@mui/material/Box'
import type { LegendRow } from './legend.ts'
import { type LegendActions, LegendButton } from './LegendButton.tsx'

/** Height in pixels. */
export const legendBarHeight = 28

/** Series listed at most: the table view and the large chart list all. */
const maxListed = 40

/** One style for the whole bar: a dashboard has hundreds of its buttons. */
const barSx = {
  display: 'flex',
  gap: 0.5,
  overflowX: 'auto',
  height: legendBarHeight,
  scrollbarWidth: 'none',
  fontSize: 12,
  '& button': {
    all: 'unset',
    display: 'inline-flex',
    alignItems: 'center',
    gap: 1,
    px: 1,
    height: 24,
    flexShrink: 0,
    maxWidth: 220,
    fontSize: 12,
    cursor: 'pointer',
    borderRadius: '4px',
  },
  '& button[data-off]': { opacity: 0.5 },
  '& button:hover': { bgcolor: 'action.hover' },
  '& button:focus-visible': { outline: 2, outlineOffset: -2 },
  '& button span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& > span': { alignSelf: 'center', color: 'text.secondary', whiteSpace: 'nowrap' },
} as const

/** The legend of a small chart: names in one line that scrolls. */
export function LegendBar({ rows, ...actions }: LegendActions & { rows: readonly LegendRow[] }) {
  const listed = rows.slice(0, maxListed)
  return (
    <Box role="group" aria-label="Legend" sx={barSx}>
      {listed.map((row) => (
        <LegendButton key={row.series.id} row={row} {...actions}>
          <span>{row.series.label}</span>
        </LegendButton>
      ))}
      {rows.length > listed.length && <span>and {rows.length - listed.length} more</span>}
    </Box>
  )
}
