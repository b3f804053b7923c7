/** The aggregates of a series as forms offer them. */
import { type AggFn, aggFns, distributionAggFns } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { quantileName } from './series/seriesNames.ts'

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

/** The origin of a series: a source of a kind, and in a metrics source a metric of a type. */
export interface Aggregated {
  sourceKind: string | undefined
  metricType: string
}

/** An aggregate that is chosen, and its level (0 to 1) if it is a quantile. */
interface ChosenAggregate {
  aggFn: AggFn
  level?: number
}

export interface AggregateOption {
  value: string
  /** `p95` for a quantile of 0.95. */
  label: string
  chosen: ChosenAggregate
}

/** The value of the option that is set; a quantile without a level has none of its own. */
export const aggregateValue = (aggFn: string, level: number | null): string =>
  aggFn === 'quantile' && level !== null ? `quantile ${level}` : aggFn

/**
 * Aggregations that the source supports (docs/TELEMETRY.md), a quantile at each level as one of its own, and the selected
 * one in any case.
 * @param levels quantiles that are offered, 0 to 1
 */
export function aggregateOptions(
  of: Aggregated,
  set: { aggFn: string; level: number | null },
  levels: readonly number[],
): AggregateOption[] {
  const answered = of.sourceKind === 'metric' ? (ofMetric[of.metricType] ?? ofGauge) : ofRecords
  return aggFns
    .filter((fn) => answered.includes(fn) || fn === set.aggFn)
    .flatMap((aggFn): ChosenAggregate[] => (aggFn === 'quantile' ? quantiles(set, levels) : [{ aggFn }]))
    .map((chosen) => ({
      value: aggregateValue(chosen.aggFn, chosen.level ?? null),
      label: chosen.level === undefined ? (words[chosen.aggFn] ?? chosen.aggFn) : quantileName(chosen.level),
      chosen,
    }))
}

function quantiles({ aggFn, level }: { aggFn: string; level: number | null }, levels: readonly number[]) {
  const all = [...new Set(aggFn === 'quantile' && level !== null ? [...levels, level] : levels)]
  const named = all.toSorted((a, b) => a - b).map((value): ChosenAggregate => ({ aggFn: 'quantile', level: value }))
  return aggFn === 'quantile' && level === null ? [{ aggFn: 'quantile' as const }, ...named] : named
}

/** The field of a series that gets another aggregate: durations are what people measure of spans. */
export function fieldWithAggregate(aggFn: string, field: string, source: Source | undefined): string {
  const isOfNumbers = ['avg', 'min', 'max', 'quantile'].includes(aggFn)
  return field === '' && isOfNumbers && source?.kind === 'trace' ? (source.durationExpression ?? '') : field
}

/** A hint for an aggregation that only some deployments support, which cannot be detected. */
export function aggregateNote({ sourceKind, metricType }: Aggregated, aggFn: string): string | undefined {
  if (sourceKind !== 'metric') return undefined
  if (metricType === 'summary') return 'Some deployments do not support summaries.'
  if (metricType !== 'histogram' || (aggFn !== 'sum' && aggFn !== 'avg')) return undefined
  return 'Some deployments support only quantile and count for histograms.'
}
