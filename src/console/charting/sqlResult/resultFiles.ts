/** A result as files, and its values as texts. */
import { withoutFormula } from '#console/ui/series/csv.ts'
import type { SqlResult } from '#contract/stack/sql.ts'

type Rows = Pick<SqlResult, 'columns' | 'rows'>

/** A value as one line of text; NULL is empty. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A line of names, and one for each row. */
export function csvLines({ columns, rows }: Rows): string[][] {
  return [columns.map(({ name }) => name), ...rows.map((row) => row.map(textOf))]
}

/** One JSON object on each line. Columns that share a name are numbered. */
export function jsonLines({ columns, rows }: Rows): string {
  const seen = new Map<string, number>()
  const names = columns.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name}_${count}`
  })
  return rows
    .map((row) => `${JSON.stringify(Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])))}\n`)
    .join('')
}

/** For spreadsheets: cells between tabs. Formulas become text. */
export function tabbedText(rows: Rows): string {
  const oneLine = (cell: string) => withoutFormula(cell.replaceAll(/[\t\r\n]+/g, ' '))
  return csvLines(rows)
    .map((line) => line.map(oneLine).join('\t'))
    .join('\n')
}
