/** The unit of the values that an alert compares with its threshold. */
import type { Source } from '#contract/stack/sources.ts'
import { automaticUnit, formulaUnit, type MetricUnits } from '../series/seriesUnits.ts'
import { readNumberFormat } from '../charts/numberFormat.ts'
import type { Unit } from '../charts/units.ts'
import type { AlertSeriesQuery } from './alertQuery.ts'

/** The unit of what a query reads: durations of spans and the units of metrics; `number` for the rest. */
export function comparedUnit(
  { series, value }: AlertSeriesQuery,
  source: Source | undefined,
  metricUnits: MetricUnits,
): Unit {
  const unitAt = (index: number) => {
    const { field, metricDataType, ...one } = series[index] ?? {}
    return automaticUnit({ ...one, valueExpression: field, metricType: metricDataType }, source, metricUnits)
  }
  return formulaUnit(value, unitAt)
}

/** The fields of a tile's configuration that decide how its values are formatted. */
interface FormattedTile {
  numberFormat?: unknown
  select?: unknown
  formulas?: unknown
  asRatio?: unknown
}

/** The number format of the value of a tile that an alert compares: its last formula, its ratio, or its last series. */
export function tileFormat(config: object): Unit | undefined {
  // Each field is checked where it is read.
  const { numberFormat, select, formulas, asRatio } = config as FormattedTile
  const last = lastOf(formulas) ?? (asRatio === true ? undefined : lastOf(select))
  return readNumberFormat(last?.['numberFormat']) ?? readNumberFormat(numberFormat)
}

function lastOf(list: unknown): Record<string, unknown> | undefined {
  const last: unknown = Array.isArray(list) ? list.at(-1) : undefined
  // Its fields are checked by who reads them.
  return typeof last === 'object' && last !== null ? (last as Record<string, unknown>) : undefined
}
