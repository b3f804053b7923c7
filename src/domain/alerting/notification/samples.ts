/** Sample rows of a window, as lines of CSV without a header. */
import { shortened } from './cutText.ts'

const maxSamples = 5
const maxLine = 500
const maxTotal = 2500

/** Rows as lines of limited length. */
export function sampleLines(rows: readonly (readonly unknown[])[]): string[] {
  return rows.slice(0, maxSamples).map((row) => shortened(row.map(cell).join(','), maxLine))
}

function cell(value: unknown): string {
  const text = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * The block of a message; empty without samples. Backticks would end it.
 *
 * @param isCode false for a receiver without code blocks
 */
export function sampleBlock(samples: readonly string[], isCode = true): string {
  if (samples.length === 0) return ''
  const text = samples.map((line) => shortened(line, maxLine)).join('\n')
  if (!isCode) return `\n${shortened(text, maxTotal)}`
  return `\n\`\`\`\n${shortened(text, maxTotal).replaceAll('```', "'''")}\n\`\`\``
}
