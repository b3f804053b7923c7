/** CSV, which this file alone writes. */
import { columnHeader } from '#domain/charts/unitNames.ts'
import { download } from '../download.ts'
import type { Frame } from './series.ts'

/** The cells of each line. */
export type CsvLines = readonly (readonly string[])[]

/** Hands the person a file with these lines. */
export function downloadCsv(name: string, lines: CsvLines): void {
  download(name, 'text/csv', csvText(lines))
}

/**
 * The drawn series: one row a bucket, times in ISO 8601 UTC, a missing value empty. Values are as they are stored, with all
 * their digits, and the header names their unit.
 */
export function frameLines(frame: Frame): CsvLines {
  const header = ['time', ...frame.rows.map(({ series: { label, unit } }) => columnHeader(label, unit))]
  const lines = frame.times.map((time, index) => [
    new Date(time).toISOString(),
    ...frame.rows.map(({ values }) => (values[index] == null ? '' : String(values[index]))),
  ])
  return [header, ...lines]
}

/** Lines as RFC 4180 has them. Formulas become text. */
export function csvText(lines: CsvLines): string {
  return lines.map((line) => line.map(quoteCell).join(',')).join('\r\n') + '\r\n'
}

/**
 * A text that a spreadsheet would run as a formula gets a quote mark as prefix. Spreadsheets skip white space and invisible
 * characters before the sign, and some take its full-width form for it.
 */
const formula = /^(?:[\t\n\r]|[\s\p{Cc}\p{Cf}]*[=+@\uff1d\uff0b\uff0d\uff20-])/u
const plainNumber = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** A cell whose formula is text, for files and for what is copied into a spreadsheet. */
export function withoutFormula(text: string): string {
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
}

function quoteCell(text: string): string {
  const safe = withoutFormula(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
