/** Form values: their equality, and their use in bodies. */

/** Key order and object identity do not make a difference. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  if (left.length !== right.size) return false
  return left.every(([key, value]) => right.has(key) && sameValue(value, right.get(key)))
}

/** Undefined means that the body does not have the field. */
export function setField(body: Record<string, unknown>, field: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(body, field)
  else body[field] = value
}
