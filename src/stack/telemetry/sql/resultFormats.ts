/** Results in the engine's formats by name, as far as clients of query endpoints ask for them. */
import type { SqlResult } from '#contract/stack/sql.ts'

type Rows = Pick<SqlResult, 'columns' | 'rows'>

const formats = {
  TabSeparated: ({ rows }: Rows) => rows.map(tabSeparatedRow).join(''),
  TabSeparatedWithNames: ({ columns, rows }: Rows) =>
    [columns.map(({ name }) => name), ...rows].map(tabSeparatedRow).join(''),
  CSV: ({ rows }: Rows) => rows.map(commas).join(''),
  CSVWithNames: ({ columns, rows }: Rows) => [columns.map(({ name }) => name), ...rows].map(commas).join(''),
  JSON: (result: Rows) => `${JSON.stringify({ ...counted(result), data: objectsOf(result) })}\n`,
  JSONCompact: (result: Rows) => `${JSON.stringify({ ...counted(result), data: result.rows })}\n`,
  JSONEachRow: (result: Rows) =>
    objectsOf(result)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  PrettyCompact: (result: Rows) => aligned(result),
}

type ResultFormat = keyof typeof formats

export const formatNames = Object.keys(formats)

export const isResultFormat = (name: string): name is ResultFormat => Object.hasOwn(formats, name)

export function formatRows(result: Rows, format: ResultFormat): string {
  return formats[format](result)
}

const counted = ({ columns, rows }: Rows) => ({ meta: columns, rows: rows.length })

const objectsOf = ({ columns, rows }: Rows) =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])))

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function tabSeparatedRow(row: readonly unknown[]): string {
  const cell = (value: unknown) =>
    value === null ? String.raw`\N` : textOf(value).replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? '')
  return `${row.map(cell).join('\t')}\n`
}

function commas(row: readonly unknown[]): string {
  const cell = (value: unknown) => {
    if (value === null) return String.raw`\N`
    return typeof value === 'number' ? String(value) : `"${textOf(value).replaceAll('"', '""')}"`
  }
  return `${row.map(cell).join(',')}\n`
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Columns as wide as their longest value, for people. */
function aligned({ columns, rows }: Rows): string {
  const lines = [
    columns.map(({ name }) => name),
    ...rows.map((row) => row.map((value) => (value === null ? 'NULL' : textOf(value)))),
  ]
  const widths = columns.map((_, at) => lines.reduce((most, line) => Math.max(most, line[at]?.length ?? 0), 0))
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
