/**
 * A second value axis, on the right, for lines in two units. Its lines are drawn in the values of the left axis: what draws
 * knows of one scale only.
 */
import { measureOf } from '#domain/charts/axisUnits.ts'
import type { Unit } from '#domain/charts/units.ts'
import type { Band } from '../series/bands.ts'
import type { Frame } from '../series/series.ts'

export interface SecondAxis {
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

/** The units of both axes; null unless the rows have exactly two. The first row is on the left. */
export function twoUnits({ rows }: Frame, unit: Unit): AxisUnits | null {
  const units = rows.map(({ series }) => series.unit ?? unit)
  const measures = units.map(measureOf)
  if (new Set(measures).size !== 2) return null
  const isRight = measures.map((measure) => measure !== measures[0])
  return { left: units[0] ?? unit, right: units[isRight.indexOf(true)] ?? unit, isRight }
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
