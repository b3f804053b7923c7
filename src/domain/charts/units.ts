/** Formats numbers with their unit: SI and IEC prefixes, durations, few digits. */

export const units = ['number', 'percent', 'bytes', 'bits', 'ns', 'us', 'ms', 's'] as const
/** A known unit, or any other text, which follows the number. */
export type Unit = (typeof units)[number] | (string & {})

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

/** A dash of the same width as a digit: there is no value. */
export const noValue = '–'

interface Step {
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
const seconds: Step[] = [
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
const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** A value with its unit as a table or tooltip shows it: `1,234`, `1.5 MiB`, `230 ms`. */
export function formatValue(value: number | null | undefined, unit: Unit = 'number'): string {
  if (value == null || Number.isNaN(value)) return noValue
  if (unit === 'number') return plain(value)
  if (unit === 'percent') return `${plain(value)} %`
  const steps = stepsOf(unit)
  return steps ? scaled(value, unit, steps) : `${plain(value)} ${unit}`
}

/** The same, as short as an axis needs it: `1.2k`. */
export function formatShort(value: number, unit: Unit = 'number'): string {
  if (unit === 'percent') return `${short.format(value)} %`
  const steps = stepsOf(unit)
  if (steps) return scaled(value, unit, steps)
  const number = scaled(value, 'number', [...si, { size: 1, suffix: '' }])
  return unit === 'number' ? number : `${number} ${unit}`
}

function plain(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞'
  const size = Math.abs(value)
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return value.toExponential(3)
  return size >= 1000 || Number.isInteger(value) ? whole.format(value) : part.format(value)
}

function stepsOf(unit: Unit): Step[] | null {
  if (unit === 'bytes') return iec
  if (unit === 'bits') return bits
  return inSeconds[unit] ? seconds : null
}

function scaled(value: number, unit: Unit, steps: Step[]): string {
  if (!Number.isFinite(value)) return plain(value)
  const amount = value * (inSeconds[unit] ?? 1)
  if (amount === 0) return '0'
  // 999.6 rounds to 1,000 of the smaller step: the larger one is meant.
  const step = steps.find(({ size }) => Math.abs(amount) >= size * 0.9995) ?? steps.at(-1)!
  const number = amount / step.size
  const size = Math.abs(number)
  return `${size < 1e-3 || size >= 1e6 ? number.toExponential(1) : short.format(number)}${step.suffix}`
}

/** The unit in which round axis steps are round to a reader: 1024s for bytes, minutes for long durations. */
export function tickBase(largest: number, unit: Unit): number {
  const steps = stepsOf(unit)
  if (!steps || unit === 'bits') return 1
  const perSecond = inSeconds[unit] ?? 1
  const step = steps.find(({ size }) => Math.abs(largest) * perSecond >= size) ?? steps.at(-1)!
  return step.size / perSecond
}
