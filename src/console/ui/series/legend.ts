/** The legend as data. */
import { formatValue, noValue } from '#domain/charts/units.ts'
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

/** The change of each series against the one that it is compared with: of their means, as a text; empty for none. */
export function changesOf(rows: readonly LegendRow[]): ReadonlyMap<string, string> {
  const before = new Map(rows.flatMap(({ series: { ghost, like }, stats }) => (ghost && like ? [[like, stats]] : [])))
  return new Map(
    rows.flatMap(({ series: { id }, stats }): [string, string][] =>
      before.has(id) ? [[id, formatChange(stats?.mean, before.get(id)?.mean)]] : [],
    ),
  )
}

/** `+12 %`, `-3 %`, `0 %`; a dash where there is nothing to compare. */
function formatChange(now: number | undefined, before: number | undefined): string {
  if (now === undefined || before === undefined || before === 0) return noValue
  const change = Math.round(((now - before) / Math.abs(before)) * 1000) / 10
  return `${change > 0 ? '+' : ''}${formatValue(change, 'percent')}`
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
