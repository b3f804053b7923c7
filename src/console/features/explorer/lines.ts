/** From the API's points to the series that are drawn. */
import type { ChartPoint } from '#contract/charts.ts'
import { parseFormula } from '#contract/formulas.ts'
import { LosslessNumber } from '#contract/json.ts'
import { type NamedSeries, seriesNames } from '#console/telemetry/seriesNames.ts'
import { evaluate, numberOf } from '#console/telemetry/tileData.ts'
import type { Series } from '#console/ui/chart/series.ts'
import { letters, type SeriesState } from './state.ts'

interface LinesOptions {
  series: readonly SeriesState[]
  /** Over the letters of the series; empty: the series themselves are drawn. */
  formula: string
  unit: string
  /** Whether a formula takes a bucket without records as zero. */
  empty: 'gap' | 'zero'
}

/** One line a group and series (or formula), the largest first within its series. Absent buckets stay absent. */
export function seriesOf(points: readonly ChartPoint[], { series, formula, unit, empty }: LinesOptions): Series[] {
  const groups = gather(points, series.length)
  const names = namesOf(series)
  const computed = formula.trim() ? [formulaColumn(formula, empty === 'zero' ? 0 : null)] : names.map(seriesColumn)
  return computed.flatMap((column) => {
    const lines = [...groups.values()].flatMap(({ group, values }) => {
      const own = column.points(values)
      const named = computed.length > 1 || group.length === 0
      const label = [...(named ? [column.name] : []), ...group].join(' · ')
      const colorName = group.length > 0 ? group.join(' · ') : column.name
      return own.length > 0
        ? [{ id: `${column.id}/${JSON.stringify(group)}`, label, colorName, unit, points: own }]
        : []
    })
    return lines.toSorted((a, b) => totalOf(b) - totalOf(a))
  })
}

type Values = Map<number, number | null>

/** Values of every group, by its text: one map of bucket to value a series. */
export function gather(
  points: readonly ChartPoint[],
  count: number,
): Map<string, { group: string[]; values: Values[] }> {
  const groups = new Map<string, { group: string[]; values: Values[] }>()
  for (const point of points) {
    const group = (point.group ?? []).map(groupText)
    const key = JSON.stringify(group)
    const entry = groups.get(key) ?? { group, values: Array.from({ length: count }, (): Values => new Map()) }
    groups.set(key, entry)
    for (let index = 0; index < count; index++) {
      const value = point[`series_${index}.data`]
      if (value !== undefined) entry.values[index]!.set(point.ts_bucket, numberOf(value))
    }
  }
  return groups
}

/** An empty value has a name, so that its line can be clicked. */
function groupText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(none)'
  if (value instanceof LosslessNumber) return value.value
  return typeof value === 'string' ? value : JSON.stringify(value)
}

interface Column {
  id: string
  name: string
  points: (values: readonly Values[]) => [number, number | null][]
}

function seriesColumn(name: string, index: number): Column {
  return {
    id: letters[index] ?? String(index),
    name,
    points: (values) => [...(values[index] ?? [])].toSorted(([a], [b]) => a - b),
  }
}

function formulaColumn(text: string, nothing: 0 | null): Column {
  const formula = parseFormula(text)
  return {
    id: 'formula',
    name: text,
    points: (values) => {
      const times = [...new Set(values.flatMap((one) => [...one.keys()]))].toSorted((a, b) => a - b)
      return times.map((time) => [time, evaluate(formula, (index) => values[index]?.get(time) ?? nothing)])
    },
  }
}

/** What the series of the page are called, side by side. */
export const namesOf = (series: readonly SeriesState[]): string[] => seriesNames(series.map(namedSeries))

/** A series of the page as names are made of it. */
export const namedSeries = ({ field, ...series }: SeriesState): NamedSeries => ({
  ...series,
  valueExpression: field.trim(),
})

const totalOf = ({ points }: Series): number => points.reduce((sum, [, value]) => sum + (value ?? 0), 0)

/** The same lines one range earlier, moved onto the present one and drawn as ghosts. */
export function earlier(lines: readonly Series[], by: number): Series[] {
  return lines.map((line) => ({
    ...line,
    id: `${line.id}/earlier`,
    label: `${line.label} (previous)`,
    ghost: true,
    like: line.id,
    points: line.points.map(([time, value]) => [time + by, value] as const),
  }))
}
