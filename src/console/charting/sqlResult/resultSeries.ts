/** A result as a chart: a column with times, and columns with numbers. Columns with texts are groups. */
import { groupOrder } from '#console/charting/series/seriesNames.ts'
import type { SqlResult } from '#contract/stack/sql.ts'

export interface ResultSeries {
  id: string
  label: string
  /** By time, epoch milliseconds. */
  points: (readonly [time: number, value: number | null])[]
}

export interface ResultChart {
  series: ResultSeries[]
  span: { from: number; to: number }
  /** The least distance of two times where all are multiples of it, else the whole range. Milliseconds. */
  bucketMs: number
}

const oneMinute = 60_000

/** @returns the chart, or why there is none */
export function chartOf({ columns, rows }: Pick<SqlResult, 'columns' | 'rows'>): ResultChart | { refused: string } {
  const kinds = columns.map(({ type }) => kindOf(type))
  const timeAt = kinds.indexOf('time')
  const numbers = kinds.flatMap((kind, at) => (kind === 'number' ? [at] : []))
  if (timeAt < 0 || numbers.length === 0) {
    return { refused: 'A chart needs a column with times, such as toStartOfMinute(Timestamp), and one with numbers.' }
  }
  const groups = kinds.flatMap((kind, at) => (kind === 'text' ? [at] : []))
  const series = new Map<string, { group: string; label: string; points: Map<number, number | null> }>()
  for (const row of rows) {
    const time = Date.parse(String(row[timeAt]))
    if (Number.isNaN(time)) continue
    const group = groups.map((at) => row[at] ?? 'NULL').join(', ')
    for (const at of numbers) {
      const name = columns[at]?.name ?? ''
      const label = group === '' ? name : numbers.length > 1 ? `${group}: ${name}` : group
      const known = series.get(`${at} ${group}`) ?? { group, label, points: new Map() }
      series.set(`${at} ${group}`, known)
      known.points.set(time, numberIn(row[at]))
    }
  }
  const times = [...new Set([...series.values()].flatMap(({ points }) => [...points.keys()]))].toSorted((a, b) => a - b)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return { refused: 'The result has no times.' }
  const bucketMs = bucketOf(times)
  return {
    // By name, because most statements return the groups of a time in any order, and colors follow the order.
    series: [...series]
      .toSorted(([, a], [, b]) => groupOrder.compare(a.group, b.group))
      .map(([id, { label, points }]) => ({ id, label, points: [...points].toSorted(([a], [b]) => a - b) })),
    span: { from: first, to: last + bucketMs },
    bucketMs,
  }
}

type Kind = 'time' | 'number' | 'text' | 'other'

/** The kind of a column by the engine's name of its type. */
export function kindOf(type: string): Kind {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1]
  if (inner !== undefined) return kindOf(inner)
  if (type.startsWith('Date')) return 'time'
  if (/^U?Int|^Float|^BFloat|^Decimal/.test(type)) return 'number'
  return /^(?:String|FixedString|Enum|UUID|IPv|Bool)/.test(type) ? 'text' : 'other'
}

/** A value of a column with numbers: integers of 64 bits and decimals are text. */
export function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

function bucketOf(times: readonly number[]): number {
  const first = times[0] ?? 0
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  if (gaps.length === 0) return oneMinute
  const least = gaps.reduce((a, b) => Math.min(a, b))
  const isRegular = times.every((time) => (time - first) % least === 0)
  return isRegular ? least : (times.at(-1) ?? 0) - first
}
