import Box from '@mui/material/Box'
import type { LegendRow } from './legend.ts'
import { Swatch } from './Swatch.tsx'

interface LegendBarProps {
  rows: readonly LegendRow[]
  onIsolate: (id: string) => void
  onToggle: (id: string) => void
}

/** Height in pixels. */
export const legendBarHeight = 28

/** Series listed at most: the table twin and the large chart list all. */
const maxListed = 40

/** One style for the whole bar: a dashboard has hundreds of its buttons. */
const bar = {
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

/** The legend of a small chart: names in one line that scrolls. Clicks mean what they mean in the large legend. */
export function LegendBar({ rows, onIsolate, onToggle }: LegendBarProps) {
  const listed = rows.slice(0, maxListed)
  return (
    <Box role="group" aria-label="Legend" sx={bar}>
      {listed.map(({ series, style, hidden, beyond }) => (
        <button
          key={series.id}
          type="button"
          data-off={hidden || beyond ? '' : undefined}
          aria-pressed={!hidden}
          title={`${series.label}. Click: only this. Ctrl or Cmd click: on or off.`}
          onClick={(event) => (event.ctrlKey || event.metaKey ? onToggle(series.id) : onIsolate(series.id))}
          onKeyDown={(event) => {
            if (event.key !== ' ') return
            event.preventDefault()
            onToggle(series.id)
          }}
        >
          <Swatch style={style} ghost={series.ghost} overlay={series.overlay} />
          <span>{series.label}</span>
        </button>
      ))}
      {rows.length > listed.length && <span>and {rows.length - listed.length} more</span>}
    </Box>
  )
}
