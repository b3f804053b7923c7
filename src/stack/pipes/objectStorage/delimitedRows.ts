/** Cells of CSV and TSV, as the engine reads them. */

export interface Cell {
  text: string
  isEmpty: boolean
  isNull: boolean
}

/** @returns null if there is something between a quote that is closed and the next delimiter, or a quote is not closed */
export function csvCells(row: string, delimiter: string): Cell[] | null {
  const cells: Cell[] = []
  for (let at = 0; at <= row.length;) {
    const begun = at
    while ((row[at] === ' ' || row[at] === '\t') && !row.startsWith(delimiter, at)) at++
    if (row[at] !== '"') at = begun
    if (row[at] === '"') {
      let end = at + 1
      while (end < row.length && (row[end] !== '"' || row[end + 1] === '"')) end += row[end] === '"' ? 2 : 1
      if (end >= row.length) return null
      cells.push({ text: row.slice(at + 1, end).replaceAll('""', '"'), isEmpty: false, isNull: false })
      at = row.indexOf(delimiter, end)
      const after = at < 0 ? row.slice(end + 1) : row.slice(end + 1, at)
      if (after.trim() !== '') return null
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

/** A delimiter at the end of a row is no further cell. */
export function withoutLastEmpty(cells: readonly Cell[], expected: number): readonly Cell[] {
  return cells.length === expected + 1 && cells.at(-1)?.isEmpty ? cells.slice(0, -1) : cells
}

export function tsvCells(row: string): Cell[] {
  return row.split('\t').map((raw) => ({ text: unescaped(raw), isEmpty: raw === '', isNull: raw === '\\N' }))
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' }

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character)
}

/** Lines that belong together. */
export interface DelimitedRow {
  /** The number of its first line. */
  line: number
  text: string
  /** Null if it is not a row. */
  cells: Cell[] | null
}

/** A row may have so many lines, of so many characters: a quote that is not closed must not cost the rest of a file. */
const maxLines = 10_000
const maxCharacters = 16 * 1024 ** 2

interface Line {
  text: string
  number: number
}

/** Makes rows of lines: a row with an open quote goes on in the next line. */
export class CsvLines {
  readonly #delimiter: string
  #pending: Line[] = []
  #characters = 0
  #isOpen = false

  constructor(delimiter: string) {
    this.#delimiter = delimiter
  }

  /** The number of the first line that belongs to no row yet; null if all do. */
  get open(): number | null {
    return this.#pending[0]?.number ?? null
  }

  /** @returns the rows that end with this line */
  add(text: string, number: number): DelimitedRow[] {
    return this.#take([{ text, number }])
  }

  /** The rest at the end: the line with the open quote is no row, and the lines after it are rows by themselves. */
  end(): DelimitedRow[] {
    const rows: DelimitedRow[] = []
    while (this.#pending.length > 0) rows.push(...this.#giveUp())
    return rows
  }

  #take(lines: readonly Line[]): DelimitedRow[] {
    const rows: DelimitedRow[] = []
    for (const line of lines) {
      this.#pending.push(line)
      this.#characters += line.text.length
      if (quotesIn(line.text) % 2 === 1) this.#isOpen = !this.#isOpen
      if (!this.#isOpen) rows.push(...this.#close())
      else if (this.#pending.length >= maxLines || this.#characters > maxCharacters) rows.push(...this.#giveUp())
    }
    return rows
  }

  #close(): DelimitedRow[] {
    const [first] = this.#pending
    if (!first) return []
    const text = this.#pending.map((line) => line.text).join('\n')
    const whole = text.replace(/\r$/, '')
    const cells = csvCells(whole, this.#delimiter)
    // Quotes of several rows: one of them has too few.
    if (cells === null && this.#pending.length > 1) return this.#giveUp()
    this.#clear()
    return whole === '' ? [] : [{ line: first.number, text, cells }]
  }

  /** The first line is no row. The others are looked at again. */
  #giveUp(): DelimitedRow[] {
    const [first, ...others] = this.#pending
    this.#clear()
    if (!first) return []
    return [{ line: first.number, text: first.text, cells: null }, ...this.#take(others)]
  }

  #clear(): void {
    this.#pending = []
    this.#characters = 0
    this.#isOpen = false
  }
}

function quotesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count++
  return count
}
