/** Adds conditions on single values to a condition that a person wrote, in either language. */
import {
  isOneOf,
  negated,
  requirements,
  requires,
  withoutRequirement,
  withRequirement,
} from '#domain/query/conditions.ts'
import { fieldOf } from '#domain/query/fieldNames.ts'
import type { FilterNode } from '#domain/query/filterSyntax.ts'
import { printFilter } from '#domain/query/printFilter.ts'
import { readSqlIn, type Language } from '../conditions/conditions.ts'
import { sqlIn } from '#domain/query/sqlValues.ts'
import { readCondition } from '../conditions/readCondition.ts'
import { sqlParts, withSqlPart } from '#domain/query/sqlParts.ts'

export interface ValueFilter {
  /** A column, or a key of a map: `LogAttributes['http.method']`. */
  expression: string
  /** Empty for rows without a value. */
  value: string
  /** `in` keeps the rows with the value, `out` those without. */
  mode: 'in' | 'out'
}

/** The condition of one filter; null where the language cannot express it. */
export function filterText(filter: ValueFilter, language: Language): string | null {
  if (language === 'sql') return sqlText(filter)
  const node = filterNode(filter)
  return node && printFilter(node)
}

function filterNode({ expression, value, mode }: ValueFilter): FilterNode | null {
  const field = fieldOf(expression)
  if (field === null) return null
  const node = isOneOf(field, [value])
  return mode === 'in' ? node : negated(node)
}

/** The filter in SQL. Excluding a value keeps the rows whose field is NULL: they do not have that value either. */
function sqlText(filter: ValueFilter): string {
  const { expression, value, mode } = filter
  return mode === 'out' && value !== '' ? `(${listText(filter)} OR ${expression} IS NULL)` : listText(filter)
}

/** How earlier versions and people write it. */
function listText({ expression, value, mode }: ValueFilter): string {
  return sqlIn(expression, [value], mode === 'in' ? 'IN' : 'NOT IN')
}

const isFilter = (part: string, filter: ValueFilter): boolean => part === sqlText(filter) || part === listText(filter)

const opposite = (filter: ValueFilter): ValueFilter => ({ ...filter, mode: filter.mode === 'in' ? 'out' : 'in' })

/**
 * The condition with a filter added. The opposite filter on the same value is replaced. Null where the language cannot
 * express the filter, and for a condition that is invalid.
 */
export function addFilter(where: string, filter: ValueFilter, language: Language): string | null {
  if (language === 'sql') {
    const left = removeFilter(where, opposite(filter), 'sql')
    return hasFilter(left, filter, 'sql') ? left : withSqlPart(left, sqlText(filter))
  }
  const node = filterNode(filter)
  return node && withCondition(where, node)
}

/** The condition with a further one, which replaces its opposite. Null for a condition that is invalid. */
export function withCondition(where: string, added: FilterNode): string | null {
  const root = readCondition(where)
  return root === undefined ? null : printFilter(withRequirement(withoutRequirement(root, negated(added)), added))
}

/** The condition for the rows with a value; null is NULL, which field:value does not part from no text. */
export function withValue(
  where: string,
  { expression, value }: { expression: string; value: string | null },
  language: Language,
): string | null {
  if (value !== null || language === 'lucene')
    return addFilter(where, { expression, value: value ?? '', mode: 'in' }, language)
  return withSqlPart(where, `${expression} IS NULL`)
}

/** The condition without a filter. */
export function removeFilter(where: string, filter: ValueFilter, language: Language): string {
  if (language === 'sql') {
    const parts = sqlParts(where)
    const left = parts.filter((part) => !isFilter(part, filter))
    return left.length < parts.length ? left.join(' AND ') : where
  }
  const [root, removed] = [readCondition(where), filterNode(filter)]
  if (!root || !removed || !requires(root, removed)) return where
  const left = withoutRequirement(root, removed)
  return left ? printFilter(left) : ''
}

/** Whether a condition keeps the rows with a value, or those without; null for neither. */
export function filterMode(
  where: string,
  { expression, value }: Omit<ValueFilter, 'mode'>,
  language: Language,
): ValueFilter['mode'] | null {
  const has = (mode: ValueFilter['mode']) => hasFilter(where, { expression, value, mode }, language)
  return has('in') ? 'in' : has('out') ? 'out' : null
}

function hasFilter(where: string, filter: ValueFilter, language: Language): boolean {
  if (language === 'sql') return sqlParts(where).some((part) => isFilter(part, filter))
  const node = filterNode(filter)
  return node !== null && requires(readCondition(where) ?? null, node)
}

/** The values of a field that filters of a condition exclude. */
export function excludedValues(where: string, expression: string, language: Language): string[] {
  if (language === 'lucene') {
    const field = fieldOf(expression)
    return requirements(readCondition(where) ?? null).flatMap((requirement) =>
      requirement.kind === 'not' && field !== null ? (exactValue(requirement.node, field) ?? []) : [],
    )
  }
  return sqlParts(where).flatMap((part) => {
    const [list = ''] = part.replace(/^\(/, '').split(` OR ${expression} IS NULL)`)
    const value = readSqlIn(list.replace(' NOT IN (', ' IN ('))?.values[0]
    return value !== undefined && isFilter(part, { expression, value, mode: 'out' }) ? [value] : []
  })
}

function exactValue(node: FilterNode, field: string): string | null {
  if (node.kind !== 'term' || node.field !== field || node.grouped) return null
  return node.matcher.kind === 'phrase' ? node.matcher.text : null
}
