/** Values as literals of SQL, and the keys of maps. */

/** `'a'`, quoted as ClickHouse reads it. */
export const quotedText = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`

/** `'a', 'b'` */
export const sqlValues = (values: readonly string[]): string => values.map(quotedText).join(', ')

/** `expression IN ('a', 'b')`. */
export function sqlIn(expression: string, values: readonly string[], operator: 'IN' | 'NOT IN' = 'IN'): string {
  return `${expression} ${operator} (${sqlValues(values)})`
}

/** A key of a map, as an expression: `LogAttributes['http.method']`. */
export const attributeOf = (column: string, key: string): string => `${column}[${quotedText(key)}]`
