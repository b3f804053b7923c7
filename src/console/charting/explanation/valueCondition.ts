/** Conditions on the values of an explanation: to keep the rows with one, or to leave them out. */
import type { AttributeValue } from '#domain/explanation/attributeCounts.ts'
import { negated, term, withRequirement } from '#domain/query/conditions.ts'
import { fieldOf } from '#domain/query/fieldNames.ts'
import { printFilter } from '#domain/query/printFilter.ts'
import { withSqlPart } from '#domain/query/sqlParts.ts'
import type { Language } from '../conditions/conditions.ts'
import { readCondition } from '../conditions/readCondition.ts'
import { addFilter, type ValueFilter } from '../search/filters.ts'

export interface Condition {
  text: string
  language: Language
}

/** A value of an attribute; null for rows without the attribute. */
export interface AttributeFilter {
  attribute: string
  value: AttributeValue | null
  mode: ValueFilter['mode']
}

/**
 * The condition with a filter added; null where its language cannot express the filter. An empty condition may be in either
 * language.
 */
export function withAttribute({ text, language }: Condition, filter: AttributeFilter): Condition | null {
  const languages: Language[] = text.trim() === '' ? [language, language === 'sql' ? 'lucene' : 'sql'] : [language]
  for (const candidate of languages) {
    const added = addedTo(text, candidate, filter)
    if (added !== null) return { text: added, language: candidate }
  }
  return null
}

function addedTo(where: string, language: Language, { attribute, value, mode }: AttributeFilter): string | null {
  if (value?.kind !== 'range')
    return addFilter(where, { expression: attribute, value: value?.text ?? '', mode }, language)
  const { from, to } = value
  if (language === 'sql') {
    const number = isColumn(attribute) ? attribute : `toFloat64OrNull(${attribute})`
    const bounds = [...(from === null ? [] : [`${number} >= ${from}`]), ...(to === null ? [] : [`${number} < ${to}`])]
    const within = `(${bounds.join(' AND ')})`
    return withSqlPart(where, mode === 'in' ? within : `(NOT ifNull(${within}, 0))`)
  }
  // Deployments compare the numbers of attributes as text.
  const field = isColumn(attribute) ? fieldOf(attribute) : null
  const root = readCondition(where)
  if (field === null || root === undefined) return null
  const bounds = { from: numberText(from), to: numberText(to), includeFrom: true, includeTo: false }
  const node = term(field, { kind: 'range', ...bounds })
  return printFilter(withRequirement(root, mode === 'in' ? node : negated(node)))
}

const isColumn = (attribute: string): boolean => /^\w+$/.test(attribute)
const numberText = (number: number | null): string | null => (number === null ? null : String(number))
