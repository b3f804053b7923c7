import Box from '@mui/material/Box'
import type { KeyboardEvent, MouseEvent } from 'react'
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

/** The legend of a small chart: names in one line that scrolls. Clicks mean what they mean in the large legend. */
export function LegendBar({ rows, onIsolate, onToggle }: LegendBarProps) {
  const listed = rows.slice(0, maxListed)
  return (
    <Box
      role="group"
      aria-label="Legend"
      sx={{ display: 'flex', gap: 0.5, overflowX: 'auto', height: legendBarHeight, scrollbarWidth: 'none' }}
    >
      {listed.map(({ series, style, hidden, beyond }) => (
        <Box
          key={series.id}
          component="button"
          type="button"
          aria-pressed={!hidden}
          title={`${series.label}. Click: only this. Ctrl or Cmd click: on or off.`}
          onClick={(event: MouseEvent) => (event.ctrlKey || event.metaKey ? onToggle(series.id) : onIsolate(series.id))}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== ' ') return
            event.preventDefault()
            onToggle(series.id)
          }}
          sx={{
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
            opacity: hidden || beyond ? 0.5 : 1,
            '&:hover': { bgcolor: 'action.hover' },
            '&:focus-visible': { outline: 2, outlineOffset: -2 },
          }}
        >
          <Swatch style={style} ghost={series.ghost} overlay={series.overlay} />
          <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
            {series.label}
          </Box>
        </Box>
      ))}
      {rows.length > listed.length && (
        <Box component="span" sx={{ alignSelf: 'center', color: 'text.secondary', fontSize: 12, whiteSpace: 'nowrap' }}>
          and {rows.length - listed.length} more
        </Box>
      )}
    </Box>
  )
}
