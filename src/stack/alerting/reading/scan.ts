/** Queries that one statement can answer, and the values that come back. */
import type { AlertWindow } from '#domain/alerting/schedule.ts'
import type { GroupValue, WindowValues } from '#domain/alerting/evaluateWindow.ts'
import { evaluateFormula, type Formula } from '#contract/formulas.ts'
import type { ParsedChartQuery } from '../../telemetry/series/seriesPlan.ts'
import { invalidAlert } from './executionError.ts'
import type { AlertQuery, AlertSeriesQuery } from './alertQuery.ts'

/** The windows of a query: one after the other, all of the same length. */
export interface Span {
  windows: readonly AlertWindow[]
  /** The interval of the alert, such as `5m`. */
  interval: string
  /** Milliseconds from a multiple of the interval to the start of a window. */
  phase: number
}

export interface WindowQuery<Q extends AlertQuery = AlertQuery> {
  alertQuery: Q
  span: Span
}

/** What was read of a query. */
export interface Reading {
  windows: WindowValues[]
  /** Whether the values are those of groups. */
  grouped: boolean
}

/** Equal for queries that one statement can answer: same source, group columns and windows. */
export function scanKey({ alertQuery, span }: WindowQuery): string {
  const columns = alertQuery.kind === 'sql' ? [alertQuery.template] : alertQuery.groupBy
  return JSON.stringify([
    alertQuery.kind,
    alertQuery.sourceId,
    columns,
    span.interval,
    span.phase,
    startOf(span),
    endOf(span),
  ])
}

const startOf = ({ windows }: Span) => windows[0]?.start ?? 0
const endOf = ({ windows }: Span) => windows.at(-1)?.end ?? 0

/**
 * The chart query with the range and buckets of the windows. Both ends of a range belong to it, so a row at the very end
 * gets a bucket of its own, which `Tally` leaves out.
 */
export function queryOf(span: Span): Omit<ParsedChartQuery, 'series'> {
  return {
    startTime: startOf(span),
    endTime: endOf(span),
    // The intervals of alerts are granularities of charts.
    granularity: span.interval as ParsedChartQuery['granularity'],
    phase: span.phase / 1000,
  }
}

/** Collects the values of one query, window by window. */
export class Tally {
  readonly #alertQuery: AlertSeriesQuery
  readonly #windows: Map<number, WindowValues & { values: GroupValue[] }>

  constructor({ alertQuery, span }: WindowQuery<AlertSeriesQuery>) {
    this.#alertQuery = alertQuery
    this.#windows = new Map(span.windows.map((window) => [window.start, { ...window, values: [] }]))
  }

  /**
   * Adds the series of one group in one bucket. Undefined is a series without rows: a count is 0 then, if another series has
   * rows, and any other value is missing.
   *
   * @throws ExecutionError for a value that is not a number
   */
  add(bucket: number, group: readonly unknown[], raw: readonly unknown[]): void {
    const window = this.#windows.get(bucket)
    if (!window) return
    const { groupBy, value } = this.#alertQuery
    const used = [...operandsOf(value)]
    if (used.every((index) => raw[index] === undefined)) return
    const result = evaluateFormula(value, (index) => this.#number(index, raw[index]))
    if (result === null) return
    window.values.push({ ...groupOf(groupBy, group), value: result })
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

/** A group by its columns. */
export function groupOf(names: readonly string[], values: readonly unknown[]): Omit<GroupValue, 'value'> {
  const columns = names.map((name, at): [string, string] => [name, String(values[at] ?? '')])
  return {
    key: columns.map(([name, text]) => `${name}:${text}`).join(', '),
    group: columns.length > 0 ? Object.fromEntries(columns) : null,
  }
}

function isCount({ series }: AlertSeriesQuery, index: number): boolean {
  const aggFn = series[index]?.aggFn
  return aggFn === 'count' || aggFn === 'count_distinct'
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
