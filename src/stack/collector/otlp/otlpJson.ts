/**
 * OTLP's JSON mapping: IDs in hexadecimal, 64-bit integers as text or number, enumerations by number or name,
 * field names in lowerCamelCase (snake_case is accepted), unknown fields skipped.
 */
import Long from 'long'
import { type DecodeLimits, defaultDecodeLimits, maxDepth, Meter, tooDeep } from './decodeLimits.ts'
import { create, fieldsOf, type FieldPlan, type Message, type MessageName } from './messages.ts'
import { shapeOf, snakeCase } from './shapes.ts'

/** The text is not JSON, or not such a message; the error message names the field. */
export class MalformedJson extends Error {}

/** Reads a message from JSON text. The result equals that of `decode` for the same message. Throws `LimitExceeded`. */
export function decodeJson<N extends MessageName>(
  name: N,
  text: string,
  limits: DecodeLimits = defaultDecodeLimits,
): Message<N> {
  // `readMessage` fills the class that the table of `Message` describes.
  return readMessage(name, parse(text), 0, new Meter(limits)) as unknown as Message<N>
}

/** A run of 16 digits outside of quotes may be an integer that a double cannot hold. */
const longNumber = /[:[,\s]-?\d{16}/

function parse(text: string): unknown {
  try {
    return JSON.parse(longNumber.test(text) ? withLongIntegersAsText(text) : text)
  } catch (error) {
    if (error instanceof MalformedJson) throw error
    throw new MalformedJson(`not JSON: ${error instanceof Error ? error.message.slice(0, 200) : 'unreadable'}`)
  }
}

/** More digits than any double has. */
const maxDigits = 1100

/** Quotes integers of 16 digits and more, which is a valid notation of a 64-bit integer. */
function withLongIntegersAsText(text: string): string {
  const parts: string[] = []
  let kept = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x2d || isDigit(code)) {
      const end = endOfNumber(text, at)
      if (end - at > maxDigits) throw new MalformedJson(`a number may have at most ${maxDigits} digits`)
      if (end - at >= 16 && /^-?\d+$/.test(text.slice(at, end))) {
        parts.push(text.slice(kept, at), '"', text.slice(at, end), '"')
        kept = end
      }
      at = end
    } else at += 1
  }
  return parts.join('') + text.slice(kept)
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
  return at + 1
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1
  for (
    let code = text.charCodeAt(at);
    isDigit(code) || code === 0x2e || code === 0x2b || code === 0x2d || code === 0x45 || code === 0x65;
  ) {
    at += 1
    code = text.charCodeAt(at)
  }
  return at
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

const plans = new Map<MessageName, Map<string, FieldPlan>>()

function planOf(name: MessageName): Map<string, FieldPlan> {
  let plan = plans.get(name)
  if (!plan) {
    plan = new Map(fieldsOf(name).flatMap((field) => [field.name, snakeCase(field.name)].map((key) => [key, field])))
    plans.set(name, plan)
  }
  return plan
}

function readMessage(name: MessageName, value: unknown, depth: number, meter: Meter): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new MalformedJson(`${name} must be an object`)
  }
  if (depth > maxDepth) throw tooDeep()
  if (name === 'KeyValue') meter.attribute()
  else if (beginsPart(name)) meter.beginPart(shapeOf(name).role === 'record')
  const plan = planOf(name)
  const message = create(name)
  for (const key of Object.keys(value)) {
    const field = plan.get(key)
    // JSON has no other objects than records.
    const item = (value as Record<string, unknown>)[key]
    if (!field || item === null || item === undefined) continue
    message[field.name] = field.repeated
      ? readList(name, field, item, depth, meter)
      : readValue(name, field, item, depth, meter)
  }
  return message
}

/** Resets the limits of one record. */
function beginsPart(name: MessageName): boolean {
  return name === 'Resource' || name === 'Scope' || shapeOf(name).role === 'record'
}

function readList(name: MessageName, field: FieldPlan, value: unknown, depth: number, meter: Meter): unknown[] {
  if (!Array.isArray(value)) throw new MalformedJson(`${name}.${field.name} must be a list`)
  return value.map((item) => readValue(name, field, item, depth, meter))
}

function readValue(name: MessageName, field: FieldPlan, value: unknown, depth: number, meter: Meter): unknown {
  switch (field.type) {
    case 'string':
      if (typeof value !== 'string') throw wrong(name, field, 'text')
      // An unpaired surrogate, as from a text that was cut within an emoji, cannot be stored.
      return value.toWellFormed()
    case 'bool':
      if (typeof value !== 'boolean') throw wrong(name, field, 'true or false')
      return value
    case 'double':
      return readDouble(value) ?? refuse(name, field, 'a number')
    case 'int32':
    case 'sint32':
      return readInt(field, value, -0x80000000, 0x7fffffff) ?? refuse(name, field, 'a 32-bit integer or a known name')
    case 'uint32':
    case 'fixed32':
      return readInt(field, value, 0, 0xffffffff) ?? refuse(name, field, 'an unsigned 32-bit integer')
    case 'int64':
    case 'sfixed64':
      return readLong(value, false) ?? refuse(name, field, 'a 64-bit integer')
    case 'uint64':
    case 'fixed64':
      return readLong(value, true) ?? refuse(name, field, 'an unsigned 64-bit integer')
    case 'bytes':
      if (typeof value !== 'string') throw wrong(name, field, 'text')
      return readBytes(name, value) ?? refuse(name, field, 'an ID in hexadecimal')
    default:
      return readMessage(field.type, value, depth + 1, meter)
  }
}

function wrong(name: MessageName, field: FieldPlan, wanted: string): MalformedJson {
  return new MalformedJson(`${name}.${field.name} must be ${wanted}`)
}

function refuse(name: MessageName, field: FieldPlan, wanted: string): never {
  throw wrong(name, field, wanted)
}

const namedDoubles: Record<string, number> = { NaN, Infinity, '-Infinity': -Infinity }

function readDouble(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const number = namedDoubles[value] ?? (value.trim() === '' ? NaN : Number(value))
  return Number.isNaN(number) && value !== 'NaN' ? undefined : number
}

function readInt(field: FieldPlan, value: unknown, min: number, max: number): number | undefined {
  if (typeof value === 'string' && field.labels) {
    const at = field.labels.indexOf(value)
    if (at >= 0) return at
  }
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

function readLong(value: unknown, unsigned: boolean): Long | undefined {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || (unsigned && value < 0)) return undefined
    return Long.fromNumber(value, unsigned)
  }
  if (typeof value !== 'string' || !/^-?\d{1,20}$/.test(value)) return undefined
  const integer = BigInt(value)
  const fits = (unsigned ? BigInt.asUintN(64, integer) : BigInt.asIntN(64, integer)) === integer
  return fits
    ? Long.fromBits(Number(integer & 0xffffffffn), Number((integer >> 32n) & 0xffffffffn), unsigned)
    : undefined
}

/** IDs are hexadecimal in OTLP; bytes as an attribute's value are base64, as usual in JSON of protobuf. */
function readBytes(name: MessageName, value: string): Buffer | undefined {
  if (name === 'AnyValue') return Buffer.from(value, 'base64')
  const hex = value.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(value)
  return hex ? Buffer.from(value, 'hex') : undefined
}
