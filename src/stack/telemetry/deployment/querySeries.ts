/**
 * Chart series with the limits of deployments (`CHART_BEHAVIOR=deployment`): docs/DEPLOYMENTS.md#chart-series.
 * The stack's engine computes; queries and responses are adapted before and after.
 */
import type { ChartPoint, ChartRow } from '#contract/charts.ts'
import type { Source } from '#contract/sources.ts'
import type { Engine } from '../engine/engine.ts'
import { plansOf, querySeries, type Readable } from '../series/seriesQuery.ts'
import type { ParsedChartQuery } from '../series/seriesPlan.ts'
import { asColumns, asPoints, withoutCutBuckets, type Named } from './deploymentResponse.ts'
import { columnNames } from './columnNames.ts'
import { deploymentSeries } from './deploymentLimits.ts'

/** Runs a chart query like `querySeries`. */
export async function querySeriesAsDeployments(
  engine: Engine,
  query: ParsedChartQuery,
  { sources, databases }: Readable,
  signal: AbortSignal,
): Promise<ChartPoint[] | ChartRow[]> {
  // Only their searches have the table filter of a source.
  const unfiltered = sources.map((source): Source => ({ ...source, tableFilterExpression: '' }))
  const readable = { sources: unfiltered, databases }
  const plans = await plansOf(engine, query, readable)
  const named = await Promise.all(
    plans.map(async (plan): Promise<Named> => ({ plan, names: await columnNames(engine, plan) })),
  )
  const series = await Promise.all(plans.map((plan) => deploymentSeries(engine, plan)))
  const { seriesReturnType, topGroups: _, topGroupsRange: __, ...rest } = query
  const answer = await querySeries(engine, { ...rest, series }, readable, signal)
  // Without `seriesReturnType` the result is points.
  const points = withoutCutBuckets(answer as ChartPoint[], plans, query.startTime)
  return seriesReturnType === 'column' ? asColumns(points, named) : asPoints(points, named)
}
