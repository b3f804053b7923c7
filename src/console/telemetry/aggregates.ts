/** The aggregates of a series as forms offer them. */
import { type AggFn, aggFns, distributionAggFns } from '#contract/charts.ts'

const words: Partial<Record<AggFn, string>> = {
  count_distinct: 'count distinct',
  last_value: 'last value',
  none: 'Custom expression',
  increase: 'increase (counter)',
}

const withoutNone = aggFns.filter((fn) => fn !== 'none')
const ofRecords = aggFns.filter((fn) => fn !== 'increase')
const ofGauge = withoutNone.filter((fn) => fn !== 'increase')

/** By type of metric; a type that is not here, or not chosen yet, is taken for a gauge. */
const ofMetric: Partial<Record<string, readonly AggFn[]>> = {
  sum: withoutNone,
  histogram: distributionAggFns,
  'exponential histogram': distributionAggFns,
  summary: distributionAggFns,
}

/** What a series is of: a source of a kind, and in a metrics source a metric of a type. */
export interface Aggregated {
  sourceKind: string | undefined
  metricType: string
}

/** Aggregations that the source supports (docs/TELEMETRY.md), and the selected one in any case. */
export function aggregateOptions(of: Aggregated, set: string): { value: AggFn; label: string }[] {
  const answered = of.sourceKind === 'metric' ? (ofMetric[of.metricType] ?? ofGauge) : ofRecords
  return aggFns
    .filter((fn) => answered.includes(fn) || fn === set)
    .map((value) => ({ value, label: words[value] ?? value }))
}

/** A hint for an aggregation that only some deployments support, which cannot be detected. */
export function aggregateNote({ sourceKind, metricType }: Aggregated, aggFn: string): string | undefined {
  if (sourceKind !== 'metric') return undefined
  if (metricType === 'summary') return 'Some deployments do not support summaries.'
  if (metricType !== 'histogram' || (aggFn !== 'sum' && aggFn !== 'avg')) return undefined
  return 'Some deployments support only quantile and count for histograms.'
}
