/**
 * Lossless JSON: a number that JavaScript would change (beyond 2^53, `1.0`, `1e400`) is kept as text,
 * so that an unchanged field is written back exactly as it was read.
 * Without such numbers, the native parser is used, which is ten times faster.
 */
import { LosslessNumber, parse, stringify } from 'lossless-json'
import { hasLossyNumber, isLossy } from './lossyNumbers.ts'

export { LosslessNumber }

/** @throws SyntaxError with the position if the text is not JSON */
export function parseJson(text: string): unknown {
  if (!hasLossyNumber(text)) return JSON.parse(text)
  return parse(text, null, (number) => (isLossy(number) ? new LosslessNumber(number) : Number(number)))
}

/** The text of a value, with numbers as they were read. */
export function stringifyJson(value: unknown, indent?: number): string {
  // Most values have no number that the native printer would change. It is quicker to print and look than to look first.
  const printed = printNatively(value, indent)
  const isComplete = printed !== null && !printed.includes('"isLosslessNumber":')
  return isComplete ? printed : (stringify(value, null, indent) ?? 'null')
}

/** Null for a bigint, which it cannot print. A LosslessNumber is printed as an object. */
function printNatively(value: unknown, indent: number | undefined): string | null {
  try {
    return JSON.stringify(value, null, indent) ?? 'null'
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
