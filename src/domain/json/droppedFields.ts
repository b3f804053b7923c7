/** What of a sent document is not part of the one that came back. */

/**
 * The paths of the values that were sent and are absent from what is stored, such as `channels.0.severity`: an object or list that
 * is absent as a whole is one. Empty values, null and false mean the same as absent ones.
 */
export function droppedFields(sent: unknown, stored: unknown, path: readonly string[] = []): string[] {
  if (isNothing(sent)) return []
  if (isNothing(stored)) return [path.join('.')]
  if (Array.isArray(sent)) {
    if (!Array.isArray(stored)) return []
    return sent.flatMap((item, at) => droppedFields(item, stored[at], [...path, String(at)]))
  }
  if (!isObject(sent) || !isObject(stored)) return []
  return Object.entries(sent).flatMap(([key, value]) => droppedFields(value, stored[key], [...path, key]))
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
