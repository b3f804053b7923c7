/** Imports nothing: forms load this, and would load the parser of `json.ts` with it. */

/** Whether a value is an object of JSON: not a list, and not an instance of a class, as numbers that are kept as text are. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
