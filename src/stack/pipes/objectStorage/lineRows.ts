/** Rows of text formats as JSON objects, as other records are loaded. */
import { plainType, type ColumnType } from '../values/columnType.ts'
import type { FieldTypes } from '../values/recordProblem.ts'

/** A row, and the number of its first line. */
interface LineRow {
  line: number
  /** What should be a JSON object. */
  json: string
}

/** Makes rows of the lines of a file, in their order. A row may have several lines. */
export interface RowReader {
  /** @returns the rows that end with this line */
  add(line: string, number: number): LineRow[]
  /** The number of the first line that belongs to no row yet; null if all do. */
  open(): number | null
}

/** Formats whose rows are read one by one if their file cannot be loaded as a whole. */
export const lineFormats: ReadonlySet<string> = new Set([
  'JSONEachRow',
  'CSV',
  'CSVWithNames',
  'TabSeparated',
  'TabSeparatedWithNames',
])

/** @param names of the first line, for a format with names whose first line is read by another reader */
export function rowReader(
  format: string,
  delimiter: string,
  fields: FieldTypes,
  names: readonly string[] | null,
): RowReader {
  if (format === 'JSONEachRow') {
    return {
      add: (line, number) => (line.trim() === '' ? [] : [{ line: number, json: line }]),
      open: () => null,
    }
  }
  const isCsv = format.startsWith('CSV')
  let columns = names
  let text = ''
  let begun: number | null = null
  return {
    add(line, number) {
      begun ??= number
      text += text === '' ? line : `\n${line}`
      // A row with an open quote goes on in the next line.
      if (isCsv && (text.split('"').length - 1) % 2 === 1) return []
      const [from, whole] = [begun, text.replace(/\r$/, '')]
      begun = null
      text = ''
      if (whole === '') return []
      const cells = isCsv
        ? csvCells(whole, delimiter)
        : whole.split('\t').map((raw) => ({ text: unescaped(raw), isEmpty: raw === '', isNull: raw === '\\N' }))
      if (format.endsWith('WithNames') && !columns) {
        columns = cells.map((cell) => cell.text)
        return []
      }
      return [{ line: from, json: objectOf(cells, columns, fields) }]
    },
    open: () => begun,
  }
}

/** The names in the first line of a file. */
export function namesIn(format: string, delimiter: string, line: string): string[] | null {
  if (!format.endsWith('WithNames')) return null
  const text = line.replace(/\r$/, '')
  return format.startsWith('CSV') ? csvCells(text, delimiter).map((cell) => cell.text) : text.split('\t').map(unescaped)
}

interface Cell {
  text: string
  isEmpty: boolean
  isNull: boolean
}

function csvCells(row: string, delimiter: string): Cell[] {
  const cells: Cell[] = []
  for (let at = 0; at <= row.length;) {
    if (row[at] === '"') {
      let end = at + 1
      while (end < row.length && (row[end] !== '"' || row[end + 1] === '"')) end += row[end] === '"' ? 2 : 1
      cells.push({ text: row.slice(at + 1, end).replaceAll('""', '"'), isEmpty: false, isNull: false })
      at = row.indexOf(delimiter, end)
    } else {
      const end = row.indexOf(delimiter, at)
      const text = (end < 0 ? row.slice(at) : row.slice(at, end)).trim()
      cells.push({ text, isEmpty: text === '', isNull: text === '\\N' })
      at = end
    }
    if (at < 0) break
    at += delimiter.length
  }
  return cells
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' }

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character)
}

/** An empty cell is a missing field. */
function objectOf(cells: readonly Cell[], names: readonly string[] | null, fields: FieldTypes): string {
  const members = cells.flatMap(({ text, isEmpty, isNull }, at) => {
    const name = names ? names[at] : `c${at + 1}`
    const type = name === undefined ? undefined : fields.get(name)?.[0]
    if (name === undefined || !type) return []
    if (isEmpty && plainType(type).type.name !== 'String') return []
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
