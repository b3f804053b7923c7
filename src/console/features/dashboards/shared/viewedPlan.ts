/** Converts the charts of a shared link to the form in which tiles are drawn. */
import { pointsOf } from '#domain/series/chartResponse.ts'
import type { AutomaticUnit } from '#console/charting/tiles/tileData.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import type { QueryPlan } from '#console/charting/tiles/tileQuery.ts'
import { aggFns, type ChartPoint, type ChartRow } from '#contract/stack/charts.ts'
import type { SharedView, ViewedChart } from '#contract/console/sharedLinks.ts'
import type { Unit } from '#domain/charts/units.ts'
import type { Span } from '#domain/time/span.ts'
import type { TileAnswers } from '../view/tiles/useTileData.ts'

interface Drawn {
  config: TileConfig
  automatic: AutomaticUnit
  answers: TileAnswers
  /** The responses for the previous range. */
  before: TileAnswers | undefined
}

/** Null where the groups of an answer are not known. */
export function drawnChart(chart: ViewedChart, { zone, readAt }: Pick<SharedView, 'zone' | 'readAt'>): Drawn | null {
  // The creator's page took it from the configuration of a tile, whose unknown fields pass.
  const config = chart.config as TileConfig
  const answersOf = (span: Span, answers: readonly (readonly (ChartPoint | ChartRow)[])[]): TileAnswers | null => {
    const plan = planOf(chart, span, zone)
    const points = plan.requests.map(({ query }, at) => pointsOf(query, answers[at] ?? []))
    return points.every((point): point is ChartPoint[] => point !== null)
      ? { points, plan, readAt: Date.parse(readAt) }
      : null
  }
  const answers = answersOf(chart.span, chart.answers)
  if (!answers) return null
  const before = chart.before && answersOf(chart.before.span, chart.before.answers)
  const items = Array.isArray(config.select) ? config.select : []
  // Units of a newer or older page: an unknown one is a plain number.
  const unitAt = (at: number) => (chart.units[at] ?? 'number') as Unit
  return { config, answers, before: before ?? undefined, automatic: (item) => unitAt(items.indexOf(item)) }
}

function planOf(chart: ViewedChart, span: Span, zone: string): QueryPlan {
  return {
    kind: 'query',
    span,
    zone,
    bucketMs: chart.bucketMs,
    aggFns: chart.aggFns,
    combinations: chart.combinations,
    notes: chart.notes,
    conditions: [],
    alignment: { kind: 'none', granularity: 'auto', zone },
    requests: chart.requests.map(({ first, earlier, series }) => ({
      first,
      earlier,
      query: {
        startTime: span.from - earlier,
        endTime: span.to - earlier,
        series: series.map(({ aggFn, groupBy }) => ({
          sourceId: '',
          aggFn: aggFns.find((candidate) => candidate === aggFn) ?? 'count',
          groupBy,
        })),
      },
    })),
  }
}
