/** Values as literals of SQL. */

/** `'a', 'b'`: quoted as ClickHouse reads them. */
export function sqlValues(values: readonly string[]): string {
  return values.map((value) => `'${value.replace(/[\\']/g, '\\$&')}'`).join(', ')
}

/** `expression IN ('a', 'b')`. */
export function sqlIn(expression: string, values: readonly string[], operator: 'IN' | 'NOT IN' = 'IN'): string {
  return `${expression} ${operator} (${sqlValues(values)})`
}
