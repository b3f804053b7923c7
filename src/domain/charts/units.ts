/**
 * Formats numbers with their unit: SI and IEC prefixes, durations, few digits. Every page has this file: what only charts
 * need is beside it.
 */

export const units = ['number', 'percent', 'bytes', 'bits', 'ns', 'us', 'ms', 's'] as const
/** A known unit, any other text, which follows the number, or a number format. */
export type Unit = (typeof units)[number] | (string & {}) | FormatUnit

/** A number format as a unit: see `numberFormat.ts`. */
export interface FormatUnit {
  /** A finite number in full. */
  full: (value: number) => string
  /** A finite number as an axis needs it. */
  short: (value: number) => string
  /** The steps by which values are written, if they choose their own. */
  scale: Scale | null
  /** Equal for formats that differ only by digits. */
  measure: string
  /** Whether values are plain numbers. */
  plain: boolean
  /** Its name in a sentence. */
  name: string
}

/** Whether an aggregate counts, so that its values have no unit, and are 0 without rows. */
export const isCountFunction = (aggFn: string | undefined): boolean => aggFn === 'count' || aggFn === 'count_distinct'

/** A dash of the same width as a digit: there is no value. */
export const noValue = '–'

export interface Step {
  size: number
  suffix: string
}

const si: Step[] = [
  { size: 1e12, suffix: 'T' },
  { size: 1e9, suffix: 'G' },
  { size: 1e6, suffix: 'M' },
  { size: 1e3, suffix: 'k' },
]
const iec: Step[] = [
  { size: 2 ** 40, suffix: ' TiB' },
  { size: 2 ** 30, suffix: ' GiB' },
  { size: 2 ** 20, suffix: ' MiB' },
  { size: 2 ** 10, suffix: ' KiB' },
  { size: 1, suffix: ' B' },
]
const bits: Step[] = [...si.map((step) => ({ ...step, suffix: ` ${step.suffix}bit` })), { size: 1, suffix: ' bit' }]
export const seconds: Step[] = [
  { size: 86_400, suffix: ' d' },
  { size: 3600, suffix: ' h' },
  { size: 60, suffix: ' min' },
  { size: 1, suffix: ' s' },
  { size: 1e-3, suffix: ' ms' },
  { size: 1e-6, suffix: ' µs' },
  { size: 1e-9, suffix: ' ns' },
]
const inSeconds: Partial<Record<string, number>> = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1 }

const part = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 })
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
export const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** A value with its unit as a table or tooltip shows it: `1,234`, `1.5 MiB`, `230 ms`. */
export function formatValue(value: number | null | undefined, unit: Unit = 'number'): string {
  if (value == null || Number.isNaN(value)) return noValue
  if (typeof unit === 'object') return Number.isFinite(value) ? unit.full(value) : plain(value)
  if (unit === 'number') return plain(value)
  if (unit === 'percent') return `${plain(value)} %`
  const scale = scaleOf(unit)
  return scale ? scaled(value, scale) : `${plain(value)} ${unit}`
}

/** A value with its unit, as short as an axis needs it: `1.2k`. */
export function formatShort(value: number, unit: Unit = 'number'): string {
  if (!Number.isFinite(value)) return plain(value)
  if (typeof unit === 'object') return unit.short(value)
  const scale = scaleOf(unit)
  if (scale) return scaled(value, scale)
  if (unit === 'percent') return `${short.format(value)} %`
  const number = scaled(value, counts)
  return unit === 'number' ? number : `${number} ${unit}`
}

function plain(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞'
  const size = Math.abs(value)
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return value.toExponential(3)
  return size >= 1000 || Number.isInteger(value) ? whole.format(value) : part.format(value)
}

/** Steps of a unit, the largest first, and how many of the smallest whole one a value is. */
export interface Scale {
  steps: readonly Step[]
  factor: number
  /** The unit of zero. */
  zero: string
}

export const counts: Scale = { steps: [...si, { size: 1, suffix: '' }], factor: 1, zero: '' }

/** The steps by which values of a unit are written; null where they have none, or those of counts. */
export function scaleOf(unit: Unit): Scale | null {
  if (typeof unit === 'object') return unit.scale
  if (unit === 'bytes') return { steps: iec, factor: 1, zero: ' B' }
  if (unit === 'bits') return { steps: bits, factor: 1, zero: ' bit' }
  const factor = inSeconds[unit]
  return factor === undefined ? null : { steps: seconds, factor, zero: ` ${unit === 'us' ? 'µs' : unit}` }
}

export function scaled(value: number, { steps, factor, zero }: Scale): string {
  if (!Number.isFinite(value)) return plain(value)
  const amount = value * factor
  if (amount === 0) return `0${zero}`
  // 999.6 rounds to 1,000 of the smaller step: the larger one is meant.
  const step = steps.find(({ size }) => Math.abs(amount) >= size * 0.9995) ?? steps.at(-1)!
  const number = amount / step.size
  const size = Math.abs(number)
  return `${size < 1e-3 || size >= 1e6 ? number.toExponential(1) : short.format(number)}${step.suffix}`
}

/** Nanoseconds, as spans have them. */
export function formatNanoseconds(value: string): string {
  const length = Number(value)
  if (value === '' || !Number.isFinite(length)) return value
  const [size, unit] = nanoseconds.find(([size]) => length >= size) ?? [1, 'ns']
  return `${Number((length / size).toPrecision(3)).toLocaleString('en-US')} ${unit}`
}

const nanoseconds: [size: number, unit: string][] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
]
