/** The values of the windows of a query, from the series that were read. */
import { evaluateFormula, type Formula } from '#contract/stack/dashboards/formulas.ts'
import { isCountFunction } from '../charts/units.ts'
import type { AlertSeriesQuery } from './alertQuery.ts'
import type { GroupValue, WindowValues } from './evaluateWindow.ts'
import { invalidAlert } from './executionError.ts'
import type { AlertWindow } from './schedule.ts'

/** The result of a query. */
export interface Reading {
  windows: WindowValues[]
  /** Whether the values are those of groups. */
  grouped: boolean
}

type NamedGroup = Omit<GroupValue, 'value'>

/** Collects the values of one query, window by window. */
export class Tally {
  readonly #alertQuery: AlertSeriesQuery
  /** The series that the value is computed from. */
  readonly #used: readonly number[]
  readonly #windows: Map<number, WindowValues & { values: GroupValue[] }>
  /** The names of groups by the array that was passed: a group that is always passed as the same array is named once. */
  readonly #groups = new Map<readonly unknown[], NamedGroup>()

  constructor(alertQuery: AlertSeriesQuery, windows: readonly AlertWindow[]) {
    this.#alertQuery = alertQuery
    this.#used = [...operandsOf(alertQuery.value)]
    this.#windows = new Map(windows.map((window) => [window.start, { ...window, values: [] }]))
  }

  /**
   * Adds the series of one group in the window that starts at `start`. Undefined is a series without rows: a count is 0 then, if another series has
   * rows, and any other value is missing.
   *
   * @throws ExecutionError for a value that is not a number
   */
  add(start: number, group: readonly unknown[], raw: readonly unknown[]): void {
    const window = this.#windows.get(start)
    if (!window) return
    if (this.#used.every((index) => raw[index] === undefined)) return
    const result = evaluateFormula(this.#alertQuery.value, (index) => this.#number(index, raw[index]))
    if (result === null) return
    window.values.push({ ...this.#named(group), value: result })
  }

  #named(values: readonly unknown[]): NamedGroup {
    const known = this.#groups.get(values) ?? groupOf(this.#alertQuery.groupBy, values)
    this.#groups.set(values, known)
    return known
  }

  get reading(): Reading {
    return { windows: [...this.#windows.values()], grouped: this.#alertQuery.groupBy.length > 0 }
  }

  #number(index: number, raw: unknown): number | null {
    if (raw === undefined) return isCount(this.#alertQuery, index) ? 0 : null
    if (raw === null) return null
    const number = typeof raw === 'boolean' || raw === '' ? NaN : Number(raw)
    if (!Number.isNaN(number)) return number
    throw invalidAlert(
      `Series ${String.fromCharCode(65 + index)} is not a number. Use an aggregation of numbers, such as count or avg.`,
    )
  }
}

/**
 * A group by its columns: `service:cart`, or `service:cart, code IS NULL`. No two groups of an alert have the same key:
 * among several columns, a value that could be read as the end of its own is in quotes, `service:"cart, code:5"`.
 */
export function groupOf(names: readonly string[], values: readonly unknown[]): NamedGroup {
  const columns = names.map((name, at): [string, string | null] => {
    const value = values[at]
    return [name, value === null || value === undefined ? null : String(value)]
  })
  return {
    key: columns
      .map(([name, text]) => (text === null ? name + isNull : `${name}:${columns.length > 1 ? delimited(text) : text}`))
      .join(separator),
    group: columns.length > 0 ? Object.fromEntries(columns) : null,
  }
}

const separator = ', '
const isNull = ' IS NULL'

const delimited = (text: string): string =>
  text.startsWith('"') || text.includes(separator) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text

/** A value of a key without its quotes, if it has them. */
export const withoutQuotes = (text: string): string =>
  /^".*"$/s.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : text

/**
 * The values of a group from its key; null if it is not the key of a group by these columns. Deployments write values as
 * they are: then one ends where the name of the next column follows.
 */
export function valuesOfKey(key: string, names: readonly string[]): (string | null)[] | null {
  const values: (string | null)[] = []
  let rest = key
  for (const [at, name] of names.entries()) {
    const next = names[at + 1]
    const tail = next === undefined ? '' : separator + next
    if (!rest.startsWith(name)) return null
    rest = rest.slice(name.length)
    const quotes = names.length > 1 ? /^:("(?:[^"\\]|\\.)*")/s.exec(rest)?.[1] : undefined
    const marked = rest.startsWith(isNull) ? isNull.length : quotes ? quotes.length + 1 : undefined
    const end = marked ?? (next === undefined ? rest.length : rest.indexOf(tail))
    const isEnd = next === undefined ? end === rest.length : end >= 0 && rest.startsWith(tail, end)
    if (!isEnd || (!rest.startsWith(':') && rest.slice(0, end) !== isNull)) return null
    values.push(rest.startsWith(isNull) ? null : quotes ? withoutQuotes(quotes) : rest.slice(1, end))
    rest = rest.slice(end + separator.length)
  }
  return values
}

function isCount({ series }: AlertSeriesQuery, index: number): boolean {
  return isCountFunction(series[index]?.aggFn)
}

/** The places of the series in a formula. */
function operandsOf(formula: Formula): Set<number> {
  switch (formula.kind) {
    case 'number':
      return new Set()
    case 'series':
      return new Set([formula.index])
    case 'negation':
      return operandsOf(formula.operand)
    case 'operation':
      return new Set([...operandsOf(formula.left), ...operandsOf(formula.right)])
  }
}
