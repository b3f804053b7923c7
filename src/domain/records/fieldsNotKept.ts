import type { Endpoint } from '#contract/wire/kernel.ts'
import { missingPaths } from '../json/missingPaths.ts'
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
