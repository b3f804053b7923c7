/**
 * Lossless JSON: a number that JavaScript would change (beyond 2^53, `1.0`, `1e400`) is kept as text,
 * so that an unchanged field is written back exactly as it was read.
 * Without such numbers, the native parser is used, which is ten times faster.
 */
import { LosslessNumber, parse, stringify } from 'lossless-json'
import { hasLossyNumber, needsLosslessJson, isLossy } from './lossyNumbers.ts'

export { LosslessNumber }

/** @throws SyntaxError with the position if the text is not JSON */
export function parseJson(text: string): unknown {
  if (!hasLossyNumber(text)) return JSON.parse(text)
  return parse(text, null, (number) => (isLossy(number) ? new LosslessNumber(number) : Number(number)))
}

export function stringifyJson(value: unknown, indent?: number): string {
  const printed = needsLosslessJson(value) ? stringify(value, null, indent) : JSON.stringify(value, null, indent)
  return printed ?? 'null'
}
