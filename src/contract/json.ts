/**
 * Lossless JSON: a number that JavaScript would change (beyond 2^53, `1.0`, `1e400`) is kept as text,
 * so that an unchanged field is written back exactly as it was read.
 * Without such numbers, the native parser is used, which is ten times faster.
 */
import { LosslessNumber, parse, stringify } from 'lossless-json'

export { LosslessNumber }

/** @throws SyntaxError with the position if the text is not JSON */
export function parseJson(text: string): unknown {
  if (!hasOddNumber(text)) return JSON.parse(text)
  return parse(text, null, (number) => (isOdd(number) ? new LosslessNumber(number) : Number(number)))
}

export function stringifyJson(value: unknown, indent?: number): string {
  const printed = needsCare(value) ? stringify(value, null, indent) : JSON.stringify(value, null, indent)
  return printed ?? 'null'
}

/** Whether JavaScript would change a number. */
const isOdd = (number: string) => String(Number(number)) !== number

/**
 * A place where a number may start that may need to be kept: 16 digits or more, an exponent, zeros at the end of a
 * fraction or many at its start, `-0`. A match within text only costs time.
 */
const suspects = /(?:^|[:,[])\s*(-?(?:[\d.]{16,}|[\d.]+[eE][+-]?\d+|\d+\.\d*0|0\.0{6}\d*)|-0)(?=[\s,\]}]|$)/g

function hasOddNumber(text: string): boolean {
  for (const [, number = ''] of text.matchAll(suspects)) if (isOdd(number)) return true
  return false
}

/** Whether a value contains a number that only the lossless printer writes correctly. */
function needsCare(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (value === null || typeof value !== 'object') return false
  if (value instanceof LosslessNumber) return true
  return Array.isArray(value) ? value.some(needsCare) : Object.values(value).some(needsCare)
}
