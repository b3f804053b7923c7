import Box from '@mui/material/Box'
import type { ChartEvents } from './chartEvents.ts'
import type { LegendRow } from './legend.ts'
import { type LegendActions, LegendButton } from './LegendButton.tsx'
import { usePointedSeries } from './usePointedSeries.ts'
import { ViewEventsButton } from './ViewEventsButton.tsx'

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
  '& .item': { display: 'inline-flex', position: 'relative', flexShrink: 0 },
  // Over the end of the name: the legend does not move.
  '& .item .events': {
    position: 'absolute',
    right: 0,
    minWidth: 24,
    px: 0,
    justifyContent: 'center',
    bgcolor: 'background.paper',
  },
  '& > .more': { alignSelf: 'center', color: 'text.secondary', whiteSpace: 'nowrap' },
} as const

interface LegendBarProps extends LegendActions {
  rows: readonly LegendRow[]
  events?: ChartEvents | undefined
}

/** The legend of a small chart: names in one line that scrolls. The series that is pointed at offers its events. */
export function LegendBar({ rows, events, ...actions }: LegendBarProps) {
  const { pointed, handlers } = usePointedSeries(events !== undefined)
  const listed = rows.slice(0, maxListed)
  return (
    <Box role="group" aria-label="Legend" sx={barSx} {...handlers}>
      {listed.map((row) => (
        <span key={row.series.id} className="item" data-series={row.series.id}>
          <LegendButton row={row} {...actions}>
            <span>{row.series.label}</span>
          </LegendButton>
          {events && pointed === row.series.id && <ViewEventsButton events={events} series={row.series} />}
        </span>
      ))}
      {rows.length > listed.length && <span className="more">and {rows.length - listed.length} more</span>}
    </Box>
  )
}
