import { useMemo, type KeyboardEvent, type PointerEvent } from 'react'
import { counted } from '#domain/text/words.ts'
import { formatShort, formatValue, type Unit } from '#domain/charts/units.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import type { Sweep } from '#domain/alerting/sweep.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { sweepText } from './backtestText.ts'
import { height, margin, sweepScale } from './sweepScale.ts'
import * as css from '../alerts.module.css'

interface SweepChartProps {
  sweep: Sweep
  /** The unit of the thresholds. */
  unit: Unit
  /** The threshold of the form. */
  threshold: number | null
  /** Its number of firings. */
  firings: number | null
  onPick: (threshold: number) => void
}

/** How often each threshold fires. A click or the arrow keys pick one. */
export function SweepChart({ sweep, unit, threshold, firings, onPick }: SweepChartProps) {
  const { points, flat } = sweep
  const [ref, { width }] = useElementSize()
  const scale = useMemo(() => sweepScale(sweep, { threshold, width, unit }), [sweep, threshold, width, unit])
  const place = nearestPoint(sweep, threshold)
  const pick = (at: number) => {
    const point = points[Math.min(Math.max(at, 0), points.length - 1)]
    if (point) onPick(point.threshold)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = placeAfterKey(event.key, place, points.length)
    if (next === null) return
    event.preventDefault()
    pick(next)
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    pick(nearestPoint(sweep, scale.thresholdAt(x)))
  }
  const current = threshold !== null && Number.isFinite(threshold) ? threshold : null
  const [lowest = 0, highest = lowest] = [points[0]?.threshold, points.at(-1)?.threshold]
  const value = current ?? lowest
  return (
    <div>
      <div className={css.sweepHead}>
        <Text variant="h3">Firings by threshold</Text>
        {flat && (
          <Button size="small" onClick={() => onPick(flat.suggested)}>
            Use {formatValue(flat.suggested, unit)}
          </Button>
        )}
      </div>
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label="Threshold by number of firings"
        aria-valuemin={Math.min(lowest, value)}
        aria-valuemax={Math.max(highest, value)}
        aria-valuenow={value}
        aria-valuetext={
          current === null ? 'not set' : `${formatValue(current, unit)}, ${counted(firings ?? 0, 'firing')}`
        }
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        className={css.sweepChart}
        style={{ height }}
      >
        {width > 0 && <SweepPlot {...{ scale, flat, unit, width, current, firings }} />}
      </div>
      <Text variant="caption" color="textSecondary" component="p" className={css.sweepText}>
        {sweepText(sweep, unit)}
      </Text>
    </div>
  )
}

/** How many points each key goes on. */
const steps: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 5,
  PageDown: -5,
}

/** Where a key leads from one of the points, which may be beyond their ends; null for other keys. */
function placeAfterKey(key: string, place: number, count: number): number | null {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = steps[key]
  return step === undefined ? null : place + step
}

const muted = 'var(--muted)'
const bad = 'var(--bad)'

interface SweepPlotProps {
  scale: ReturnType<typeof sweepScale>
  flat: Sweep['flat']
  unit: Unit
  width: number
  /** The threshold of the form, and its number of firings. */
  current: number | null
  firings: number | null
}

/** The number of firings as a line over the thresholds, with the current one. */
function SweepPlot({ scale, flat, unit, width, current, firings }: SweepPlotProps) {
  return (
    <svg width={width} height={height} aria-hidden style={{ display: 'block', fontSize: 11 }}>
      {flat && <Flat flat={flat} x={scale.x} />}
      {scale.yTicks.map((tick) => (
        <g key={tick}>
          <line x1={margin.left} x2={width - margin.right} y1={scale.y(tick)} y2={scale.y(tick)} stroke="var(--line)" />
          <text x={margin.left - 6} y={scale.y(tick) + 4} textAnchor="end" fill={muted}>
            {formatShort(tick)}
          </text>
        </g>
      ))}
      {scale.xTicks.map((tick) => (
        <text key={tick} x={scale.x(tick)} y={height - 6} textAnchor="middle" fill={muted}>
          {formatShort(tick, unit)}
        </text>
      ))}
      <path d={scale.path} fill="none" stroke="var(--accent)" strokeWidth={1.5} />
      {current !== null && scale.isInside(current) && (
        <g>
          <line
            x1={scale.x(current)}
            x2={scale.x(current)}
            y1={margin.top}
            y2={height - margin.bottom}
            stroke={bad}
            strokeWidth={1.5}
          />
          {firings !== null && <circle cx={scale.x(current)} cy={scale.y(firings)} r={4} fill={bad} />}
        </g>
      )}
    </svg>
  )
}

function Flat({ flat, x }: { flat: NonNullable<Sweep['flat']>; x: (threshold: number) => number }) {
  const left = x(flat.from)
  return (
    <rect
      x={left}
      y={margin.top}
      width={Math.max(2, x(flat.to) - left)}
      height={height - margin.top - margin.bottom}
      fill="var(--ok)"
      opacity={0.16}
    />
  )
}

function nearestPoint({ points }: Sweep, threshold: number | null): number {
  if (threshold === null || !Number.isFinite(threshold)) return 0
  let best = 0
  points.forEach((point, at) => {
    if (Math.abs(point.threshold - threshold) < Math.abs((points[best]?.threshold ?? 0) - threshold)) best = at
  })
  return best
}
