/** Converts rows of the statements to the response of docs/DEPLOYMENTS.md#chart-series. */
import type { ChartPoint, ChartRow } from '#contract/stack/charts.ts'
import { names, type Statement } from './seriesPlan.ts'

export type StatementRow = Record<string, unknown>

export interface Answered {
  statement: Statement
  rows: readonly StatementRow[]
}

/** How the rows are grouped. */
export interface Grouping {
  groupBy: readonly string[]
  /** The roll-ups that were read; none if all rows were. */
  readFrom: readonly string[]
  /** The number of groups that the rows with a mark behind their groups are of; 0 without such rows. */
  otherGroups: number
}

/** The roll-ups that statements have read, each once. */
export function readFromIn(answers: readonly Answered[]): string[] {
  return [...new Set(answers.flatMap(({ statement }) => statement.readFrom ?? []))]
}

/** The number of different groups. */
export function groupsIn(answers: readonly Answered[]): number {
  const all = answers.flatMap(({ statement: { groups }, rows }) => {
    const columns = Array.from({ length: groups }, (_, at) => names.group(at))
    return rows.map((row) => JSON.stringify(columns.map((name) => row[name])))
  })
  return new Set(all).size
}

/**
 * One point for each bucket and group, by time. A series without rows there is omitted from the point. The first one has the names
 * of the roll-ups that were read.
 */
export function pivoted(answers: readonly Answered[], grouping: Grouping): ChartPoint[] {
  const [first, ...rest] = pointsOf(answers, grouping)
  const { readFrom } = grouping
  return first ? [readFrom.length > 0 ? { ...first, readFrom: [...readFrom] } : first, ...rest] : []
}

function pointsOf(answers: readonly Answered[], grouping: Omit<Grouping, 'readFrom'>): ChartPoint[] {
  const [only, ...others] = answers
  const newPoint = pointMaker(grouping)
  // The rows of one statement differ in bucket or group, and are sorted by time, so nothing needs to be merged.
  if (only && others.length === 0) {
    const columns = columnsOf(only)
    return only.rows.map((row) => addValues(newPoint(row), columns, row))
  }
  const points = new Map<string, ChartPoint>()
  for (const answer of answers) {
    const columns = columnsOf(answer)
    for (const row of answer.rows) {
      const point = newPoint(row)
      const key = `${point.ts_bucket} ${JSON.stringify(point.group)}`
      points.set(key, addValues(points.get(key) ?? point, columns, row))
    }
  }
  return [...points.values()].toSorted((a, b) => a.ts_bucket - b.ts_bucket)
}

function pointMaker({ groupBy, otherGroups }: Omit<Grouping, 'readFrom'>): (row: StatementRow) => ChartPoint {
  const groups = groupBy.map((_, at) => names.group(at))
  const own = (row: StatementRow) => ({ ts_bucket: bucketOf(row), group: groups.map((name) => row[name]) })
  if (otherGroups === 0) return own
  const isOther = names.group(groupBy.length)
  return (row) => (row[isOther] === 1 ? { ts_bucket: bucketOf(row), group: [], otherGroups } : own(row))
}

/** The columns of a series in the rows of its statement, and its field in a point. */
interface SeriesColumns {
  field: string
  value: string
  /** Whether the series has rows; null if it has in every row. */
  present: string | null
}

function columnsOf({ statement: { plans, sparse } }: Answered): SeriesColumns[] {
  return plans.map(({ index }) => ({
    field: `series_${index}.data`,
    value: names.value(index),
    present: sparse.has(index) ? names.present(index) : null,
  }))
}

function addValues(point: ChartPoint, columns: readonly SeriesColumns[], row: StatementRow): ChartPoint {
  for (const { field, value, present } of columns) {
    if (present === null || row[present] !== '0') point[field] = row[value]
  }
  return point
}

/** `seriesReturnType: 'column'`: the rows of each series, one series after the other (docs/DEPLOYMENTS.md#chart-series). */
export function asColumns(answers: readonly Answered[], grouping: Grouping): ChartRow[] {
  const [first, ...rest] = rowsOf(answers, grouping)
  const { readFrom } = grouping
  return first ? [readFrom.length > 0 ? { ...first, __read_from: [...readFrom] } : first, ...rest] : []
}

function rowsOf(answers: readonly Answered[], { groupBy, otherGroups }: Omit<Grouping, 'readFrom'>): ChartRow[] {
  const isOther = (row: StatementRow) => otherGroups > 0 && row[names.group(groupBy.length)] === 1
  const groupOf = (row: StatementRow) =>
    isOther(row)
      ? { __other_groups: otherGroups }
      : Object.fromEntries(groupBy.map((text, at) => [text, row[names.group(at)]]))
  const indexes = answers
    .flatMap(({ statement }) => statement.plans.map(({ index }) => index))
    .toSorted((a, b) => a - b)
  return indexes.flatMap((index) => {
    const answer = answers.find(({ statement }) => statement.plans.some((plan) => plan.index === index))
    if (!answer) return []
    return answer.rows
      .filter((row) => isPresent(answer.statement, row, index))
      .map((row) => ({
        [`series_${index}`]: row[names.value(index)],
        ...groupOf(row),
        __hdx_time_bucket: new Date(bucketOf(row)).toISOString().replace('.000Z', 'Z'),
      }))
  })
}

/** Epoch milliseconds. */
function bucketOf(row: StatementRow): number {
  return Number(row[names.bucket]) * 1000
}

function isPresent({ sparse }: Statement, row: StatementRow, index: number): boolean {
  return !sparse.has(index) || row[names.present(index)] !== '0'
}
