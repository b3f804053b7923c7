import type { Endpoint } from '#contract/wire/kernel.ts'
import { isPlainObject } from '../json/plainObject.ts'

type Rule = NonNullable<Endpoint['stored']>

/**
 * The paths of the fields that were sent and are not stored, such as `channels.0.severity`. Deployments respond as if they had kept
 * them.
 * @param result of the write; where it has no record, nothing is known
 */
export function fieldsNotKept({ stored: rule }: Pick<Endpoint, 'stored'>, sent: unknown, result: unknown): string[] {
  if (!rule) return []
  const record = storedRecord(rule, result)
  if (!isPlainObject(record)) return []
  const returned = returnedPart(fieldOf(sent, rule.at) ?? sent, rule)
  return missingPaths(returned, record).filter(
    (path) => path !== '' && !isReturnedAs(path, rule, record) && !(rule.settling && record[path] === null),
  )
}

/** The record in the result of a write. */
export function storedRecord({ at }: Pick<Rule, 'at'>, result: unknown): unknown {
  return at === undefined ? result : fieldOf(result, at)
}

/** The sent record, without what no response has. */
function returnedPart(value: unknown, rule: Rule): unknown {
  if (Array.isArray(value)) return value.map((item) => returnedPart(item, rule))
  if (!isPlainObject(value)) return value
  const { unreturned, withoutEffect = {} } = rule
  const kept = Object.entries(value).filter(
    ([key, item]) => !unreturned.includes(key) && !(key in withoutEffect && withoutEffect[key] === item),
  )
  return Object.fromEntries(kept.map(([key, item]) => [key, returnedPart(item, rule)]))
}

/** Whether a deployment returns a field under another name. */
function isReturnedAs(path: string, { either = [] }: Rule, record: Record<string, unknown>): boolean {
  return either.includes(path) && either.some((name) => name !== path && record[name] != null)
}

function fieldOf(value: unknown, name: string | undefined): unknown {
  return name !== undefined && isPlainObject(value) ? value[name] : undefined
}

/**
 * Finds the fields of a sent document that the stored one does not have. The paths of the values that were sent and
 * are absent from what is stored, such as `channels.0.severity`: an object or list that is absent as a whole is one.
 * Empty values, null and false mean the same as absent ones. A list may come back in another order.
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
