/** How the values of buckets behave: without rows, while a bucket lasts, and combined to one value of the range. */
import type { Formula } from '#contract/stack/dashboards/formulas.ts'
import { isCountFunction } from '#domain/charts/units.ts'
import type { Span } from '#domain/time/span.ts'

/** The origin of a value: an aggregate, over records or over a metric of a type. */
export interface Aggregated {
  aggFn: string
  metricType?: string | undefined
}

export interface Combination {
  how: 'add' | 'min' | 'max' | 'last' | 'first' | 'mean'
  /** The combined value is that of the range; otherwise it comes near to it. */
  exact: boolean
}

const ofRecords: Partial<Record<string, Combination>> = {
  count: { how: 'add', exact: true },
  sum: { how: 'add', exact: true },
  increase: { how: 'add', exact: true },
  min: { how: 'min', exact: true },
  max: { how: 'max', exact: true },
  last_value: { how: 'last', exact: true },
  any: { how: 'first', exact: true },
  // The least that there can be.
  count_distinct: { how: 'max', exact: false },
}

/** A bucket holds the last value of each time series: adding those of many buckets would count each many times. */
const ofGauge: typeof ofRecords = {
  ...ofRecords,
  count: { how: 'mean', exact: false },
  sum: { how: 'mean', exact: false },
}

/** A bucket holds what each time series grew by: sums of it add up, all else depends on the length of the bucket. */
const ofSum: typeof ofRecords = {
  sum: { how: 'add', exact: true },
  increase: { how: 'add', exact: true },
  min: { how: 'min', exact: false },
  max: { how: 'max', exact: false },
  last_value: { how: 'last', exact: false },
  any: { how: 'first', exact: true },
  count_distinct: { how: 'max', exact: false },
}

/** How the buckets of a series are combined. */
export function combinationOf({ aggFn, metricType }: Aggregated): Combination {
  const known = metricType === 'gauge' ? ofGauge : metricType === 'sum' ? ofSum : ofRecords
  return known[aggFn] ?? { how: 'mean', exact: false }
}

/** The value of a series without rows where another one has some: a count is 0, and no other aggregate has a value. */
export const valueWithoutRows = (aggFn: string): 0 | null => (isCountFunction(aggFn) ? 0 : null)

/** Whether values of an aggregate grow while their bucket lasts: those of a bucket that is not complete are too small. */
export const accumulates = (aggFn: string): boolean => ['count', 'count_distinct', 'sum', 'increase'].includes(aggFn)

/** Whether values of a formula accumulate: sums and multiples of aggregates that do, but not their ratios. */
export const formulaAccumulates = (formula: Formula, aggFns: readonly string[]): boolean =>
  powerOfTime(formula, aggFns) > 0

/** The power of elapsed time with which a value grows within its bucket: 1 for a count, 0 for a ratio of two counts. */
function powerOfTime(formula: Formula, aggFns: readonly string[]): number {
  switch (formula.kind) {
    case 'number':
      return 0
    case 'series':
      return accumulates(aggFns[formula.index] ?? '') ? 1 : 0
    case 'negation':
      return powerOfTime(formula.operand, aggFns)
    case 'operation': {
      const left = powerOfTime(formula.left, aggFns)
      const right = powerOfTime(formula.right, aggFns)
      if (formula.operator === '*') return left + right
      return formula.operator === '/' ? left - right : Math.max(left, right)
    }
  }
}

interface Buckets {
  bucketMs: number
  span: Span
}

/** One value for the range, out of its buckets. A mean counts each bucket by how much of it lies in the range. */
export function combineBuckets(
  values: ReadonlyMap<number, number | null>,
  { how }: Combination,
  { bucketMs, span }: Buckets,
): number | null {
  const present = [...values]
    .filter((entry): entry is [number, number] => entry[1] !== null)
    .toSorted(([a], [b]) => a - b)
  const numbers = present.map(([, value]) => value)
  if (numbers.length <= 1) return numbers[0] ?? null
  if (how === 'min') return Math.min(...numbers)
  if (how === 'max') return Math.max(...numbers)
  if (how === 'last') return numbers.at(-1) ?? null
  if (how === 'first') return numbers[0] ?? null
  if (how === 'add') return numbers.reduce((sum, value) => sum + value, 0)
  const weights = present.map(([time]) => Math.max(1, Math.min(time + bucketMs, span.to) - Math.max(time, span.from)))
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0)
  return numbers.reduce((sum, value, index) => sum + value * weights[index]!, 0) / totalWeight
}
