import { ChevronLeft, ChevronRight, Clock, ZoomOut } from 'lucide-react'
import { useState } from 'react'
import type { Zone } from '#domain/time/zone.ts'
import type { Span } from '#domain/time/span.ts'
import { lazyComponent } from '../base/lazyComponent.tsx'
import { hint } from '../hint/hint.ts'
import { formatRange } from './formatRange.ts'
import { zoneSuffix } from './formatTime.ts'
import { absoluteRange, resolveRange, shiftSpan, type TimeRange, zoomOut } from './range.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './time.module.css'

const RangePanel = lazyComponent(async () => (await import('./RangePanel.tsx')).RangePanel)

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
      <div role="group" aria-label="Time range" className={css.pickerGroup}>
        <Button
          {...hint('Move time range backward')}
          aria-label="Move time range backward"
          onClick={() => move((span) => shiftSpan(span, -1))}
          className={css.pickerStep}
        >
          <ChevronLeft size={15} aria-hidden />
        </Button>
        <Button
          startIcon={<Clock size={14} aria-hidden />}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onPointerEnter={RangePanel.preload}
          onFocus={RangePanel.preload}
          onClick={(event) => setAnchor(event.currentTarget)}
          className={css.pickerRange}
        >
          <span className={css.pickerLabel}>
            {words}
            {zoneSuffix(zone)}
          </span>
        </Button>
        <Button
          {...hint('Move time range forward')}
          aria-label="Move time range forward"
          onClick={() => move((span) => shiftSpan(span, 1))}
          className={css.pickerStep}
        >
          <ChevronRight size={15} aria-hidden />
        </Button>
        <Button {...hint('Zoom out')} aria-label="Zoom out" onClick={() => move(zoomOut)} className={css.pickerStep}>
          <ZoomOut size={15} aria-hidden />
        </Button>
      </div>
      {anchor && (
        <RangePanel
          anchor={anchor}
          onClose={() => setAnchor(null)}
          range={range}
          zone={zone}
          onZoneChange={onZoneChange}
          onApply={(chosen) => {
            setAnchor(null)
            onChange(chosen)
          }}
        />
      )}
    </>
  )
}
