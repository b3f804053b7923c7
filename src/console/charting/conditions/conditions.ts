/** The two languages of conditions, and conversion between conditions and lists of values. */
import { isOneOf } from '#domain/query/conditions.ts'
import { fieldOf } from '#domain/query/fieldNames.ts'
import { printFilter } from '#domain/query/printFilter.ts'

export type Language = 'lucene' | 'sql'

/** The languages of conditions, as options of forms. */
export const languages = [
  { value: 'lucene', label: 'field:value' },
  { value: 'sql', label: 'SQL' },
] as const satisfies { value: Language; label: string }[]

/** The condition in the field:value language; null if the expression is more than a field. */
export function luceneIn(expression: string, values: readonly string[]): string | null {
  const field = fieldOf(expression)
  if (field === null) return null
  const text = printFilter(isOneOf(field, values))
  return values.length === 1 ? text : `(${text})`
}

/**
 * Reads what `sqlIn` writes, and how deployments write it: quotes doubled, the expression inside `toString(…)`.
 * null for any other condition.
 */
export function readSqlIn(condition: string): { expression: string; values: string[] } | null {
  const operator = /\sIN\s*\(/i.exec(condition)
  if (!operator) return null
  const expression = condition.slice(0, operator.index).trim()
  const list = condition.slice(operator.index + operator[0].length).trim()
  const isList = /^'(?:[^'\\]|\\.|'')*'(?:\s*,\s*'(?:[^'\\]|\\.|'')*')*\s*\)$/s.test(list)
  if (expression === '' || !isList || /\b(?:NOT|AND|OR|IN)\b/i.test(expression)) return null
  const values = [...list.matchAll(/'((?:[^'\\]|\\.|'')*)'/gs)].map(([, text = '']) =>
    text.replace(/\\(.)|''/gs, (_, escaped: string | undefined) => escaped ?? "'"),
  )
  return { expression: /^toString\((.+)\)$/s.exec(expression)?.[1] ?? expression, values }
}
