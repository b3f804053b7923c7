/** From the API's points to the series that are drawn. */
import type { ChartPoint } from '#contract/stack/charts.ts'
import { evaluateFormula, parseFormula } from '#contract/stack/dashboards/formulas.ts'
import {
  type NamedSeries,
  seriesNames,
  isOthersLine,
  lineId,
  othersLineId,
} from '#console/charting/series/seriesNames.ts'
import { accumulates, formulaAccumulates, valueWithoutRows } from '#console/charting/series/combineBuckets.ts'
import { addPoints, type BucketValues, type Groups } from '#console/charting/series/groupValues.ts'
import type { Series } from '#console/ui/series/series.ts'
import { movedBucket } from '#domain/time/localBuckets.ts'
import type { ChartRequest, ResultUnits } from './query.ts'
import { letters, type SeriesState } from './state.ts'

interface LinesOptions {
  series: readonly SeriesState[]
  /** Over the letters of the series; empty: the series themselves are drawn. */
  formula: string
  units: ResultUnits
  /** Whether a formula takes any bucket without records as zero, and not only counts. */
  empty: 'gap' | 'zero'
}

/** One line a group and series (or formula), the largest first within its series, all others last. Absent buckets stay absent. */
export function seriesOf(points: readonly ChartPoint[], { series, formula, units, empty }: LinesOptions): Series[] {
  const groups = groupPoints(points, series.length)
  const names = namesOf(series)
  const aggFns = series.map(({ aggFn }) => aggFn)
  const computed = formula.trim()
    ? [formulaColumn(formula, aggFns, empty === 'zero' ? 0 : null)]
    : names.map((name, index) => seriesColumn(name, index, aggFns))
  return computed.flatMap((column, at) => {
    const unit = (formula.trim() ? null : units.series[at]) ?? units.common
    const lines = [...groups.values()].flatMap(({ group, others, values }) => {
      const own = column.points(values)
      const named = computed.length > 1 || group.length === 0
      const label = [...(named ? [column.name] : []), ...group].join(' · ')
      const colorName = others ? 'others' : group.length > 0 ? group.join(' · ') : column.name
      if (own.length === 0) return []
      const id = others ? othersLineId(column.id) : lineId(column.id, group)
      return [{ id, label, colorName, unit, points: own, accumulates: column.accumulates }]
    })
    return lines.toSorted((a, b) => Number(isOthersLine(a.id)) - Number(isOthersLine(b.id)) || totalOf(b) - totalOf(a))
  })
}

/** Values of every group, by its text. */
export function groupPoints(points: readonly ChartPoint[], count: number): Groups {
  const groups: Groups = new Map()
  addPoints(groups, points, { first: 0, count, total: count })
  return groups
}

interface Column {
  id: string
  name: string
  accumulates: boolean
  points: (values: readonly BucketValues[]) => [number, number | null][]
}

function seriesColumn(name: string, index: number, aggFns: readonly string[]): Column {
  return {
    id: letters[index] ?? String(index),
    name,
    accumulates: accumulates(aggFns[index] ?? ''),
    points: (values) => [...(values[index] ?? [])].toSorted(([a], [b]) => a - b),
  }
}

function formulaColumn(text: string, aggFns: readonly string[], nothing: 0 | null): Column {
  const formula = parseFormula(text)
  return {
    id: 'formula',
    name: text,
    accumulates: formulaAccumulates(formula, aggFns),
    points: (values) => {
      const times = [...new Set(values.flatMap((value) => [...value.keys()]))].toSorted((a, b) => a - b)
      const valueAt = (index: number, time: number) =>
        values[index]?.get(time) ?? valueWithoutRows(aggFns[index] ?? '') ?? nothing
      return times.map((time) => [time, evaluateFormula(formula, (index) => valueAt(index, time))])
    },
  }
}

/** The names of all series of the page. */
export const namesOf = (series: readonly SeriesState[]): string[] => seriesNames(series.map(namedSeries))

/** A series with the values for its name. */
export const namedSeries = ({ field, ...series }: SeriesState): NamedSeries => ({
  ...series,
  valueExpression: field.trim(),
})

const totalOf = ({ points }: Series): number => points.reduce((sum, [, value]) => sum + (value ?? 0), 0)

type Moved = Pick<ChartRequest, 'earlier' | 'bucketMs' | 'zone'>

/** Lines of an earlier range, moved onto the present one and drawn as ghosts. */
export function earlier(lines: readonly Series[], { earlier: by, bucketMs, zone }: Moved, name = 'previous'): Series[] {
  const labelSuffix = ` (${name})`
  return lines.map((line) => ({
    ...line,
    id: `${line.id}/earlier`,
    label: `${line.label}${labelSuffix}`,
    labelSuffix,
    ghost: true,
    like: line.id,
    points: line.points.map(([time, value]) => [movedBucket(time, by, bucketMs, zone), value] as const),
  }))
}
