/** Suggestions for the value after `Field:` or `Field = '` in a condition. */
import type { Language } from '#console/charting/conditions/conditions.ts'
import { openTerm } from '#domain/query/openTerm.ts'
import { attributeOf } from '#domain/query/sqlValues.ts'
import type { Field } from '#console/charting/fields.ts'
import { isPlainLabel } from '#console/charting/series/groupValues.ts'
import type { ValueCount } from './query/useCounts.ts'

/** After an operator that compares texts, or in a list of values. */
const lastSqlTerm =
  /(?:^|[\s(])([A-Za-z_]\w*(?:\['(?:[^'\\]|\\.)+'\])?)\s*(?:=|!=|<>|\s(?:not\s+)?i?like\s|\s(?:not\s+)?in\s*\((?:\s*'(?:[^'\\]|\\.)*'\s*,)*)\s*'((?:[^'\\]|\\.)*)$/i

const most = 8

/** The column or attribute whose value is being typed at the end of the condition, as SQL; null if none is. */
export function fieldBefore(condition: string, fields: readonly Field[], language: Language): string | null {
  const term = (language === 'sql' ? lastSqlTerm.exec(condition)?.[1] : openTerm(condition)?.field) ?? ''
  const [column = '', attribute] = splitAt(term, language === 'sql' ? '[' : '.')
  const kind = fields.find(({ name }) => name === column)?.kind
  if (attribute === undefined) return kind === 'text' ? column : null
  if (kind !== 'map' || attribute === '') return null
  return language === 'sql' ? term : attributeOf(column, attribute)
}

/** The texts before and behind the first separator. */
function splitAt(term: string, separator: string): [string, string?] {
  const at = term.indexOf(separator)
  return at === -1 ? [term] : [term.slice(0, at), term.slice(at + 1)]
}

/** The commonest values that begin with what is typed, as the language spells them. */
export function valueCompletions(
  condition: string,
  values: readonly ValueCount[],
  language: Language,
): { start: number; names: string[] } {
  const quote = language === 'sql' ? "'" : '"'
  const { value: typed, start } = (language === 'sql' ? openSqlText(condition) : openTerm(condition)) ?? {
    value: '',
    start: condition.length,
  }
  const names = values
    .filter(({ value }) => isPlainLabel(value) && value.toLowerCase().startsWith(typed.toLowerCase()))
    .slice(0, most)
    .map(({ value }) => quote + value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote)
  return { start, names }
}

/** The text in quotes that is being typed at the end of a condition in SQL. */
function openSqlText(condition: string): { value: string; start: number } | null {
  const value = lastSqlTerm.exec(condition)?.[2]
  return value === undefined ? null : { value, start: condition.length - value.length - 1 }
}
