/** Parses a number field: null for empty text, NaN for text that is not a decimal number. */
export function readNumber(text: string): number | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN
}
