import { GripVertical } from 'lucide-react'
import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import type { plotArea } from '#console/ui/chart/plotModel.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import * as css from '../alerts.module.css'

/** The value axis of the chart. */
interface ValueScale {
  area: ReturnType<typeof plotArea>
  low: number
  high: number
  unit: Unit
  /** All values are whole numbers. */
  whole: boolean
}

interface ThresholdLineProps {
  label: string
  value: number | null
  scale: ValueScale
  /** Its label lies further right, so that it does not cover that of another line. */
  second?: boolean
  onMove: (value: number) => void
  /** It is being dragged, or was let go. */
  onHold: (held: boolean) => void
}

/** A threshold as a line that can be dragged, and moved with the arrow keys. Without a value it lies at the top. */
export function ThresholdLine({ label, value, scale, second = false, onMove, onHold }: ThresholdLineProps) {
  const { area, low, high } = scale
  const line = useRef<HTMLDivElement>(null)
  const dragged = useRef(false)
  const known = value !== null && Number.isFinite(value)
  const at = known ? value : high
  const share = (Math.min(Math.max(at, low), high) - low) / (high - low)
  const top = area.bottom - share * (area.bottom - area.top)

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    // The field's own text gives way when it loses the focus.
    event.currentTarget.focus()
    event.currentTarget.setPointerCapture(event.pointerId)
    dragged.current = true
    onHold(true)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const plot = line.current?.offsetParent?.getBoundingClientRect()
    if (!dragged.current || !plot) return
    const y = Math.min(Math.max(event.clientY - plot.top, area.top), area.bottom)
    onMove(rounded(low + ((area.bottom - y) / (area.bottom - area.top)) * (high - low), scale))
  }
  const onRelease = () => {
    dragged.current = false
    onHold(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedByKey(event.key, at, scale)
    if (next === null) return
    event.preventDefault()
    onMove(next)
  }
  return (
    <div
      ref={line}
      role="slider"
      tabIndex={0}
      aria-label={`${label} line`}
      aria-orientation="vertical"
      aria-valuemin={Math.min(low, at)}
      aria-valuemax={Math.max(high, at)}
      aria-valuenow={at}
      aria-valuetext={known ? formatValue(value, scale.unit) : 'not set'}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onRelease}
      onPointerCancel={onRelease}
      onKeyDown={onKeyDown}
      className={css.thresholdLine}
      style={{ left: area.left, width: area.right - area.left, top: top - grip / 2, height: grip }}
    >
      <span className={css.thresholdLineLabel} data-second={second || undefined}>
        <GripVertical size={12} aria-hidden />
        {known ? formatValue(value, scale.unit) : 'Drag'}
      </span>
    </div>
  )
}

/** Height of what can be grabbed, pixels. */
const grip = 24

/** One step of the arrow keys: about a hundredth of the axis, a round number. */
function stepOf({ low, high, whole }: ValueScale): number {
  const step = 10 ** Math.round(Math.log10((high - low) / 100))
  return whole ? Math.max(1, step) : step
}

function rounded(value: number, scale: ValueScale): number {
  const step = stepOf(scale)
  return Number((Math.round(value / step) * step).toPrecision(12))
}

function movedByKey(key: string, value: number, scale: ValueScale): number | null {
  const step = stepOf(scale)
  const steps: Record<string, number> = {
    ArrowUp: 1,
    ArrowRight: 1,
    ArrowDown: -1,
    ArrowLeft: -1,
    PageUp: 10,
    PageDown: -10,
  }
  if (key === 'Home') return scale.low
  if (key === 'End') return scale.high
  const change = steps[key]
  return change === undefined ? null : rounded(value + change * step, scale)
}
