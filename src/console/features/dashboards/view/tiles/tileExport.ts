import { columnHeader } from '#domain/charts/unitNames.ts'
import type { ChartExplanation } from '#console/charting/explanation/useChartExplain.ts'
import type { ChartSnapshot } from '#console/ui/chart/exportChart.tsx'
import type { CsvLines } from '#console/ui/series/csv.ts'
import type { TileTotal } from '#console/charting/tiles/tileData.ts'

/** The content of a tile, for saving it as a file, and what else its menu does with it. */
export interface TileExport {
  /** Its values, with a line of names first; undefined until the chart is loaded. */
  lines: () => CsvLines | undefined
  /** The chart, likewise; absent for what is no chart over time. */
  snapshot?: () => ChartSnapshot | undefined
  /** Lets the next range that is selected be explained, or says why none can be; absent for what is no chart over time. */
  explain?: Pick<ChartExplanation, 'choose' | 'problem'>
}

/** Totals as lines: the groups, then the values as they are stored, with their unit in the header; a missing value is empty. */
export function totalLines({ columns, rows }: TileTotal, groupNames: readonly string[]): CsvLines {
  const header = [...groupNames, ...columns.map(({ name, unit }) => columnHeader(name, unit))]
  const lines = rows.map(({ group, values }) => [
    ...groupNames.map((_, index) => group[index] ?? ''),
    ...values.map((value) => (value === null ? '' : String(value))),
  ])
  return [header, ...lines]
}
