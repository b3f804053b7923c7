/** Responses as deployments return them: groups are found by name, and metric buckets that begin too early are left out. */
import type { ChartPoint, ChartRow } from '#contract/stack/charts.ts'
import type { Plan } from '../series/seriesPlan.ts'

/** A series, and the engine's names of its group columns. */
export interface Named {
  plan: Plan
  names: readonly string[]
}

const valueOf = (index: number) => `series_${index}.data` as const

/** Deployments aggregate metrics before they limit the range, so a bucket that begins before the range is missing. */
export function withoutCutBuckets(points: readonly ChartPoint[], plans: readonly Plan[], startTime: number) {
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
export function asColumns(points: readonly ChartPoint[], series: readonly Named[]): ChartRow[] {
  return series.flatMap((one) =>
    points
      .filter((point) => point[valueOf(one.plan.index)] !== undefined)
      .map((point) => {
        const group = point.group ?? []
        const groups = one.names.map((name, at) => [name, group[at]] as const)
        return {
          [`series_${one.plan.index}`]: point[valueOf(one.plan.index)],
          ...(bringsArray(one) && group.length > 0 ? { group } : Object.fromEntries(groups)),
          __hdx_time_bucket: new Date(point.ts_bucket).toISOString().replace('.000Z', 'Z'),
        }
      }),
  )
}

/**
 * Points whose groups are found by the text in the query: unknown names are null, and if several points then have the
 * same group, the last one is used.
 */
export function asPoints(points: readonly ChartPoint[], series: readonly Named[]): ChartPoint[] {
  const merged = new Map<string, ChartPoint>()
  for (const one of series) {
    const { index, series: planned } = one.plan
    for (const point of points) {
      const value = point[valueOf(index)]
      if (value === undefined) continue
      const group = planned.groupBy.map((text, at) =>
        one.names[at] === text && !bringsArray(one) ? (point.group?.[at] ?? null) : null,
      )
      const key = `${point.ts_bucket}|${group.map(String).join('|')}`
      const entry = merged.get(key) ?? { ts_bucket: point.ts_bucket, group }
      merged.set(key, { ...entry, [valueOf(index)]: value })
    }
  }
  return [...merged.values()]
}
