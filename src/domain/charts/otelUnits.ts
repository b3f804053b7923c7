/** Display units of OpenTelemetry's metric units. They are UCUM codes, with annotations in braces. */
import { formatUnit } from './numberFormat.ts'
import type { Unit } from './units.ts'

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
