/** The axes of the number of firings by threshold. */
import type { Sweep } from '#domain/alerting/sweep.ts'
import type { Unit } from '#domain/charts/units.ts'
import { logTicks, valueTicks } from '#console/ui/chart/ticks.ts'

export const height = 168
export const margin = { left: 34, right: 14, top: 18, bottom: 22 }

/** Thresholds whose ends are farther apart than this ratio are on a logarithmic axis. */
const logarithmicRatio = 20

interface Drawn {
  /** The threshold of the form. */
  threshold: number | null
  /** Pixels. */
  width: number
  /** The unit of the thresholds. */
  unit: Unit
}

/** Positions in the chart, in pixels, and round values for its axes. */
export function sweepScale({ points, between, flat }: Sweep, { threshold, width, unit }: Drawn) {
  const known = threshold !== null && Number.isFinite(threshold) ? [threshold] : []
  const ends = [...points.map((point) => point.threshold), ...(flat ? [flat.from] : [])]
  const highest = Math.max(...ends)
  const lowest = Math.min(...ends)
  // A threshold far outside would press the rest together.
  const near = known.filter((value) => value <= highest * 2 && value >= Math.min(0, lowest))
  const positive = [...ends, ...near].filter((value) => value > 0)
  const high = Math.max(highest, ...near)
  const isLog = lowest >= 0 && positive.length > 0 && high / Math.min(...positive) > logarithmicRatio
  const low = isLog ? Math.min(...positive) : Math.min(lowest, ...near)
  const to = (value: number) => (isLog ? Math.log(Math.max(value, low)) : value)
  const from = (value: number) => (isLog ? Math.exp(value) : value)
  const range = to(high) - to(low) || 1
  const inner = Math.max(1, width - margin.left - margin.right)
  const most = Math.max(1, ...points.map(({ firings }) => firings))
  const x = (value: number) => margin.left + ((to(value) - to(low)) / range) * inner
  const y = (count: number) => height - margin.bottom - (count / most) * (height - margin.top - margin.bottom)
  const across = (threshold: number) => `H${x(threshold).toFixed(1)}`
  const steps = points.map(({ threshold, firings }) => {
    const level = `V${y(firings).toFixed(1)}`
    return between === 'higher' ? level + across(threshold) : across(threshold) + level
  })
  const [first] = points
  const path = first ? `M${x(first.threshold).toFixed(1)} ${y(first.firings).toFixed(1)}${steps.join('')}` : ''
  const ticks = Math.max(2, Math.floor(inner / 60))
  return {
    x,
    y,
    path,
    isInside: (value: number) => value >= Math.min(low, lowest) && value <= high,
    thresholdAt: (px: number) => from(to(low) + ((px - margin.left) / inner) * range),
    xTicks: (isLog ? logTicks([low, high]) : valueTicks([low, high], ticks, unit)).filter(
      (tick) => tick >= low && tick <= high,
    ),
    yTicks: valueTicks([0, most], 3, 'number', true).filter((tick) => tick <= most),
  }
}
