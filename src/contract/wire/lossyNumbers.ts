/**
 * Finds numbers that JavaScript would change (beyond 2^53, `1.0`, `1e400`). Without the parser that keeps them, which few
 * responses need (`json.ts`).
 */
import type { LosslessNumber } from 'lossless-json'

/** Whether JavaScript would change a number. */
export const isLossy = (number: string) => String(Number(number)) !== number

/**
 * A place where a number may start that may need to be kept: 16 digits or more, an exponent, zeros at the end of a
 * fraction or many at its start, `-0`. A match within text only costs time.
 */
const suspects = /(?:^|[:,[])\s*(-?(?:[\d.]{16,}|[\d.]+[eE][+-]?\d+|\d+\.\d*0|0\.0{6}\d*)|-0)(?=[\s,\]}]|$)/g

export function hasLossyNumber(text: string): boolean {
  for (const [, number = ''] of text.matchAll(suspects)) if (isLossy(number)) return true
  return false
}

/** A number that is kept as text. Objects of JSON are plain, whatever fields they have. */
export function isLossless(value: unknown): value is LosslessNumber {
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) === Object.prototype) return false
  return 'isLosslessNumber' in value
}

/** Whether a value contains a number that only the lossless printer writes correctly. */
export function needsLosslessJson(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (value === null || typeof value !== 'object') return false
  if (isLossless(value)) return true
  return Array.isArray(value) ? value.some(needsLosslessJson) : Object.values(value).some(needsLosslessJson)
}
