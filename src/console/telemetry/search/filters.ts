/** Adds conditions on single values to a condition that a person wrote, in either language. */
import { luceneField, luceneIn, readSqlIn, sqlIn, type Language } from '../conditions.ts'

export interface ValueFilter {
  /** A column, or a key of a map: `LogAttributes['http.method']`. */
  expression: string
  /** Empty for rows without a value. */
  value: string
  /** `in` keeps the rows with the value, `out` those without. */
  mode: 'in' | 'out'
}

/** The condition of one filter; null where the language cannot express it. */
export function filterText({ expression, value, mode }: ValueFilter, language: Language): string | null {
  if (language === 'lucene' && value === '') {
    const field = luceneField(expression)
    return field && (mode === 'in' ? `NOT ${field}:*` : `${field}:*`)
  }
  const condition = language === 'sql' ? sqlIn(expression, [value]) : luceneIn(expression, [value])
  if (condition === null) return null
  if (mode === 'in') return condition
  return language === 'sql' ? condition.replace(' IN (', ' NOT IN (') : `NOT ${condition}`
}

/** The condition with a filter added. The opposite filter on the same value is replaced. */
export function addFilter(where: string, filter: ValueFilter, language: Language): string | null {
  const added = filterText(filter, language)
  const opposite = filterText({ ...filter, mode: filter.mode === 'in' ? 'out' : 'in' }, language)
  if (added === null || opposite === null) return null
  const parts = topLevelParts(where)
  if (parts.includes(added)) return where
  const kept = parts.filter((part) => part !== opposite).join(' AND ')
  if (kept === '') return added
  // Of a condition without AND on top, an OR inside would bind less tightly.
  return `${/\bor\b/i.test(kept) && !isEnclosed(kept) && parts.length < 2 ? `(${kept})` : kept} AND ${added}`
}

/** The condition without a filter. */
export function removeFilter(where: string, filter: ValueFilter, language: Language): string {
  const removed = filterText(filter, language)
  const parts = topLevelParts(where)
  return removed !== null && parts.includes(removed) ? parts.filter((part) => part !== removed).join(' AND ') : where
}

/** Whether a condition keeps the rows with a value, or those without; null for neither. */
export function filterMode(
  where: string,
  { expression, value }: Omit<ValueFilter, 'mode'>,
  language: Language,
): ValueFilter['mode'] | null {
  const parts = topLevelParts(where)
  const has = (mode: ValueFilter['mode']) => parts.includes(filterText({ expression, value, mode }, language) ?? '\0')
  return has('in') ? 'in' : has('out') ? 'out' : null
}

/** The values of a field that filters of a condition exclude. */
export function excludedValues(where: string, expression: string, language: Language): string[] {
  return topLevelParts(where).flatMap((part) => {
    const value = language === 'sql' ? readSqlIn(part.replace(' NOT IN (', ' IN ('))?.values[0] : quotedValue(part)
    if (value === undefined) return []
    return part === filterText({ expression, value, mode: 'out' }, language) ? [value] : []
  })
}

function quotedValue(part: string): string | undefined {
  return /^NOT [^:"]+:"((?:[^"\\]|\\.)*)"$/s.exec(part)?.[1]?.replace(/\\(.)/gs, '$1')
}

/** Parts that AND joins, outside of quotes and brackets. A condition with OR on top is one part. */
function topLevelParts(where: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  let quote = ''
  for (let at = 0; at < where.length; at++) {
    const character = where[at] ?? ''
    if (quote !== '') {
      if (character === '\\') at++
      else if (character === quote) quote = ''
      continue
    }
    if (character === '"' || character === "'" || character === '`') quote = character
    else if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if (depth === 0 && /^\s+or\s/i.test(where.slice(at, at + 8))) return [where.trim()]
    else if (depth === 0 && /^\s+and\s/i.test(where.slice(at, at + 8))) {
      parts.push(where.slice(start, at))
      at += /^\s+and/i.exec(where.slice(at))![0].length - 1
      start = at + 1
    }
  }
  return [...parts, where.slice(start)].map((part) => part.trim()).filter((part) => part !== '')
}

/** Whether one pair of parentheses is around all of it. */
function isEnclosed(text: string): boolean {
  if (!text.startsWith('(') || !text.endsWith(')')) return false
  let depth = 0
  for (let at = 0; at < text.length - 1; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return false
  }
  return true
}
