/**
 * OTLP's JSON mapping: IDs in hexadecimal, 64-bit integers as text or number, enumerations by number or name,
 * field names in lowerCamelCase (snake_case is accepted), unknown fields skipped.
 */
import { ByteWriter } from '../../telemetry/native/byteWriter.ts'
import { type DecodeLimits, defaultDecodeLimits, Meter } from './decodeLimits.ts'
import { fieldsOf, type FieldPlan, type MessageName } from './messages.ts'
import { shapeOf, snakeCase } from './shapes.ts'
import { tagOf } from './wireReader.ts'

/** The text is not JSON, or not such a message; the error message names the field. */
export class MalformedJson extends Error {}

/** A message in JSON as bytes of the wire format. Throws `MalformedJson` or `LimitExceeded`. */
export function wireFromJson(name: MessageName, text: string, limits: DecodeLimits = defaultDecodeLimits): Buffer {
  const wire = new ByteWriter(text.length)
  writeMessage({ wire, meter: new Meter(limits) }, name, parse(text), 0)
  return wire.written()
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

/** A field with its tag in the wire format. */
interface TaggedField extends FieldPlan {
  tag: number
}

const plans = new Map<MessageName, Map<string, TaggedField>>()

function planOf(name: MessageName): Map<string, TaggedField> {
  let plan = plans.get(name)
  if (!plan) {
    const fields = fieldsOf(name).map((field) => ({ ...field, tag: tagOf(field) }))
    plan = new Map(fields.flatMap((field) => [field.name, snakeCase(field.name)].map((key) => [key, field])))
    plans.set(name, plan)
  }
  return plan
}

interface Output {
  wire: ByteWriter
  meter: Meter
}

function writeMessage(output: Output, name: MessageName, value: unknown, depth: number): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new MalformedJson(`${name} must be an object`)
  }
  output.meter.depth(depth)
  if (name === 'KeyValue') output.meter.attribute()
  else if (beginsPart(name)) output.meter.beginPart(shapeOf(name).role === 'record')
  const plan = planOf(name)
  for (const key of Object.keys(value)) {
    const field = plan.get(key)
    // JSON has no other objects than records.
    const item = (value as Record<string, unknown>)[key]
    if (!field || item === null || item === undefined) continue
    if (!field.repeated) writeField(output, name, field, item, depth)
    else if (Array.isArray(item)) for (const one of item) writeField(output, name, field, one, depth)
    else throw new MalformedJson(`${name}.${field.name} must be a list`)
  }
}

/** Resets the limits of one record. */
function beginsPart(name: MessageName): boolean {
  return name === 'Resource' || name === 'Scope' || shapeOf(name).role === 'record'
}

function writeField(output: Output, name: MessageName, field: TaggedField, value: unknown, depth: number): void {
  const { wire } = output
  wire.varint(field.tag)
  switch (field.type) {
    case 'string':
      if (typeof value !== 'string') throw wrong(name, field, 'text')
      // An unpaired surrogate, as from a text that was cut within an emoji, becomes a replacement character.
      return wire.string(value)
    case 'bool':
      if (typeof value !== 'boolean') throw wrong(name, field, 'true or false')
      return wire.varint(value ? 1 : 0)
    case 'double':
      return wire.float64(readDouble(value) ?? refuse(name, field, 'a number'))
    case 'int32':
    case 'sint32': {
      const number = readInt(field, value, -0x80000000, 0x7fffffff)
      if (number === undefined) throw wrong(name, field, 'a 32-bit integer or a known name')
      if (field.type === 'sint32') return wire.varint(((number << 1) ^ (number >> 31)) >>> 0)
      return wire.varint64(number >>> 0, number < 0 ? 0xffff_ffff : 0)
    }
    case 'uint32':
    case 'fixed32': {
      const number = readInt(field, value, 0, 0xffffffff)
      if (number === undefined) throw wrong(name, field, 'an unsigned 32-bit integer')
      return field.type === 'uint32' ? wire.varint(number) : wire.uint32(number)
    }
    case 'int64':
    case 'sfixed64':
    case 'uint64':
    case 'fixed64': {
      const isSigned = field.type === 'int64' || field.type === 'sfixed64'
      const bits = readLong(value, isSigned)
      if (bits === undefined) throw wrong(name, field, isSigned ? 'a 64-bit integer' : 'an unsigned 64-bit integer')
      const [low, high] = [Number(bits & 0xffff_ffffn), Number(bits >> 32n)]
      return field.type.endsWith('fixed64') ? wire.uint64(low, high) : wire.varint64(low, high)
    }
    case 'bytes': {
      if (typeof value !== 'string') throw wrong(name, field, 'text')
      const bytes = readBytes(name, value) ?? refuse(name, field, 'an ID in hexadecimal')
      wire.varint(bytes.length)
      return wire.bytes(bytes, 0, bytes.length)
    }
    default: {
      const start = wire.beginPart()
      writeMessage(output, field.type, value, depth + 1)
      return wire.endPart(start)
    }
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

/** The 64 bits of an integer; undefined if it is none, or does not fit. */
function readLong(value: unknown, isSigned: boolean): bigint | undefined {
  if (!isSafeInteger(value) && !isDigits(value)) return undefined
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
function readBytes(name: MessageName, value: string): Buffer | undefined {
  if (name === 'AnyValue') return Buffer.from(value, 'base64')
  const hex = value.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(value)
  return hex ? Buffer.from(value, 'hex') : undefined
}
