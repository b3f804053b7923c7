/** What of a sent document is not part of the one that came back. */

/**
 * The paths of the values that were sent and are absent from what is stored, such as `channels.0.severity`: an object or list that
 * is absent as a whole is one. Empty values, null and false mean the same as absent ones. A list may come back in another order.
 */
export function droppedFields(sent: unknown, stored: unknown, path: readonly string[] = []): string[] {
  if (isNothing(sent)) return []
  if (isNothing(stored)) return [path.join('.')]
  if (Array.isArray(sent)) {
    if (!Array.isArray(stored)) return []
    return sent.flatMap((item, at) => droppedFields(item, storedItem(item, stored, at), [...path, String(at)]))
  }
  if (!isObject(sent) || !isObject(stored)) return []
  return Object.entries(sent).flatMap(([key, value]) => droppedFields(value, stored[key], [...path, key]))
}

/** Longer lists are compared place by place. */
const searchedItems = 100

/** What became of an item of a list: the one with most of its values, of several the one at its place. */
function storedItem(sent: unknown, stored: readonly unknown[], at: number): unknown {
  if (!isObject(sent) || stored.length > searchedItems) return stored[at]
  const values = Object.entries(sent).filter(([, value]) => typeof value !== 'object' && !isNothing(value))
  const shared = (item: unknown) => (isObject(item) ? values.filter(([key, value]) => item[key] === value).length : 0)
  return stored.reduce((best, item) => (shared(item) > shared(best) ? item : best), stored[at])
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

/** Not that of `json.ts`: forms load this, and would load its parser with it. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
