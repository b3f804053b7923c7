/** Finds the fields of a sent document that the stored one does not have. */
import { isPlainObject } from './plainObject.ts'

/**
 * The paths of the values that were sent and are absent from what is stored, such as `channels.0.severity`: an object or list that
 * is absent as a whole is one. Empty values, null and false mean the same as absent ones. A list may come back in another order.
 */
export function missingPaths(sent: unknown, stored: unknown, path: readonly string[] = []): string[] {
  if (isNothing(sent)) return []
  if (isNothing(stored)) return [path.join('.')]
  if (Array.isArray(sent)) {
    if (!Array.isArray(stored)) return []
    const found = storedItems(sent, stored)
    return sent.flatMap((item, at) => missingPaths(item, found[at], [...path, String(at)]))
  }
  if (!isPlainObject(sent) || !isPlainObject(stored)) return []
  return Object.entries(sent).flatMap(([key, value]) => missingPaths(value, stored[key], [...path, key]))
}

/** Longer lists are compared place by place. */
const searchedItems = 100

/**
 * The stored item of each sent item, in the order of the sent ones. Objects are paired by how many values they share, and then by
 * their place; each stored item is used once.
 */
function storedItems(sent: readonly unknown[], stored: readonly unknown[]): unknown[] {
  if (sent.length > searchedItems || stored.length > searchedItems || !sent.every(isPlainObject)) return [...stored]
  const pairs = sent.flatMap((item, from) =>
    stored.map((other, to) => ({ from, to, shared: sharedValues(item, other), isMoved: from === to ? 0 : 1 })),
  )
  const found: unknown[] = []
  const taken = new Set<number>()
  for (const { from, to } of pairs.toSorted((a, b) => b.shared - a.shared || a.isMoved - b.isMoved)) {
    if (from in found || taken.has(to)) continue
    found[from] = stored[to]
    taken.add(to)
  }
  return found
}

/** How many plain values of an object another one has, too. */
function sharedValues(a: Record<string, unknown>, b: unknown): number {
  if (!isPlainObject(b)) return 0
  return Object.entries(a).filter(([key, value]) => typeof value !== 'object' && !isNothing(value) && b[key] === value)
    .length
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isPlainObject(value) && Object.keys(value).length === 0
}
