/** One value for the whole range, of each series and group. */
import type { ChartPoint } from '#contract/stack/charts.ts'
import { evaluateFormula, parseFormula } from '#contract/stack/dashboards/formulas.ts'
import { combinationOf, combineBuckets, valueWithoutRows } from '#console/charting/series/combineBuckets.ts'
import { lineId, othersLineId } from '#console/charting/series/seriesNames.ts'
import { groupPoints, namesOf } from './lines.ts'
import type { ChartRequest } from './query.ts'
import { type ExplorerState, letters } from './state.ts'

export interface Total {
  id: string
  label: string
  value: number | null
  /** The range spans buckets whose values cannot be put together exactly. */
  approximate: boolean
  /** It is of all groups but the largest. */
  others: boolean
}

/** The totals of an answer, the largest first within each series, all others last. */
export function totalsOf(
  points: readonly ChartPoint[],
  { series, formula }: Pick<ExplorerState, 'series' | 'formula'>,
  { bucketMs, span, query }: Pick<ChartRequest, 'bucketMs' | 'span' | 'query'>,
): Total[] {
  const combinations = query.series.map(({ aggFn, metricDataType: metricType }) => combinationOf({ aggFn, metricType }))
  const isExact = (index: number) => combinations[index]?.exact ?? true
  const groups = [...groupPoints(points, series.length).values()].map(({ group, others, values }) => ({
    group,
    others: others !== undefined,
    totals: values.map((buckets, index) => combineBuckets(buckets, combinations[index]!, { bucketMs, span })),
    buckets: Math.max(0, ...values.map((value) => value.size)),
  }))
  const computed = formula.trim() ? parseFormula(formula) : null
  const columns = computed
    ? [{ id: 'formula', name: formula, exact: series.every((_, index) => isExact(index)), index: -1 }]
    : namesOf(series).map((name, index) => ({
        id: letters[index] ?? String(index),
        name,
        exact: isExact(index),
        index,
      }))
  return columns.flatMap(({ id, name, exact, index }) =>
    groups
      .map(({ group, others, totals, buckets }): Total => ({
        id: others ? othersLineId(id) : lineId(id, group),
        others,
        label: [...(columns.length > 1 || group.length === 0 ? [name] : []), ...group].join(' · '),
        value: computed
          ? evaluateFormula(computed, (at) => totals[at] ?? valueWithoutRows(series[at]?.aggFn ?? ''))
          : (totals[index] ?? null),
        approximate: buckets > 1 && !exact,
      }))
      .toSorted((a, b) => Number(a.others) - Number(b.others) || (b.value ?? -Infinity) - (a.value ?? -Infinity)),
  )
}
