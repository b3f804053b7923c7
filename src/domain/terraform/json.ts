/** JSON values as values of Terraform's language. */
import { isNumber, pathKey, type Path } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import type { HclValue } from './hcl.ts'

/** @param replace what takes the place of a text at this path; undefined leaves it */
export function hclOf(
  value: unknown,
  replace: (path: Path, text: string) => HclValue | undefined = () => undefined,
  path: Path = [],
): HclValue {
  if (typeof value === 'string') return replace(path, value) ?? value
  if (typeof value === 'boolean' || isNumber(value)) return value
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => {
      const step = isPlainObject(item) && typeof item['id'] === 'string' ? { id: item['id'] } : index
      return hclOf(item, replace, [...path, step])
    })
  }
  if (!isPlainObject(value)) return null
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return Object.fromEntries(entries.map(([key, item]) => [key, hclOf(item, replace, [...path, key])]))
}

/** Identifies a text at a path: lists may have two items with the same id. */
export function textKey(path: Path, text: string): string {
  return `${pathKey(path)} ${text}`
}
