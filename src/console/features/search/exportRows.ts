/** The loaded rows as files. */
import type { CsvLines } from '#console/ui/series/csv.ts'
import type { ResultColumn, ResultRow } from '#console/charting/rows/columns.ts'

export function rowLines(rows: readonly ResultRow[], columns: readonly ResultColumn[]): CsvLines {
  return [
    ['Time', ...columns.map(({ expression }) => expression)],
    ...rows.map(({ time, values }) => [time, ...values]),
  ]
}

/** One JSON object on each line. */
export function rowsJsonLines(rows: readonly ResultRow[], columns: readonly ResultColumn[]): string {
  return rows
    .map(({ time, values }) => {
      const entries = columns.map(({ expression }, at) => [expression, values[at] ?? ''])
      return `${JSON.stringify(Object.fromEntries([['Time', time], ...entries]))}\n`
    })
    .join('')
}
