/** The number format of a tile as fields of a form, and back. Fields of it that the form does not have stay. */
import { numberOf } from '#console/charting/series/groupValues.ts'
import { numericUnits } from '#domain/charts/numberFormat.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'

export interface NumberFormatForm {
  /** Empty where the tile has no format: its units are automatic. */
  output: string
  numericUnit: string
  /** Text after the number, or the symbol of a currency. */
  unit: string
  factor: number | null
  mantissa: number | null
  thousandSeparated: boolean
  average: boolean
  decimalBytes: boolean
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export function readNumberFormatForm(value: unknown): NumberFormatForm {
  const format = isPlainObject(value) ? value : {}
  return {
    output: text(format.output),
    numericUnit: text(format.numericUnit),
    unit: text(format.output) === 'currency' ? text(format.currencySymbol) : text(format.unit),
    factor: numberOf(format.factor),
    mantissa: numberOf(format.mantissa),
    thousandSeparated: format.thousandSeparated === true,
    average: format.average === true,
    decimalBytes: format.decimalBytes === true,
  }
}

/** The units that values of an output may be in, and what they are called. */
export function numericUnitsOf(output: string): { value: string; label: string }[] {
  const units = Object.entries(numericUnits).find(([name]) => name === output)?.[1] ?? []
  return [...units].map(([value, unit]) => ({
    value,
    label: 'suffix' in unit ? unit.suffix : `${unit.steps[0]}, ${unit.steps[1]}, ${unit.steps[2]} …`,
  }))
}

/** The settings of an output, besides its digits. */
export const takes = {
  unit: (output: string) => !['', 'duration'].includes(output),
  factor: (output: string) => output === 'duration' || output === 'time',
  mantissa: (output: string) => !['', 'duration', 'time'].includes(output),
  separators: (output: string) => ['number', 'currency', 'percent'].includes(output),
  decimalBytes: (output: string, numericUnit: string) => output === 'byte' && numericUnit === '',
}

/** The format after a change of the form; undefined for none. */
export function writeNumberFormat(before: unknown, initial: NumberFormatForm, form: NumberFormatForm): unknown {
  const keys = ['output', 'numericUnit', 'factor', 'mantissa', 'thousandSeparated', 'average', 'decimalBytes'] as const
  const changed = keys.filter((key) => form[key] !== initial[key])
  if (changed.length === 0 && form.unit === initial.unit) return before
  if (form.output === '') return undefined
  let format: JsonObject = isPlainObject(before) ? before : {}
  for (const key of changed) format = setOrDelete(format, key, form[key])
  if (form.output !== initial.output && !numericUnitsOf(form.output).some(({ value }) => value === format.numericUnit))
    format = setOrDelete(format, 'numericUnit', '')
  if (form.unit !== initial.unit || form.output !== initial.output) {
    const isCurrency = form.output === 'currency'
    format = setOrDelete(
      setOrDelete(format, 'currencySymbol', isCurrency ? form.unit : ''),
      'unit',
      isCurrency ? '' : form.unit,
    )
  }
  return format
}

function setOrDelete(object: JsonObject, key: string, value: unknown): JsonObject {
  const { [key]: _before, ...rest } = object
  return value === '' || value === null || value === false ? rest : { ...object, [key]: value }
}
