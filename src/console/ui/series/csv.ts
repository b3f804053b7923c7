/** The drawn series as CSV. */
import type { Frame } from './series.ts'

/** One row a bucket, times in ISO 8601 UTC, a missing value empty. */
export function frameCsv(frame: Frame): string {
  const header = ['time', ...frame.rows.map(({ series }) => series.label)]
  const lines = frame.times.map((time, index) => [
    new Date(time).toISOString(),
    ...frame.rows.map(({ values }) => (values[index] == null ? '' : String(values[index]))),
  ])
  return csvText([header, ...lines])
}

/** Lines of values as RFC 4180. */
export function csvText(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => line.map(quoted).join(',')).join('\r\n') + '\r\n'
}

/** A text that looks like a formula gets a quote mark as prefix, because a spreadsheet would run it. */
function quoted(text: string): string {
  const safe = /^[=+@\t\r-]/.test(text) && !/^-?[\d.]+(e[+-]?\d+)?$/i.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
