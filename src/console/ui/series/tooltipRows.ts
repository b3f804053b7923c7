/** The rows of the tooltip. */
import { type Frame, isComparison, type Series } from './series.ts'

export const maxTooltipRows = 20

interface TooltipRow {
  series: Series
  value: number
}

export interface TooltipRows {
  rows: TooltipRow[]
  /** How many more have a value there. */
  more: number
  /** Sum of all values without those shown for comparison. */
  total: number
}

/** The values at a bucket, largest first, and at most twenty. The nearest series is among them. */
export function tooltipRows(frame: Frame, index: number, nearest: string | null): TooltipRows {
  const present: TooltipRow[] = []
  for (const { series, values } of frame.rows) {
    const value = values[index]
    if (value != null) present.push({ series, value })
  }
  present.sort((a, b) => b.value - a.value)
  const rows = present.slice(0, maxTooltipRows)
  const near = present.find(({ series }) => series.id === nearest)
  if (near && !rows.includes(near)) rows.splice(-1, 1, near)
  const total = present.reduce((sum, { series, value }) => (isComparison(series) ? sum : sum + value), 0)
  return { rows, more: present.length - rows.length, total }
}
