import type { PlotModel } from './plotModel.ts'
import type { PlotScale } from './plotScale.ts'
import { nearestSeries } from '../series/nearestSeries.ts'
import { type TooltipRows, tooltipRows } from '../series/tooltipRows.ts'

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
