/** The two languages of conditions, and conversion between conditions and lists of values. */

export type Language = 'lucene' | 'sql'

/** The languages of conditions, as options of forms. */
export const languages = [
  { value: 'lucene', label: 'field:value' },
  { value: 'sql', label: 'SQL' },
] as const satisfies { value: Language; label: string }[]

/** `'a', 'b'`: quoted as ClickHouse reads them. */
export function sqlValues(values: readonly string[]): string {
  return values.map((value) => `'${value.replace(/[\\']/g, '\\$&')}'`).join(', ')
}

/** `expression IN ('a', 'b')`. */
export function sqlIn(expression: string, values: readonly string[]): string {
  return `${expression} IN (${sqlValues(values)})`
}

/** `"a" OR "b"`: exact terms of the field:value language. */
export function luceneValues(values: readonly string[]): string {
  return values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(' OR ')
}

/** The condition in the field:value language; null if the expression is more than a field. */
export function luceneIn(expression: string, values: readonly string[]): string | null {
  const field = luceneField(expression)
  if (field === null) return null
  const terms = values.map((value) => `${field}:${luceneValues([value])}`)
  return terms.length === 1 ? terms[0]! : `(${terms.join(' OR ')})`
}

/** A column, or a map's key: `Attributes['a.b']` is the field `Attributes.a.b`; null for any other expression. */
export function luceneField(expression: string): string | null {
  const text = expression.trim()
  if (/^[A-Za-z_][\w.]*$/.test(text)) return text
  const match = /^([A-Za-z_]\w*)\['([\w.-]+)'\]$/.exec(text)
  return match ? `${match[1]}.${match[2]}` : null
}

/**
 * Reads what `sqlIn` writes, and how deployments write it: quotes doubled, the expression inside `toString(…)`.
 * null for any other condition.
 */
export function readSqlIn(condition: string): { expression: string; values: string[] } | null {
  const match = /^\s*(.+?)\s+IN\s*\(\s*('(?:[^'\\]|\\.|'')*'(?:\s*,\s*'(?:[^'\\]|\\.|'')*')*)\s*\)\s*$/is.exec(
    condition,
  )
  const [, expression = '', list = ''] = match ?? []
  if (!match || /\b(?:NOT|AND|OR|IN)\b/i.test(expression)) return null
  const values = [...list.matchAll(/'((?:[^'\\]|\\.|'')*)'/gs)].map(([, text = '']) =>
    text.replace(/\\(.)|''/gs, (_, escaped: string | undefined) => escaped ?? "'"),
  )
  return { expression: /^toString\((.+)\)$/s.exec(expression)?.[1] ?? expression, values }
}
