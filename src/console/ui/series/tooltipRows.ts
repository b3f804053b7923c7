/** The rows of the tooltip. */
import { type Frame, isComparison, type Series } from './series.ts'

export const maxTooltipRows = 10

interface TooltipRow {
  series: Series
  value: number
}

export interface TooltipRows {
  rows: TooltipRow[]
  /** How many more have a value there, other than zero. */
  more: number
  /** How many are zero and not among the rows. */
  zeros: number
  /** Sum of all values without those shown for comparison. */
  total: number
}

/** The values at a bucket, largest first, at most ten, and no zeros. The nearest series is among them, whatever its value. */
export function tooltipRows(frame: Frame, index: number, nearest: string | null): TooltipRows {
  const present: TooltipRow[] = []
  for (const { series, values } of frame.rows) {
    const value = values[index]
    if (value != null) present.push({ series, value })
  }
  present.sort((a, b) => b.value - a.value)
  const near = present.find(({ series }) => series.id === nearest)
  // A chart of one series has no other row.
  const listed = present.filter((row) => row.value !== 0 || row === near || present.length === 1)
  const rows = listed.slice(0, maxTooltipRows)
  if (near && !rows.includes(near)) rows.splice(-1, 1, near)
  const total = present.reduce((sum, { series, value }) => (isComparison(series) ? sum : sum + value), 0)
  return { rows, more: listed.length - rows.length, zeros: present.length - listed.length, total }
}
