/** The parts of a chart whose rows are compared, and how many rows they have: the selection, and what is before, after and beside it. */
import { sum } from 'd3-array'
import { ApiFailure } from '#console/api/failure.ts'
import type { Sides } from '#domain/explanation/attributeCounts.ts'
import type { Span } from '#domain/time/span.ts'
import { numberOf } from '../series/groupValues.ts'
import { queryCharts } from '../queryCharts.ts'
import { type Question, type ValueRange, wholeOf } from './question.ts'
import { type Condition, withAttribute } from './valueCondition.ts'

export interface ComparedPart {
  side: keyof Sides<unknown>
  span: Span
  condition: Condition
  /** Rows by the start of their bucket. */
  counts: ReadonlyMap<number, number>
  bucketMs: number
}

/** Conditions on the rows of the chart, on those of the selection, and on the others in its range of time. */
interface PartConditions {
  all: Condition
  inside: Condition
  /** None where the selection has all values. */
  beside: Condition | null
}

/** Counts the rows of the parts by one chart query. Throws ApiFailure. */
export async function comparedParts(
  connectionId: string,
  question: Question,
  signal: AbortSignal,
): Promise<ComparedPart[]> {
  const { range, inside, subject, values } = question
  const { where: text, whereLanguage: language } = subject.series
  const conditions = conditionsOf({ text, language }, values)
  const counted = [conditions.all, conditions.inside].slice(0, conditions.beside ? 2 : 1)
  const series = counted.map(({ text: where, language: whereLanguage }) => ({
    sourceId: subject.source.id,
    aggFn: 'count' as const,
    where,
    whereLanguage,
    groupBy: [],
  }))
  const points = await queryCharts(connectionId, { ...range, series }, [subject.source], { signal })
  const countsOf = (place: number) =>
    new Map(points.map((point) => [point.ts_bucket, numberOf(point[`series_${place}.data`]) ?? 0]))
  const all = countsOf(0)
  const selected = conditions.beside ? countsOf(1) : all
  const others = new Map([...all].map(([start, count]) => [start, Math.max(0, count - (selected.get(start) ?? 0))]))
  const whole = wholeOf(question)
  const bucketMs = bucketOf([...all.keys()], whole)
  const part = (side: ComparedPart['side'], span: Span, condition: Condition, counts: ReadonlyMap<number, number>) => ({
    side,
    span,
    condition,
    counts: new Map([...counts].filter(([start]) => isIn(start, span, whole))),
    bucketMs,
  })
  return [
    part('inside', inside, conditions.inside, selected),
    part('outside', { from: whole.from, to: inside.from }, conditions.all, all),
    ...(conditions.beside ? [part('outside', inside, conditions.beside, others)] : []),
    part('outside', { from: inside.to, to: whole.to }, conditions.all, all),
  ]
}

/** The condition of a chart, and with the values of a part of a heatmap. @throws ApiFailure if its language cannot express them */
export function conditionsOf(condition: Condition, values: ValueRange | undefined): PartConditions {
  if (!values) return { all: condition, inside: condition, beside: null }
  const { from, to, lowest } = values
  const all = withRange(condition, values, { from: lowest, to: null })
  if (from === null && to === null) return { all, inside: all, beside: null }
  return {
    all,
    inside: withRange(all, values, { from, to }),
    beside: withRange(all, values, { from, to }, 'out'),
  }
}

/** Adds a range of the value. In SQL by what the chart computes, in the filter language by the name of its column. */
function withRange(
  condition: Condition,
  { text, column }: ValueRange,
  bounds: Pick<ValueRange, 'from' | 'to'>,
  mode: 'in' | 'out' = 'in',
): Condition {
  const isSql = condition.language === 'sql' || condition.text.trim() === ''
  const attribute = isSql ? text : (column ?? text)
  const added = withAttribute(condition, { attribute, value: { kind: 'range', ...bounds }, mode })
  if (added) return added
  throw new ApiFailure({
    code: 'notOffered',
    status: 404,
    message:
      'This deployment cannot compare a range of these values together with a condition in field:value form. Write the condition in SQL, or select all values.',
  })
}

/** The length of the buckets. */
function bucketOf(starts: readonly number[], whole: Span): number {
  const sorted = starts.toSorted((a, b) => a - b)
  const gaps = sorted.slice(1).map((start, at) => start - (sorted[at] ?? start))
  return gaps.length > 0 ? Math.min(...gaps) : whole.to - whole.from
}

/** The first bucket may begin before the range. */
const isIn = (start: number, { from, to }: Span, whole: Span): boolean => {
  const time = Math.max(start, whole.from)
  return time >= from && time < to
}

export const rowsOf = ({ counts }: ComparedPart): number => sum(counts.values())

export const totalOf = (parts: readonly ComparedPart[], wanted: ComparedPart['side']): number =>
  sum(
    parts.filter(({ side }) => side === wanted),
    rowsOf,
  )
