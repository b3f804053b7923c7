/** The legend as data. */
import type { SeriesStyle } from './palette.ts'
import type { Series } from './series.ts'
import type { Stats } from './stats.ts'

export const legendColumns = [
  { column: 'label', title: 'Series' },
  { column: 'min', title: 'Min' },
  { column: 'max', title: 'Max' },
  { column: 'mean', title: 'Mean' },
  { column: 'last', title: 'Last' },
] as const
export type LegendColumn = (typeof legendColumns)[number]['column']

export interface LegendSort {
  column: LegendColumn
  down: boolean
}

export interface LegendRow {
  series: Series
  style: SeriesStyle
  stats: Stats | undefined
  /** The user hid it. */
  hidden: boolean
  /** Not drawn because there are too many. */
  overLimit: boolean
}

/** Rows by a column. Rows without a value come last either way. */
export function sortedLegend(rows: readonly LegendRow[], column: LegendColumn, down: boolean): LegendRow[] {
  const sign = down ? -1 : 1
  if (column === 'label') {
    return rows.toSorted((a, b) => sign * a.series.label.localeCompare(b.series.label, 'en', { numeric: true }))
  }
  return rows.toSorted((a, b) => {
    if (!a.stats || !b.stats) return Number(!a.stats) - Number(!b.stats)
    return sign * (a.stats[column] - b.stats[column])
  })
}
