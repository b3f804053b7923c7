/** Units on the axis of a chart: round steps, labels, and what several series have in common. */
import { formatShort, scaleOf, type Unit } from './units.ts'

/** Labels of the ticks of an axis. Zero has the unit of the tick next to it: `0 ms` beside `200 ms`. */
export function tickFormat(ticks: readonly number[], unit: Unit = 'number'): (value: number) => string {
  const others = ticks.filter((tick) => tick !== 0).map(Math.abs)
  const zero = scaleOf(unit) && others.length > 0 ? formatShort(Math.min(...others), unit) : null
  return (value) => (value === 0 && zero !== null ? `0${zero.replace(/^[^ ]+/, '')}` : formatShort(value, unit))
}

/** Whether values of the unit are plain numbers, such as counts. */
export const isPlain = (unit: Unit): boolean => (typeof unit === 'object' ? unit.plain : unit === 'number')

/** The unit of an axis over several series: theirs if they have the same, however many digits they show. */
export function commonUnit(all: readonly Unit[]): Unit {
  const [first = 'number'] = all
  return all.every((unit) => measureOf(unit) === measureOf(first)) ? first : 'number'
}

/** Equal for units that share an axis. */
export const measureOf = (unit: Unit): string => (typeof unit === 'string' ? unit : unit.measure)

/** The unit in which round axis steps are round to a reader: 1024s for bytes, minutes for long durations. */
export function tickBase(largest: number, unit: Unit): number {
  const scale = scaleOf(unit)
  if (!scale || unit === 'bits') return 1
  const { steps, factor } = scale
  const step = steps.find(({ size }) => Math.abs(largest) * factor >= size) ?? steps.at(-1)!
  return step.size / factor
}
