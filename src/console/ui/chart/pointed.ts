import type { PlotModel } from './plotModel.ts'
import type { PlotScale } from './plotScale.ts'
import { type TooltipRows, tooltipRows } from '../series/tooltipRows.ts'
import type { Band } from '#console/ui/series/bands.ts'
import type { Frame } from '#console/ui/series/series.ts'

/** A cursor that no longer follows the pointer: the keyboard moved it, or its tooltip is pinned. */
export interface HeldCursor {
  /** Epoch milliseconds of its bucket. */
  time: number
  /** Pixels from the top of the chart to the pointer that pinned it; null for the keyboard. */
  y: number | null
  pinned: boolean
}

export interface Pointed {
  /** Bucket of the cursor. */
  index: number
  /** Pixels of the chart. */
  x: number
  /** Id of the series next to the pointer. */
  nearest: string | null
  values: TooltipRows
}

/** The values of a bucket, and the series next to the pointer, unless the pointer has no height. */
export function pointedAt(model: PlotModel, index: number, y: number | null, scale: PlotScale): Pointed {
  const nearest = y === null ? null : nearestSeries(model, index, y, scale.y)
  return { index, x: scale.x(model.xs[index] ?? 0), nearest, values: tooltipRows(model.frame, index, nearest) }
}

/** Pixels from a series within which it counts as pointed at. */
const maxDistance = 30

/** The id of the series whose drawn value lies closest to a height; in a stack the band that holds it. */
function nearestSeries(
  { frame, bands }: { frame: Frame; bands: readonly Band[] },
  index: number,
  y: number,
  scale: (value: number) => number,
): string | null {
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
