/**
 * The unit that a series has by what it reads: durations of spans and the units of metrics. Those of OpenTelemetry are
 * UCUM codes, with annotations in braces.
 */
import type { Formula } from '#contract/stack/dashboards/formulas.ts'
import type { MetricName, Source } from '#contract/stack/sources.ts'
import { commonUnit } from '../charts/axisUnits.ts'
import { isCountFunction, type Unit } from '../charts/units.ts'
import { formatUnit } from '../charts/numberFormat.ts'

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

const seconds = (factor: number): Unit => formatUnit({ output: 'duration', factor })
const data = (numericUnit: string): Unit => formatUnit({ output: 'byte', numericUnit })
const rate = (numericUnit: string): Unit => formatUnit({ output: 'data_rate', numericUnit })

/** The codes of the semantic conventions, and names that some libraries send instead. */
const known: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ['', 'number'],
  ['1', 'number'],
  ['%', 'percent'],
  ['percent', 'percent'],
  ['ns', 'ns'],
  ['us', 'us'],
  ['µs', 'us'],
  ['ms', 'ms'],
  ['milliseconds', 'ms'],
  ['s', 's'],
  ['seconds', 's'],
  ['min', seconds(60)],
  ['h', seconds(3600)],
  ['d', seconds(86_400)],
  ['By', 'bytes'],
  ['bytes', 'bytes'],
  ['bit', 'bits'],
  ['kBy', data('kilobytes')],
  ['KiBy', data('kibibytes')],
  ['MBy', data('megabytes')],
  ['MiBy', data('mebibytes')],
  ['GBy', data('gigabytes')],
  ['GiBy', data('gibibytes')],
  ['TBy', data('terabytes')],
  ['TiBy', data('tebibytes')],
  ['By/s', rate('bytes_sec_iec')],
  ['bit/s', rate('bits_sec_si')],
  ['{packet}/s', rate('packets_sec')],
  ['{packets}/s', rate('packets_sec')],
  ['Cel', '°C'],
])

const maxLength = 40

/** `ms` is milliseconds, `By` bytes, `{request}` and `1` are plain numbers; another one follows the number. */
export function otelUnit(code: string): Unit {
  const unit = known.get(code.trim())
  if (unit !== undefined) return unit
  // An annotation says what is counted, and is no unit.
  const bare = code.replaceAll(/^\{[^{}]*\}$/g, '').replaceAll(/[{}]/g, '')
  const text = bare.replace(/^1\//, '/').trim().slice(0, maxLength)
  return known.get(text) ?? text
}
