/**
 * The number formats of tiles (docs/DEPLOYMENTS.md#tiles), with the figures that the vendor's page shows. A
 * format without `mantissa` has as many digits as a reader needs: the vendor's page shows none.
 */

import { counts, type FormatUnit, type Scale, scaled, seconds, short } from './units.ts'

/** How the numbers of a tile or of a series are written. */
export interface NumberFormat {
  /** `number`, `currency`, `percent`, `byte`, `time`, `duration`, `data_rate`, `throughput`; any other is `number`. */
  output: string
  /** For data, rates and throughputs: what the values are in. */
  numericUnit?: string | undefined
  /** Digits after the point. */
  mantissa?: number | undefined
  thousandSeparated?: boolean | undefined
  /** `1.5k` for 1536. */
  average?: boolean | undefined
  /** For bytes without a unit: in thousands and not in 1024s. */
  decimalBytes?: boolean | undefined
  /** For times and durations: seconds of one unit of the values. */
  factor?: number | undefined
  currencySymbol?: string | undefined
  /** Any text, after the number. */
  unit?: string | undefined
}

/** A unit that values are in: with prefixes that grow with the value, or as it is. */
export type NumericUnit = { base: 1000 | 1024; steps: readonly string[] } | { suffix: string }

const iecBytes = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
const siBytes = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
const iecBits = ['b', 'Kibit', 'Mibit', 'Gibit', 'Tibit', 'Pibit']
const siBits = ['b', 'Kbit', 'Mbit', 'Gbit', 'Tbit', 'Pbit']
/** The largest that bytes without a unit have. */
const moreBytes = [...siBytes, 'EB', 'ZB', 'YB']

const perSecond = (steps: readonly string[]) => steps.map((step) => `${step}/s`)

const sizes = [
  ['kibi', 'Ki'],
  ['kilo', 'K'],
  ['mebi', 'Mi'],
  ['mega', 'M'],
  ['gibi', 'Gi'],
  ['giga', 'G'],
  ['tebi', 'Ti'],
  ['tera', 'T'],
  ['pebi', 'Pi'],
  ['peta', 'P'],
] as const

const fixed = (entries: readonly (readonly [name: string, suffix: string])[]): [string, NumericUnit][] =>
  entries.map(([name, suffix]) => [name, { suffix }])

/** Every unit that a format may name, by the kind of output that it belongs to. */
export const numericUnits: Readonly<Record<'byte' | 'data_rate' | 'throughput', ReadonlyMap<string, NumericUnit>>> = {
  byte: new Map<string, NumericUnit>([
    ['bytes_iec', { base: 1024, steps: iecBytes }],
    ['bytes_si', { base: 1000, steps: siBytes }],
    ['bits_iec', { base: 1024, steps: iecBits }],
    ['bits_si', { base: 1000, steps: siBits }],
    ...fixed(sizes.map(([name, prefix]) => [`${name}bytes`, `${prefix}B`])),
  ]),
  data_rate: new Map<string, NumericUnit>([
    ['packets_sec', { suffix: 'pkt/s' }],
    ['bytes_sec_iec', { base: 1024, steps: perSecond(iecBytes) }],
    ['bytes_sec_si', { base: 1000, steps: perSecond(siBytes) }],
    ['bits_sec_iec', { base: 1024, steps: perSecond(iecBits) }],
    ['bits_sec_si', { base: 1000, steps: perSecond(siBits) }],
    ...fixed(sizes.map(([name, prefix]) => [`${name}bytes_sec`, `${prefix}B/s`])),
    ...fixed(sizes.map(([name, prefix]) => [`${name}bits_sec`, `${prefix}bit/s`])),
  ]),
  throughput: new Map(
    fixed([
      ['cps', 'cps'],
      ['ops', 'ops'],
      ['rps', 'rps'],
      ['reads_sec', 'rps'],
      ['wps', 'wps'],
      ['iops', 'iops'],
      ['cpm', 'cpm'],
      ['opm', 'opm'],
      ['rpm_reads', 'rpm'],
      ['wpm', 'wpm'],
    ]),
  ),
}

const allUnits = new Map(Object.values(numericUnits).flatMap((units) => [...units]))

