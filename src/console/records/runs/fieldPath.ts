/** Where a field is, as people read it: `tiles › Errors › config › where`. */
import type { Path } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { formatSizeValue, isSizeField, sizeTitles } from '../scaling/sizeFields.ts'

/** Steps of a comparison that stand for more than a field. */
const words = new Map([
  ['(order)', 'order'],
  ['(place)', 'position and size'],
])

/** @param documents in which items with ids have their names */
export function formatPath(path: readonly unknown[], documents: readonly unknown[] = []): string {
  return path
    .map((step, index) => {
      if (isSizeField(step)) return sizeTitles[step]
      if (typeof step === 'string') return words.get(step) ?? step
      if (typeof step === 'number') return String(step + 1)
      if (!isPlainObject(step)) return ''
      return nameOf(documents, path.slice(0, index), String(step['id'])) ?? String(step['id'])
    })
    .filter((text) => text !== '')
    .join(' › ')
}

/** The name of an item in a list of one of the documents. */
function nameOf(documents: readonly unknown[], list: readonly unknown[], id: string): string | undefined {
  for (const document of documents) {
    const items = valueAt(document, list)
    const item: unknown = Array.isArray(items)
      ? items.find((candidate) => isPlainObject(candidate) && candidate['id'] === id)
      : undefined
    if (isPlainObject(item) && typeof item['name'] === 'string' && item['name'] !== '') return item['name']
  }
  return undefined
}

function valueAt(document: unknown, path: readonly unknown[]): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof step === 'string') return isPlainObject(value) ? value[step] : undefined
    if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined
    return Array.isArray(value) && isPlainObject(step)
      ? value.find((candidate) => isPlainObject(candidate) && candidate['id'] === step['id'])
      : undefined
  }, document)
}

const longest = 400

/** A value as one short text: that of a size with its unit. @param path where it is */
export function formatFieldValue(value: unknown, path: readonly unknown[] = []): string {
  if (value === undefined || value === null) return ''
  const field = path.at(-1)
  if (isSizeField(field)) return formatSizeValue(field, value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

/** A path as a key of React. */
export const pathText = (path: Path | readonly unknown[]) => JSON.stringify(path)
