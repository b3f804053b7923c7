/** Rows of text formats as JSON objects, as other records are loaded. */
import { counted } from '#domain/text/words.ts'
import { plainType, type ColumnType } from '../values/columnType.ts'
import type { FieldTypes } from '../values/recordProblem.ts'
import { csvCells, CsvLines, tsvCells, withoutLastEmpty, type Cell, type DelimitedRow } from './delimitedRows.ts'

/** A row, and the number of its first line. */
export interface LineRow {
  line: number
  /** A line that should be a JSON object; the text of a line that is no row. */
  text: string
  /** Why it is no row; null if it may be one. */
  problem: string | null
  /** The size of its text, if that is only its beginning. */
  bytes?: number
}

/** Makes rows of the lines of a file, in their order. A row may have several lines. */
export interface RowReader {
  /** @returns the rows that end with this line */
  add(line: string, number: number): LineRow[]
  /** The number of the first line that belongs to no row yet; null if all do. */
  open(): number | null
  /** @returns what the lines are that belong to no row at the end of the file */
  end(): LineRow[]
}

/** Formats whose rows are read one by one if their file cannot be loaded as a whole. */
export const lineFormats: ReadonlySet<string> = new Set([
  'JSONEachRow',
  'CSV',
  'CSVWithNames',
  'TabSeparated',
  'TabSeparatedWithNames',
])

/**
 * @param names of the first line, for a format with names whose first line is read by another reader
 */
export function rowReader(
  format: string,
  delimiter: string,
  fields: FieldTypes,
  names: readonly string[] | null,
): RowReader {
  if (format === 'JSONEachRow') {
    return {
      add: (line, number) => (line.trim() === '' ? [] : [{ line: number, text: line, problem: null }]),
      open: () => null,
      end: () => [],
    }
  }
  const isCsv = format.startsWith('CSV')
  let columns = names ?? (format.endsWith('WithNames') ? null : positionsOf(fields))
  const rowsOf = (rows: readonly DelimitedRow[]): LineRow[] =>
    rows.flatMap(({ line, text, cells }): LineRow[] => {
      if (cells === null) return [{ line, text, problem: 'a quote is not closed, or something follows it' }]
      if (!columns) {
        columns = cells.map((cell) => cell.text)
        return []
      }
      const found = isCsv ? withoutLastEmpty(cells, columns.length) : cells
      if (found.length !== columns.length) {
        return [{ line, text, problem: `it has ${counted(found.length, 'cell')} instead of ${columns.length}` }]
      }
      return [{ line, text: objectOf(found, columns, fields, isCsv), problem: null }]
    })
  if (isCsv) {
    const lines = new CsvLines(delimiter)
    return {
      add: (line, number) => rowsOf(lines.add(line, number)),
      open: () => lines.open,
      end: () => rowsOf(lines.end()),
    }
  }
  return {
    add(line, number) {
      const text = line.replace(/\r$/, '')
      return text === '' ? [] : rowsOf([{ line: number, text, cells: tsvCells(text) }])
    },
    open: () => null,
    end: () => [],
  }
}

/** The names in the first line of a file. */
export function namesIn(format: string, delimiter: string, line: string): string[] | null {
  if (!format.endsWith('WithNames')) return null
  const text = line.replace(/\r$/, '')
  const cells = format.startsWith('CSV') ? csvCells(text, delimiter) : tsvCells(text)
  return cells?.map((cell) => cell.text) ?? null
}

/** The names of fields in files without names, as many as their structure has. */
function positionsOf(fields: FieldTypes): string[] {
  const names = [...fields.keys()]
  const positions = names.map((name) => Number(/^c(\d{1,4})$/.exec(name)?.[1]))
  if (positions.some((position) => Number.isNaN(position))) return names
  return Array.from({ length: Math.max(0, ...positions) }, (_, at) => `c${at + 1}`)
}

/** An empty cell is a missing field. In TSV, it is a text that is empty if the column has texts. */
function objectOf(cells: readonly Cell[], names: readonly string[], fields: FieldTypes, isCsv: boolean): string {
  const members = cells.flatMap(({ text, isEmpty, isNull }, at) => {
    const name = names[at]
    const type = name === undefined ? undefined : fields.get(name)?.at(-1)
    if (name === undefined || !type) return []
    if (isEmpty && (isCsv || plainType(type).type.name !== 'String')) return []
    return `${JSON.stringify(name)}:${isNull ? 'null' : valueOf(text, type)}`
  })
  return `{${members.join(',')}}`
}

/** The engine writes arrays and the like as it does in SQL: those of numbers are JSON. Others are bad. */
function valueOf(text: string, type: ColumnType): string {
  const { type: plain } = plainType(type)
  if (plain.name === 'Bool' && /^(?:true|false|1|0)$/i.test(text)) return text.toLowerCase()
  if (plain.parts.length > 0 || plain.name === 'JSON') {
    const json = text.replaceAll("'", '"')
    return isJson(json) ? json : JSON.stringify(text)
  }
  return JSON.stringify(text)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
