/**
 * Chart series with the limits of deployments (`CHART_BEHAVIOR=deployment`): docs/DEPLOYMENTS.md#chart-series. The
 * stack's engine computes; queries and responses are adapted before and after: groups are found by name, and metric
 * buckets that begin too early are left out.
 */
import type { ChartPoint, ChartRow, ChartSeries } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Engine } from '../engine/engine.ts'
import { plansOf, querySeries, type Readable } from '../series/seriesQuery.ts'
import type { ParsedChartQuery, Plan } from '../series/seriesPlan.ts'
import { checkExpression } from '../expression/expression.ts'
import { at, ChartError } from '../series/chartError.ts'
import { tableSql } from '../engine/tableName.ts'
import { readFilter } from '../filter/filterSql.ts'
import { FilterError } from '#domain/query/filterSyntax.ts'
import { termsOf } from '#domain/query/filterTerms.ts'

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

/** Names of the grouping expressions of a series, in order. Rejects with ChartError for one that is no SQL. */
function columnNames(engine: Engine, { series, path, table }: Plan): Promise<string[]> {
  return Promise.all(
    series.groupBy.map((text, index) =>
      at(`${path}.groupBy.${index}`, async () => {
        await checkExpression(engine, text, table)
        const [column] = await engine.query<{ name: string }>(`DESCRIBE (SELECT ${text} FROM ${tableSql(table)})`)
        return column?.name ?? text
      }),
    ),
  )
}

/** The series that computes what deployments do. Rejects with ChartError where they return an error. */
async function deploymentSeries(engine: Engine, plan: Plan): Promise<ChartSeries> {
  const { series, path, source } = plan
  if (source.kind === 'metric') checkMetric(plan)
  if (series.whereLanguage !== 'sql') await at(`${path}.where`, () => checkFilter(plan))
  if (!series.field || series.aggFn === 'count') return series
  if (source.kind === 'metric') {
    // With a metric name the field is ignored; without one it is the name.
    const { field, metricName = field, ...others } = series
    return { ...others, metricName }
  }
  const field = deploymentField(series.field, plan)
  await at(`${path}.field`, () => checkExpression(engine, field, plan.table))
  return { ...series, field }
}

/** An expression with a dot becomes a quoted text: not a number, and invalid SQL if it contains quotes. */
function deploymentField(field: string, { series: { aggFn }, path }: Plan): string {
  if (!field.includes('.')) return field
  if (field.includes("'")) throw new ChartError(400, `${path}.field`, `Syntax error: failed at '${field}'`)
  const takesText = aggFn === 'count_distinct' || aggFn === 'any' || aggFn === 'none'
  return takesText ? `'${field}'` : `toFloat64OrDefault('${field}')`
}

function checkMetric({ series: { aggFn, metricDataType }, path }: Plan): void {
  const refuse = (field: string, message: string) => {
    throw new ChartError(400, `${path}.${field}`, message)
  }
  if (metricDataType === undefined || metricDataType === 'summary') {
    refuse('metricDataType', `no query support for metric type=${metricDataType}`)
  }
  if (aggFn === 'increase' && metricDataType !== 'sum') {
    refuse('aggFn', `aggFn 'increase' is only supported for Sum (counter) metrics (got metricType=${metricDataType})`)
  }
  const isHistogram = metricDataType === 'histogram' || metricDataType === 'exponential histogram'
  if (isHistogram && aggFn !== 'quantile' && aggFn !== 'count') {
    refuse('aggFn', `${aggFn} is not supported for histograms currently`)
  }
}

function checkFilter({ series: { where }, columns }: Plan): void {
  const filter = readFilter(where, columns)
  for (const { field, position } of filter ? termsOf(filter) : []) {
    if (field === null) throw new FilterError('Can not search bare text without an implicit column set.', position)
    if (columns.get(field)?.kind === 'map') throw new FilterError(`Map column ${field} needs a key`, position)
  }
}

/** A series, and the engine's names of its group columns. */
interface Named {
  plan: Plan
  names: readonly string[]
}

const valueOf = (index: number) => `series_${index}.data` as const

/** Deployments aggregate metrics before they limit the range, so a bucket that begins before the range is missing. */
function withoutCutBuckets(points: readonly ChartPoint[], plans: readonly Plan[], startTime: number) {
  const metrics = plans.filter(({ source }) => source.kind === 'metric')
  return points.flatMap((point): ChartPoint[] => {
    if (point.ts_bucket >= startTime || metrics.length === 0) return [point]
    const cut = new Set<string>(metrics.map(({ index }) => valueOf(index)))
    const left = Object.fromEntries(Object.entries(point).filter(([key]) => !cut.has(key)))
    const hasValue = Object.keys(left).some((key) => key.startsWith('series_'))
    return hasValue ? [{ ...left, ts_bucket: point.ts_bucket }] : []
  })
}

/** Histograms return their groups in one array column `group`. */
const bringsArray = ({ plan: { columns } }: Named) => columns.has('BucketCounts') || columns.has('PositiveBucketCounts')

/** A row for each series with a value, with groups under the engine's names. */
function asColumns(points: readonly ChartPoint[], series: readonly Named[]): ChartRow[] {
  return series.flatMap((named) =>
    points
      .filter((point) => point[valueOf(named.plan.index)] !== undefined)
      .map((point) => {
        const group = point.group ?? []
        const groups = named.names.map((name, at) => [name, group[at]] as const)
        return {
          [`series_${named.plan.index}`]: point[valueOf(named.plan.index)],
          ...(bringsArray(named) && group.length > 0 ? { group } : Object.fromEntries(groups)),
          __hdx_time_bucket: new Date(point.ts_bucket).toISOString().replace('.000Z', 'Z'),
        }
      }),
  )
}

/**
 * Points whose groups are found by the text in the query: unknown names are null, and if several points then have the
 * same group, the last one is used.
 */
function asPoints(points: readonly ChartPoint[], series: readonly Named[]): ChartPoint[] {
  const merged = new Map<string, ChartPoint>()
  for (const named of series) {
    const { index, series: planned } = named.plan
    for (const point of points) {
      const value = point[valueOf(index)]
      if (value === undefined) continue
      const group = planned.groupBy.map((text, at) =>
        named.names[at] === text && !bringsArray(named) ? (point.group?.[at] ?? null) : null,
      )
      const key = `${point.ts_bucket}|${group.map(String).join('|')}`
      const entry = merged.get(key) ?? { ts_bucket: point.ts_bucket, group }
      merged.set(key, { ...entry, [valueOf(index)]: value })
    }
  }
  return [...merged.values()]
}
