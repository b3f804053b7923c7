import { useActiveTooltipCoordinate, useActiveTooltipLabel, useIsTooltipActive, useYAxisScale } from 'recharts'
import type { PlotModel } from './plotModel.ts'
import { nearestIndex } from '../series/series.ts'

/** A cursor that no longer follows the pointer: the keyboard moved it, or its tooltip is pinned. */
export interface HeldCursor {
  /** Epoch milliseconds of its bucket. */
  time: number
  /** Pixels from the top of the chart to the pointer that pinned it; null for the keyboard. */
  y: number | null
  pinned: boolean
}

interface Pointed {
  /** Bucket of the cursor. */
  index: number
  /** Pixels of the chart. */
  x: number
  /** Id of the series next to the pointer. */
  nearest: string | null
}

/** Pixels from a series within which it counts as pointed at. */
const maxDistance = 30

/** The bucket of the tooltip and the series next to the pointer; null while no tooltip is active. */
export function usePointed(model: PlotModel, held: HeldCursor | null): Pointed | null {
  const active = useIsTooltipActive()
  const label = useActiveTooltipLabel()
  const at = useActiveTooltipCoordinate()
  const scale = useYAxisScale()
  if (!active || !at || !scale || label === undefined) return null
  const index = nearestIndex(model.xs, Number(label))
  const y = held ? held.y : at.y
  return { index, x: at.x, nearest: y === null ? null : nearestSeries(model, index, y, (value) => scale(value) ?? 0) }
}

/** The series whose drawn value lies closest to a height; in a stack the band that holds it. */
function nearestSeries({ frame, bands }: PlotModel, index: number, y: number, scale: (value: number) => number) {
  let nearest: string | null = null
  let shortest = maxDistance
  frame.rows.forEach(({ series }, row) => {
    const [high, low] = [bands[row]?.high[index], bands[row]?.low[index]]
    if (high == null || low == null) return
    const distance = low > 0 && y >= scale(high) && y <= scale(low) ? 0 : Math.abs(y - scale(high))
    if (distance >= shortest) return
    shortest = distance
    nearest = series.id
  })
  return nearest
}
