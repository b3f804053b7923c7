/** The unit that a series has by what it reads: durations of spans and the units of metrics. */
import type { Formula } from '#contract/stack/dashboards/formulas.ts'
import type { MetricName, Source } from '#contract/stack/sources.ts'
import { commonUnit } from '../charts/axisUnits.ts'
import { otelUnit } from '../charts/otelUnits.ts'
import { isCountFunction, type Unit } from '../charts/units.ts'

/** OpenTelemetry's unit of each metric of a source, by `metricKey`. */
export type MetricUnits = ReadonlyMap<string, string>

interface UnitItem {
  aggFn?: string | undefined
  valueExpression?: string | undefined
  metricName?: string | undefined
  metricType?: string | undefined
}

const metricKey = ({ type, name }: { type: string; name: string }): string => `${type} ${name}`

/** The units of metrics that have one. */
export const unitsByKey = (all: readonly MetricName[]): MetricUnits =>
  new Map(all.flatMap(({ type, name, unit }) => (unit ? [[metricKey({ type, name }), unit] as const] : [])))

const durationUnits: Partial<Record<number, Unit>> = { 0: 's', 3: 'ms', 6: 'us', 9: 'ns' }

/** The unit of a series of a source; `number` for counts, and where none is known. */
export function automaticUnit(item: UnitItem, source: Source | undefined, metricUnits: MetricUnits): Unit {
  const { aggFn = 'count', valueExpression = '', metricName = '', metricType: type = '' } = item
  if (!source || isCountFunction(aggFn)) return 'number'
  if (source.kind === 'metric') return otelUnit(metricUnits.get(metricKey({ type, name: metricName })) ?? '')
  const duration = source.durationExpression ?? (source.kind === 'trace' ? 'Duration' : undefined)
  if (duration === undefined || valueExpression.trim() !== duration) return 'number'
  // The specification of sources has no precision: nanoseconds, unless the deployment returns another.
  return durationUnits[Number(source.durationPrecision ?? 9)] ?? 'number'
}

/**
 * The unit of a formula, where it is that of its series: a sum of durations is one, and so is a duration by a count. The
 * share of a duration in another is a number. So is what a constant is applied to, which may convert a unit.
 */
export function formulaUnit(formula: Formula, unitAt: (index: number) => Unit): Unit {
  switch (formula.kind) {
    case 'number':
      return 'number'
    case 'series':
      return unitAt(formula.index)
    case 'negation':
      return formulaUnit(formula.operand, unitAt)
    case 'operation': {
      if (formula.left.kind === 'number' || formula.right.kind === 'number') return 'number'
      const [left, right] = [formulaUnit(formula.left, unitAt), formulaUnit(formula.right, unitAt)]
      const same = commonUnit([left, right])
      if (formula.operator === '+' || formula.operator === '-') return same
      if (right === 'number') return left
      return formula.operator === '*' && left === 'number' ? right : 'number'
    }
  }
}
