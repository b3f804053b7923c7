/** The values of scalar fields in JSON. Each function returns undefined if the value is not of its type. */
import type { FieldPlan, MessageName } from './messages.ts'

const namedDoubles: Record<string, number> = { NaN, Infinity, '-Infinity': -Infinity }

export function readDouble(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return undefined
  const number = namedDoubles[value] ?? (value.trim() === '' ? NaN : Number(value))
  return Number.isNaN(number) && value !== 'NaN' ? undefined : number
}

export function readInt({ labels }: FieldPlan, value: unknown, min: number, max: number): number | undefined {
  if (typeof value === 'string' && labels) {
    const at = labels.indexOf(value)
    if (at >= 0) return at
  }
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

/** The 64 bits of an integer. */
export function readLong(value: unknown, isSigned: boolean): bigint | undefined {
  if (typeof value !== 'bigint' && !isSafeInteger(value) && !isDigits(value)) return undefined
  const integer = BigInt(value)
  const bits = BigInt.asUintN(64, integer)
  return (isSigned ? BigInt.asIntN(64, bits) : bits) === integer ? bits : undefined
}

function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isDigits(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value)
}

/** IDs are hexadecimal in OTLP; bytes as an attribute's value are base64, as usual in JSON of protobuf. */
export function readBytes(name: MessageName, value: unknown): Buffer | undefined {
  if (typeof value !== 'string') return undefined
  if (name === 'AnyValue') return Buffer.from(value, 'base64')
  const hex = value.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(value)
  return hex ? Buffer.from(value, 'hex') : undefined
}
