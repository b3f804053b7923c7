/** A value and the threshold of an alert in the unit of the values, for its message. */
import { hasUnit } from '../../charts/unitNames.ts'
import { formatValue, type Unit } from '../../charts/units.ts'
import { thresholdMaxOf } from './messageParts.ts'
import type { InUnit, NotifiedAlert } from './notified.ts'

/** Undefined without a unit, because the numbers alone say it. */
export function inUnit(alert: NotifiedAlert, value: number, unit: Unit): InUnit | undefined {
  if (!hasUnit(unit)) return undefined
  const max = thresholdMaxOf(alert)
  const threshold = formatValue(alert.threshold, unit)
  return {
    value: formatValue(value, unit),
    threshold: max === undefined ? threshold : `${threshold} to ${formatValue(max, unit)}`,
  }
}
