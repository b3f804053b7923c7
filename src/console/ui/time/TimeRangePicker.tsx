import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonGroup from '@mui/material/ButtonGroup'
import Tooltip from '@mui/material/Tooltip'
import { ChevronLeft, ChevronRight, Clock, ZoomOut } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { PanelPopover } from '../layout/PanelPopover.tsx'
import { formatRange } from './formatRange.ts'
import { RangeChoices } from './RangeChoices.tsx'
import { absoluteRange, resolveRange, shiftSpan, type Span, type TimeRange, zoomOut } from './range.ts'
import type { Zone } from './zone.ts'

interface TimeRangePickerProps {
  range: TimeRange
  zone: Zone
  onChange: (range: TimeRange) => void
  onZoneChange: (zone: Zone) => void
}

/** The time range of a page: earlier, select, later, zoom out. */
export function TimeRangePicker({ range, zone, onChange, onZoneChange }: TimeRangePickerProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const words = formatRange(range, zone)
  /** Shifts the current range; a range that cannot be resolved is unchanged. */
  const move = (change: (span: Span, now: number) => Span) => {
    const now = Date.now()
    const span = resolveRange(range, { now, zone })
    if (!('problem' in span)) onChange(absoluteRange(change(span, now)))
  }
  return (
    <>
      <ButtonGroup color="inherit" aria-label="Time range">
        <Hinted hint="Move time range backward">
          <Button aria-label="Move time range backward" onClick={() => move((span) => shiftSpan(span, -1))} sx={icon}>
            <ChevronLeft size={15} aria-hidden />
          </Button>
        </Hinted>
        <Button
          startIcon={<Clock size={14} aria-hidden />}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
          sx={{ minWidth: 0, overflow: 'hidden' }}
        >
          <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
            {words}
            {zone === 'utc' && ' UTC'}
          </Box>
        </Button>
        <Hinted hint="Move time range forward">
          <Button aria-label="Move time range forward" onClick={() => move((span) => shiftSpan(span, 1))} sx={icon}>
            <ChevronRight size={15} aria-hidden />
          </Button>
        </Hinted>
        <Hinted hint="Zoom out">
          <Button aria-label="Zoom out" onClick={() => move(zoomOut)} sx={icon}>
            <ZoomOut size={15} aria-hidden />
          </Button>
        </Hinted>
      </ButtonGroup>
      <PanelPopover label="Time range" anchor={anchor} onClose={() => setAnchor(null)} sx={{ maxWidth: 620 }}>
        <RangeChoices
          range={range}
          zone={zone}
          onZoneChange={onZoneChange}
          onApply={(chosen) => {
            setAnchor(null)
            onChange(chosen)
          }}
        />
      </PanelPopover>
    </>
  )
}

const icon = { px: 0, minWidth: 30 }

/** A tooltip on a button of the group; the button names itself. */
function Hinted({ hint, children }: { hint: string; children: ReactElement }) {
  return <Tooltip title={hint}>{children}</Tooltip>
}
