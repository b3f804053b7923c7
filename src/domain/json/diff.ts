/** The differences between two JSON values, field by field; items with ids are matched by id. */
import { isKeyed, keysOf, sameJson, type Keyed, type Path } from './json.ts'
import { isPlainObject } from './plainObject.ts'

export interface FieldChange {
  path: Path
  /** undefined if it was not there. */
  before: unknown
  /** undefined if it was removed. */
  after: unknown
}

/** The smallest set of fields that differ. Empty exactly where both are the same. */
export function diff(before: unknown, after: unknown, path: Path = []): FieldChange[] {
  if (sameJson(before, after)) return []
  if (isPlainObject(before) && isPlainObject(after)) {
    return keysOf(before, after).flatMap((key) => diff(before[key], after[key], [...path, key]))
  }
  if (isKeyed(before) && isKeyed(after)) return diffKeyed(before, after, path)
  // A missing list counts as empty: its items were added.
  if (before === undefined && isKeyed(after) && after.length > 0) return diffKeyed([], after, path)
  if (Array.isArray(before) && Array.isArray(after)) {
    const longer = before.length > after.length ? before : after
    return longer.flatMap((_, index) => diff(before[index], after[index], [...path, index]))
  }
  return [{ path, before, after }]
}

/** The path step for the order of a list whose items have ids. */
export const orderStep = '(order)'

function diffKeyed(before: Keyed[], after: Keyed[], path: Path): FieldChange[] {
  const left = new Map(before.map((item) => [item.id, item]))
  const right = new Map(after.map((item) => [item.id, item]))
  const items = [...new Set([...left.keys(), ...right.keys()])].flatMap((id) =>
    diff(left.get(id), right.get(id), [...path, { id }]),
  )
  const orderBefore = before.map(({ id }) => id).filter((id) => right.has(id))
  const orderAfter = after.map(({ id }) => id).filter((id) => left.has(id))
  if (sameJson(orderBefore, orderAfter)) return items
  return [...items, { path: [...path, orderStep], before: orderBefore, after: orderAfter }]
}

/**
 * Whether a change takes something away: a field, the item with an ID, or an item of another list, whatever takes its place. In a
 * list without IDs, an item with other values is another item. Other values in the same fields do not take anything away.
 */
export function takesAway(before: unknown, after: unknown): boolean {
  if (before === null || before === undefined) return false
  if (after === null || after === undefined) return true
  if (Array.isArray(before)) {
    if (!Array.isArray(after)) return true
    if (!isKeyed(before)) return !hasAll(before, after)
    return before.some((item) => {
      const kept = after.filter((candidate) => isPlainObject(candidate) && candidate['id'] === item.id)
      // A second item with the same ID would take the place of another one.
      return kept.length !== 1 || takesAway(item, kept[0])
    })
  }
  if (!isPlainObject(before)) return false
  return isPlainObject(after) ? Object.keys(before).some((key) => takesAway(before[key], after[key])) : true
}

/** Whether a list has all items of another one, each as often, in any order. */
function hasAll(items: readonly unknown[], list: readonly unknown[]): boolean {
  const left = [...list]
  return items.every((item) => {
    const at = left.findIndex((candidate) => sameJson(candidate, item))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}
