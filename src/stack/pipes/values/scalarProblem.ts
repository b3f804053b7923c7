/**
 * The problem of a single value of a record. Only certain problems: the engine decides about the others. It refuses most
 * of these values itself, but not numbers that are out of range, and dates and times that do not exist.
 */
import { enumValues, type ColumnType } from './columnType.ts'
import { outOfRange, type Scalar } from './scalar.ts'
import { timeProblem } from './timeProblem.ts'

/** @returns the reason, as the end of a sentence that begins with the value; null if nothing certain is wrong */
export function scalarProblem(type: ColumnType, { kind, text }: Scalar): string | null {
  const integer = integerBounds(type)
  if (integer) return integerProblem(type, integer, kind, text)
  switch (type.name) {
    case 'Float32':
    case 'Float64':
      return isTooLarge(type, text) ? outOfRange(type) : null
    case 'Date':
    case 'Date32':
    case 'DateTime':
    case 'DateTime64':
      return timeProblem(type, kind, text)
    case 'Enum8':
    case 'Enum16':
      return enumProblem(type, kind, text)
    case 'Bool':
      return kind === 'text' || (kind === 'number' && text !== '0' && text !== '1') ? 'is not a Bool' : null
    case 'UUID':
      return kind === 'text' && text.replaceAll('-', '').length >= 32 && /^[\da-f{}-]*$/i.test(text)
        ? null
        : notA(type, kind)
    case 'IPv4':
      return kind === 'text' && /^\d+(?:\.\d+){3}$/.test(text) ? null : notA(type, kind)
    case 'IPv6':
      return kind === 'text' && /^[\da-f:.]*$/i.test(text) && /[:.]/.test(text) ? null : notA(type, kind)
    case 'FixedString':
      return kind === 'text' && Buffer.byteLength(text) > Number(type.args[0]) ? `is longer than ${type.text}` : null
    default:
      return null
  }
}

/** A null is the default of the column, which others decide about. */
function notA(type: ColumnType, kind: Scalar['kind']): string | null {
  return kind === 'word' ? null : `is not a value of ${type.text}`
}

interface Bounds {
  least: bigint
  most: bigint
}

function integerBounds({ name }: ColumnType): Bounds | null {
  const [, unsigned, bits = ''] = /^(U?)Int(8|16|32|64|128|256)$/.exec(name) ?? []
  if (unsigned === undefined) return null
  const size = BigInt(bits)
  if (unsigned === 'U') return { least: 0n, most: (1n << size) - 1n }
  return { least: -(1n << (size - 1n)), most: (1n << (size - 1n)) - 1n }
}

/** More digits than any integer type has. */
const maxDigits = 100

function integerProblem(type: ColumnType, { least, most }: Bounds, kind: Scalar['kind'], text: string): string | null {
  if (kind === 'word') return null
  const digits = /^([+-]?)0*(\d*)$/.exec(text)
  if (!digits) return `is not a whole number, which ${type.text} needs`
  const [, sign, rest = ''] = digits
  if (rest.length > maxDigits) return outOfRange(type)
  const value = BigInt(rest === '' ? 0 : rest) * (sign === '-' ? -1n : 1n)
  return value < least || value > most ? outOfRange(type) : null
}

/** A finite number whose nearest value of the type is infinite. */
function isTooLarge({ name }: ColumnType, text: string): boolean {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return false
  const value = Number(text)
  return !Number.isFinite(name === 'Float32' ? Math.fround(value) : value)
}

function enumProblem(type: ColumnType, kind: Scalar['kind'], text: string): string | null {
  if (kind === 'word') return null
  const values = enumValues(type)
  if (values.has(text)) return null
  const isNumber = /^[+-]?\d+$/.test(text)
  // Its number may be sent as a text.
  if (isNumber && [...values.values()].includes(Number(text))) return null
  return `is not an element of ${type.name}`
}
