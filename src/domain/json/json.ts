/** Comparing, copying and addressing JSON values, including numbers that are kept as text. */
import { isLosslessNumber, compareLosslessNumber, LosslessNumber } from 'lossless-json'
import { isPlainObject } from './plainObject.ts'

export type JsonObject = Record<string, unknown>

/** A step in a path: a key, an index, or the list item with this ID. */
type Step = string | number | { id: string }
export type Path = readonly Step[]

/** Whether two values are the same JSON. Key order and the spelling of a number (`1.0`, `1`) do not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (isNumber(a) && isNumber(b)) return compareLosslessNumber(lossless(a), lossless(b)) === 0
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  // A key whose value is undefined is not written, so it equals a missing key.
  return keysOf(a, b).every((key) => sameJson(a[key], b[key]))
}

/** A number, or one that is kept as text. */
export const isNumber = (value: unknown): value is number | LosslessNumber =>
  typeof value === 'number' || isLosslessNumber(value)

const lossless = (value: number | LosslessNumber): LosslessNumber =>
  typeof value === 'number' ? new LosslessNumber(String(value)) : value

/** The keys of all, each once, in the order of their first sight. */
export function keysOf(...objects: JsonObject[]): string[] {
  return [...new Set(objects.flatMap((object) => Object.keys(object)))]
}

export type Keyed = JsonObject & { id: string }

/** Whether every item has a unique id. */
export function isKeyed(value: unknown): value is Keyed[] {
  if (!Array.isArray(value)) return false
  const ids = value.map((item: unknown) => (isPlainObject(item) ? item.id : undefined))
  return ids.every((id) => typeof id === 'string' && id !== '') && new Set(ids).size === ids.length
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (typeof step === 'object') {
    const item = Array.isArray(value)
      ? value.find((candidate: unknown) => isPlainObject(candidate) && candidate.id === step.id)
      : undefined
    return valueAt(item, rest)
  }
  if (typeof step === 'number') return Array.isArray(value) ? valueAt(value[step], rest) : undefined
  return isPlainObject(value) ? valueAt(value[step], rest) : undefined
}

/** A path as one text, to be compared or used as a key. */
export function pathKey(path: Path): string {
  return JSON.stringify(path)
}
