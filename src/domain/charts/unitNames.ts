/** The units that a person can choose, as selects show them. */
import { isPlain } from './axisUnits.ts'
import { scaleOf, type Unit, type units } from './units.ts'

export const unitNames: Record<(typeof units)[number], string> = {
  number: 'Number',
  percent: 'Percent (0 to 100)',
  bytes: 'Bytes (KiB, MiB)',
  bits: 'Bits (kbit, Mbit)',
  ns: 'Nanoseconds',
  us: 'Microseconds',
  ms: 'Milliseconds',
  s: 'Seconds',
}

const times: readonly Unit[] = ['ns', 'us', 'ms', 's']

/** The name of a unit in a sentence: `duration`, `bytes`, `GiB`. Values of a duration choose their unit themselves. */
export function unitName(unit: Unit): string {
  if (typeof unit === 'object') return unit.name
  if (times.includes(unit)) return 'duration'
  const name = Object.entries(unitNames).find(([known]) => known === unit)?.[1]
  return name ? name.replace(/ \(.*/, '').toLowerCase() : unit
}

/** Whether values read differently with the unit than as plain numbers. */
export const hasUnit = (unit: Unit): boolean => !(isPlain(unit) && unitName(unit) === 'number')

/** Outputs of number formats that change a number, or that say nothing of what it counts. */
const unnamed = ['number', 'percent', 'currency', 'time', 'duration', 'byte', 'data rate', 'throughput']

/** The unit of values as they are stored, before a page scales them: `ns`, `B`, `%`; empty where they have none. */
export function storedUnit(unit: Unit): string {
  const scale = scaleOf(unit)
  if (scale) return scale.steps.find(({ size }) => size === scale.factor)?.suffix.trim() ?? ''
  if (typeof unit === 'object') return unnamed.includes(unit.name) ? '' : unit.name
  return unit === 'percent' ? '%' : unit === 'number' ? '' : unit
}

/** The header of a column of stored values: `p95 (ns)`. */
export function columnHeader(name: string, unit: Unit = 'number'): string {
  const stored = storedUnit(unit)
  return stored === '' ? name : `${name} (${stored})`
}
