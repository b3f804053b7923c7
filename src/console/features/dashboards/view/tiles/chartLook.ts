/** How a tile over time is drawn: the same on its dashboard and by a shared link. */
import type { TileLine } from '#console/charting/tiles/tileData.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import type { QueryPlan } from '#console/charting/tiles/tileQuery.ts'
import type { LineInterpolation } from '#console/ui/chart/chartTypes.ts'
import { legendBarHeight } from '#console/ui/series/LegendBar.tsx'
import type { Series } from '#console/ui/series/series.ts'
import { commonUnit } from '#domain/charts/axisUnits.ts'

/** The properties of a chart that follow from its tile. @param height of the tile, pixels */
export function chartLook(
  config: TileConfig,
  plan: Pick<QueryPlan, 'span' | 'bucketMs' | 'aggFns'>,
  series: readonly Series[],
  height: number,
) {
  return {
    type: config.displayType === 'line' ? ('line' as const) : ('stackedBar' as const),
    interpolation: interpolations.get(config.lineInterpolation),
    fit: config.fitYAxisToData === true,
    span: plan.span,
    bucketMs: plan.bucketMs,
    unit: commonUnit(series.map(({ unit = 'number' }) => unit)),
    missing: config.fillNulls !== false && isZeroWithoutRows(plan.aggFns) ? ('zero' as const) : ('gap' as const),
    height: Math.max(90, height - (series.length > 1 ? legendBarHeight : 0) - 6),
    dense: true,
    legend: series.length > 1,
  }
}

/** The series of a tile. Colours are assigned by value, then by group, the largest first; all others are neutral. */
export function seriesOf(lines: readonly TileLine[]): Series[] {
  const rank = new Map(
    lines
      .toSorted((a, b) => Number(a.others) - Number(b.others) || a.value - b.value || totalOf(b) - totalOf(a))
      .map((line, at) => [line, at]),
  )
  return lines.map((line) => ({ ...chartedSeries(line), rank: rank.get(line) ?? 0 }))
}

const totalOf = ({ points }: TileLine): number => points.reduce((sum, [, value]) => sum + Math.abs(value ?? 0), 0)

function chartedSeries(line: TileLine): Series {
  return {
    id: line.id,
    label: line.label,
    ...(line.group.length > 0 && { colorName: line.others ? 'others' : line.group.join(' · ') }),
    unit: line.unit,
    accumulates: line.accumulates,
    points: line.points,
    ...(line.previous && { ghost: true, like: line.id.replace(/\/previous$/, '') }),
  }
}

/** Another name is one that a newer deployment has. */
const interpolations = new Map<unknown, LineInterpolation>([
  ['linear', 'linear'],
  ['smooth', 'smooth'],
  ['step', 'step'],
])

/** Counts of a bucket without rows are zero; an average of nothing is nothing. */
export const isZeroWithoutRows = (aggFns: readonly string[]): boolean =>
  aggFns.every((fn) => fn === 'count' || fn === 'sum' || fn === 'count_distinct')
