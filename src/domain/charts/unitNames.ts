/** Names of units. */
import { isPlain } from './axisUnits.ts'
import type { Unit, units } from './units.ts'

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