/** The unit that a format names; only data, rates and throughputs have one. */
const numericUnitOf = ({ output, numericUnit = '' }: NumberFormat): NumericUnit | undefined =>
  Object.hasOwn(numericUnits, output) ? allUnits.get(numericUnit) : undefined

/** Steps of 1024 or 1000, where a value chooses its prefix; undefined where it does not. */
function prefixesOf(format: NumberFormat): { base: number; steps: readonly string[] } | undefined {
  const unit = numericUnitOf(format)
  if (unit) return 'steps' in unit ? unit : undefined
  return format.output === 'byte' ? { base: format.decimalBytes ? 1000 : 1024, steps: moreBytes } : undefined
}

/** Reads what a configuration has; undefined for what is no format. */
export function readNumberFormat(value: unknown): FormatUnit | undefined {
  if (value === null || typeof value !== 'object') return undefined
  const fields = value as Record<string, unknown> // each is checked below
  const text = (key: string) => (typeof fields[key] === 'string' && fields[key] !== '' ? fields[key] : undefined)
  const number = (key: string) => (Number.isFinite(fields[key]) ? Number(fields[key]) : undefined)
  return formatUnit({
    output: text('output') ?? 'number',
    numericUnit: text('numericUnit'),
    mantissa: number('mantissa'),
    thousandSeparated: fields['thousandSeparated'] === true,
    average: fields['average'] === true,
    decimalBytes: fields['decimalBytes'] === true,
    factor: number('factor'),
    currencySymbol: text('currencySymbol'),
    unit: text('unit'),
  })
}

/** A number format as the unit of values. */
export function formatUnit(format: NumberFormat): FormatUnit {
  const { output, numericUnit, decimalBytes, factor, currencySymbol, unit } = format
  const scale = scaleOfFormat(format)
  return {
    full: (value) => formatNumber(value, format),
    short: (value) => formatShortly(value, format, scale),
    scale,
    measure: JSON.stringify([output, numericUnit, decimalBytes === true, factor ?? 1, currencySymbol, unit]),
    plain: output === 'number',
    name: nameOf(format),
  }
}

function nameOf(format: NumberFormat): string {
  const { output, unit } = format
  const named = numericUnitOf(format)
  if (named) return 'suffix' in named ? named.suffix : (named.steps[0] ?? '')
  return unit ?? output.replace('_', ' ')
}

function scaleOfFormat(format: NumberFormat): Scale | null {
  if (format.output === 'duration') return { steps: seconds, factor: format.factor ?? 1, zero: ' ms' }
  const prefixes = prefixesOf(format)
  if (!prefixes) return null
  const { base, steps } = prefixes
  const named = steps.map((step, at) => ({ size: base ** at, suffix: ` ${step}` })).toReversed()
  return { steps: named, factor: 1, zero: ` ${steps[0] ?? ''}` }
}

/** A number format on an axis: with few digits, whatever it asks for elsewhere. */
function formatShortly(value: number, format: NumberFormat, scale: Scale | null): string {
  if (scale) return scaled(value, scale)
  const { output, unit, currencySymbol = '$' } = format
  const behind = unit ? ` ${unit}` : ''
  if (output === 'percent') return `${short.format(value * 100)}%${behind}`
  if (output === 'currency')
    return `${value < 0 ? '-' : ''}${currencySymbol}${scaled(Math.abs(value), counts)}${behind}`
  if (output === 'number') return `${scaled(value, counts)}${behind}`
  return formatNumber(value, { ...format, mantissa: undefined })
}

/** A finite number as its format writes it: `1536 GiB`, `€1,536.00`, `12.34%`, `1.5k`, `30.41 s`. */
export function formatNumber(value: number, format: NumberFormat): string {
  const { output, mantissa, unit, factor = 1 } = format
  if (output === 'duration' || output === 'time') {
    const ms = value * factor * 1000
    if (!Number.isFinite(ms)) return ms > 0 ? '∞' : '-∞'
    return output === 'duration' ? formatDuration(ms) : withUnit(formatClock(ms / 1000), unit)
  }
  const named = numericUnitOf(format)
  if (named && 'suffix' in named) return `${digits(value, mantissa)} ${named.suffix}`
  const prefixes = prefixesOf(format)
  if (prefixes) return withUnit(prefixed(value, prefixes, mantissa), named ? undefined : unit)
  if (output === 'data_rate' || output === 'throughput') return withUnit(digits(value, mantissa), unit)
  if (output === 'percent') return withUnit(`${counted(value * 100, format)}%`, unit)
  if (output !== 'currency') return withUnit(counted(value, format), unit)
  const amount = counted(Math.abs(value), format)
  return withUnit(`${value < 0 ? '-' : ''}${format.currencySymbol ?? '$'}${amount}`, unit)
}

