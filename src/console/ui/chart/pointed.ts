import type { PlotModel } from './plotModel.ts'
import { nearestSeries } from '../series/nearestSeries.ts'
import { nearestIndex } from '../series/series.ts'
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

/** Pixels of a value. */
export type ValueScale = (value: number) => number | undefined

/** The bucket at a time with its values, and the series next to the pointer, unless the pointer has no height. */
export function pointedAt(
  model: PlotModel,
  time: number,
  { x, y }: { x: number; y: number | null },
  scale: ValueScale,
): Pointed {
  const index = nearestIndex(model.xs, time)
  const nearest = y === null ? null : nearestSeries(model, index, y, (value) => scale(value) ?? 0)
  return { index, x, nearest, values: tooltipRows(model.frame, index, nearest) }
}
