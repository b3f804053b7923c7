/**
 * A second value axis, on the right, for lines in two units. Its lines are drawn in the values of the left axis: what draws
 * knows of one scale only.
 */
import { measureOf } from '#domain/charts/axisUnits.ts'
import type { Unit } from '#domain/charts/units.ts'
import { unitName } from '#domain/charts/unitNames.ts'
import type { Band } from '../series/bands.ts'
import type { Frame, FrameRow, Series } from '../series/series.ts'
import type { ChartType } from './chartTypes.ts'
import { capitalized } from '#domain/text/words.ts'

export interface SecondAxis {
  /** The names of both axes. */
  titles: { left: string; right: string }
  /** The ids of the series that belong to it. */
  ids: ReadonlySet<string>
  /** Where its labels are, in values of the left axis. */
  ticks: number[]
  /** The label at such a value. */
  formatTick: (value: number) => string
  /** Pixels that the labels take. */
  width: number
}

export interface AxisUnits {
  left: Unit
  right: Unit
  /** Whether each row of the frame belongs to the right axis. */
  isRight: readonly boolean[]
}

interface AxisChoice {
  rows: readonly Pick<FrameRow, 'series'>[]
  type: ChartType
  log?: boolean | undefined
  unit: Unit
}

/** The units of both axes; null unless these are lines in exactly two. The first row is on the left. */
export function twoUnits({ rows, type, log = false, unit }: AxisChoice): AxisUnits | null {
  if (type !== 'line' || log) return null
  const units = rows.map(({ series }) => series.unit ?? unit)
  const measures = units.map(measureOf)
  if (new Set(measures).size !== 2) return null
  const isRight = measures.map((measure) => measure !== measures[0])
  return { left: units[0] ?? unit, right: units[isRight.indexOf(true)] ?? unit, isRight }
}

/**
 * The groups of the legend of a chart: those that its series have, and in a chart with two axes the axis. The side of an axis
 * is named while both are drawn.
 */
export function legendGroups(choice: AxisChoice, drawn: Frame): ((series: Series) => string) | undefined {
  const units = twoUnits(choice)
  if (!units) return undefined
  const both = twoUnits({ ...choice, rows: drawn.rows })
  const sideOf = (isRight: boolean) => {
    const name = capitalized(unitName(isRight ? units.right : units.left))
    return both ? `${name}, ${isRight ? 'right' : 'left'} axis` : name
  }
  const sides = new Map(choice.rows.map(({ series }, at) => [series.id, sideOf(units.isRight[at] ?? false)]))
  return (series) => [...(series.group ? [series.group] : []), sides.get(series.id) ?? ''].join(' · ')
}

/** `Duration (ms)`: what the values are, and the unit of the labels where all have the same. */
export function axisTitle(unit: Unit, labels: readonly string[]): string {
  const name = capitalized(unitName(unit))
  const suffixes = new Set(labels.map((label) => / (\D+)$/.exec(label)?.[1]))
  const [suffix] = suffixes
  return suffixes.size === 1 && suffix && suffix !== unitName(unit) ? `${name} (${suffix})` : name
}

/** A function from the values of one axis to those of another: both begin and end at their first and last tick. */
export function betweenAxes(from: readonly number[], to: readonly number[]): (value: number) => number {
  const [low = 0, high = low] = [from[0], from.at(-1)]
  const [start = 0, end = start] = [to[0], to.at(-1)]
  return (value) => start + ((value - low) / (high - low || 1)) * (end - start)
}

/** Bands of the right axis in values of the left one. */
export function movedBands(
  bands: readonly Band[],
  isRight: readonly boolean[],
  move: (value: number) => number,
): Band[] {
  const moved = (values: Band['high']) => values.map((value) => (value === null ? null : move(value)))
  return bands.map((band, at) => (isRight[at] ? { low: moved(band.low), high: moved(band.high) } : band))
}