const withUnit = (number: string, unit: string | undefined): string => (unit ? `${number} ${unit}` : number)

const averages = [
  [1e12, 't'],
  [1e9, 'b'],
  [1e6, 'm'],
  [1e3, 'k'],
] as const

/** A number with thousands separators or an abbreviation, if the format asks for them. */
function counted(value: number, { mantissa, thousandSeparated = false, average = false }: NumberFormat): string {
  const [size, letter] = (average && averages.find(([size]) => Math.abs(value) >= size)) || [1, '']
  return `${digits(value / size, mantissa, thousandSeparated)}${letter}`
}

function prefixed(
  value: number,
  { base, steps }: { base: number; steps: readonly string[] },
  mantissa?: number,
): string {
  let step = 0
  let scaled = value
  while (Math.abs(scaled) >= base && step < steps.length - 1) {
    scaled /= base
    step++
  }
  return `${digits(scaled, mantissa)} ${steps[step]}`
}

/** `1:01:01`. */
function formatClock(seconds: number): string {
  const all = Math.round(Math.abs(seconds))
  const two = (part: number) => String(part).padStart(2, '0')
  const clock = `${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}:${two(all % 60)}`
  return seconds < 0 && all > 0 ? `-${clock}` : clock
}

const durationSteps = [
  { below: 1, size: 1e-3, unit: 'µs' },
  { below: 1000, size: 1, unit: 'ms' },
  { below: 60_000, size: 1000, unit: 's' },
  { below: 3_600_000, size: 60_000, unit: 'min' },
  { below: Infinity, size: 3_600_000, unit: 'h' },
] as const

/** Milliseconds in the unit in which they are read: `0.5 µs`, `45 ms`, `30.41 s`, `1.02 h`. */
function formatDuration(ms: number): string {
  if (ms === 0) return '0 ms'
  const size = Math.abs(ms)
  // 999.6 µs round to a millisecond.
  const least = size >= 0.9995 && size < 1 ? 1 : size
  const step = durationSteps.find(({ below }) => least < below) ?? durationSteps[4]
  const amount = ms / step.size
  return `${durationDigits(amount, step.unit)} ${step.unit}`
}

function durationDigits(amount: number, unit: string): string {
  const size = Math.abs(amount)
  if (unit === 'µs') return String(size < 10 ? Number(amount.toPrecision(2)) : Math.round(amount))
  if (unit === 'ms') return String(size < 10 ? Number(amount.toPrecision(3)) : Number(amount.toFixed(1)))
  return String(Number(amount.toFixed(2)))
}

const writers = new Map<string, Intl.NumberFormat>()

/** A number with so many digits after the point; without `mantissa`, three that matter in all. */
function digits(value: number, mantissa: number | undefined, grouped = false): string {
  const size = Math.abs(value)
  if (mantissa === undefined && size > 0 && size < 1e-6) return value.toExponential(2)
  const least = mantissa === undefined ? 0 : Math.min(20, Math.max(0, Math.round(mantissa)))
  const most = mantissa === undefined ? neededDigits(size) : least
  const key = `${least} ${most} ${grouped}`
  let writer = writers.get(key)
  if (!writer) {
    writer = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
      useGrouping: grouped,
      // Neither -0 nor what rounds to it has a sign.
      signDisplay: 'negative',
    })
    writers.set(key, writer)
  }
  return writer.format(value)
}

function neededDigits(size: number): number {
  if (size === 0 || size >= 1000) return 0
  return Math.min(20, Math.max(0, 2 - Math.floor(Math.log10(size))))
}
