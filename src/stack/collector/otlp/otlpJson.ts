/**
 * OTLP's JSON mapping: IDs in hexadecimal, 64-bit integers as text or number, enumerations by number or name,
 * field names in lowerCamelCase (snake_case is accepted), unknown fields skipped. One pass over the bytes of the text,
 * which creates no objects. A field that comes twice counts as in the wire format: lists are joined, and otherwise the
 * last one is kept.
 */
import { ByteWriter } from '../../telemetry/native/byteWriter.ts'
import { type DecodeLimits, defaultDecodeLimits, Meter } from './decodeLimits.ts'
import { JsonScanner, MalformedJson } from './jsonScanner.ts'
import { type FieldPlan, fieldsOf, type MessageName } from './messages.ts'
import { shapeOf, snakeCase } from './shapes.ts'
import { tagOf } from './wireReader.ts'

/** A message in JSON as bytes of the wire format. Throws `MalformedJson` or `LimitExceeded`. */
export function wireFromJson(
  name: MessageName,
  text: Buffer | string,
  limits: DecodeLimits = defaultDecodeLimits,
): Buffer {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const wire = new ByteWriter(bytes.length)
  const json = new JsonScanner(bytes)
  writeMessage({ json, wire, meter: new Meter(limits) }, jsonFieldsOf(name), 0)
  json.finish()
  return wire.written()
}

interface Step {
  json: JsonScanner
  wire: ByteWriter
  meter: Meter
}

function writeMessage(step: Step, fields: JsonFields, depth: number): void {
  const { json, meter } = step
  if (!json.isObject()) throw new MalformedJson(`${fields.message} must be an object`)
  meter.depth(depth)
  if (fields.isAttribute) meter.attribute()
  else if (fields.beginsPart) meter.beginPart(fields.isRecord)
  for (let more = json.object(); more; more = json.nextMember()) {
    json.name()
    const field = findField(json, fields)
    if (!field) json.skip()
    else if (json.isNull()) continue
    else if (!field.repeated) writeField(step, fields, field, depth)
    else if (json.isList()) {
      for (let item = json.list(); item; item = json.nextItem()) writeField(step, fields, field, depth)
    } else throw malformed(fields, field, 'a list')
  }
}

/** The field of the name that was read last. */
function findField(json: JsonScanner, fields: JsonFields): JsonField | undefined {
  if (json.unescaped === undefined) return fields.find(json.bytes, json.start, json.end)
  const name = Buffer.from(json.unescaped)
  return fields.find(name, 0, name.length)
}

function writeField(step: Step, fields: JsonFields, field: JsonField, depth: number): void {
  const { json, wire } = step
  wire.varint(field.tag)
  switch (field.type) {
    case 'string':
      if (!json.isString()) throw malformed(fields, field, 'text')
      json.string()
      // An unpaired surrogate, as from a text that was cut within an emoji, becomes a replacement character.
      if (json.unescaped !== undefined) return wire.string(json.unescaped)
      wire.varint(json.end - json.start)
      return wire.bytes(json.bytes, json.start, json.end)
    case 'bool': {
      const value = json.scalar()
      if (typeof value !== 'boolean') throw malformed(fields, field, 'true or false')
      return wire.varint(value ? 1 : 0)
    }
    case 'double':
      return wire.float64(readDouble(json.scalar()) ?? refuse(fields, field, 'a number'))
    case 'int32':
    case 'sint32': {
      const number =
        readInteger(json, field, -0x80000000, 0x7fffffff) ?? refuse(fields, field, 'a 32-bit integer or a known name')
      if (field.type === 'sint32') return wire.varint(((number << 1) ^ (number >> 31)) >>> 0)
      return wire.varint64(number >>> 0, number < 0 ? 0xffff_ffff : 0)
    }
    case 'uint32':
    case 'fixed32': {
      const number = readInteger(json, field, 0, 0xffffffff) ?? refuse(fields, field, 'an unsigned 32-bit integer')
      return field.type === 'uint32' ? wire.varint(number) : wire.uint32(number)
    }
    case 'int64':
    case 'sfixed64':
    case 'uint64':
    case 'fixed64':
      return writeLong(step, fields, field)
    case 'bytes': {
      const bytes = readBytes(fields.message, json.scalar()) ?? refuse(fields, field, 'an ID in hexadecimal')
      wire.varint(bytes.length)
      return wire.bytes(bytes, 0, bytes.length)
    }
    default: {
      const start = wire.beginPart()
      writeMessage(step, jsonFieldsOf(field.type), depth + 1)
      return wire.endPart(start)
    }
  }
}

function writeLong(step: Step, fields: JsonFields, field: JsonField): void {
  const { json } = step
  const isSigned = field.type === 'int64' || field.type === 'sfixed64'
  const wanted = isSigned ? 'a 64-bit integer' : 'an unsigned 64-bit integer'
  if (json.digits()) {
    if (isSigned && json.high > 0x7fff_ffff) throw malformed(fields, field, wanted)
    return writeBits(step, field, json.low, json.high)
  }
  const bits = readLong(json.scalar(), isSigned) ?? refuse(fields, field, wanted)
  writeBits(step, field, Number(bits & 0xffff_ffffn), Number(bits >> 32n))
}

function writeBits({ wire }: Step, { type }: JsonField, low: number, high: number): void {
  if (type === 'fixed64' || type === 'sfixed64') wire.uint64(low, high)
  else wire.varint64(low, high)
}

function readInteger(json: JsonScanner, field: JsonField, min: number, max: number): number | undefined {
  if (!json.digits()) return readInt(field, json.scalar(), min, max)
  return json.high === 0 && json.low <= max ? json.low : undefined
}

function malformed(fields: JsonFields, field: JsonField, wanted: string): MalformedJson {
  return new MalformedJson(`${fields.message}.${field.name} must be ${wanted}`)
}

function refuse(fields: JsonFields, field: JsonField, wanted: string): never {
  throw malformed(fields, field, wanted)
}

/** The fields of a message by their names in JSON, which are compared as bytes. */
interface JsonField extends FieldPlan {
  /** Number and type in the wire format. */
  tag: number
}

interface NamedField {
  name: Buffer
  field: JsonField
}

class JsonFields {
  readonly message: MessageName
  readonly isAttribute: boolean
  readonly isRecord: boolean
  /** Whether it resets the limits of one record. */
  readonly beginsPart: boolean
  /** By the length of the name: no message has many names of the same length. */
  readonly #byLength: NamedField[][] = []

  constructor(message: MessageName) {
    this.message = message
    this.isAttribute = message === 'KeyValue'
    this.isRecord = shapeOf(message).role === 'record'
    this.beginsPart = this.isRecord || message === 'Resource' || message === 'Scope'
    for (const plan of fieldsOf(message)) {
      const field = { ...plan, tag: tagOf(plan) }
      for (const name of new Set([plan.name, snakeCase(plan.name)])) {
        ;(this.#byLength[name.length] ??= []).push({ name: Buffer.from(name), field })
      }
    }
  }

  /** The field whose name is in these bytes. */
  find(bytes: Buffer, start: number, end: number): JsonField | undefined {
    const candidates = this.#byLength[end - start]
    if (!candidates) return undefined
    for (const { name, field } of candidates) if (hasBytesAt(name, bytes, start)) return field
    return undefined
  }
}

const known = new Map<MessageName, JsonFields>()

function jsonFieldsOf(message: MessageName): JsonFields {
  let fields = known.get(message)
  if (!fields) known.set(message, (fields = new JsonFields(message)))
  return fields
}

function hasBytesAt(name: Buffer, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[start + at]) return false
  return true
}

/** The values of scalar fields in JSON. Each function returns undefined if the value is not of its type. */
const namedDoubles: Record<string, number> = { NaN, Infinity, '-Infinity': -Infinity }

function readDouble(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return undefined
  const number = namedDoubles[value] ?? (value.trim() === '' ? NaN : Number(value))
  return Number.isNaN(number) && value !== 'NaN' ? undefined : number
}

function readInt({ labels }: FieldPlan, value: unknown, min: number, max: number): number | undefined {
  if (typeof value === 'string' && labels) {
    const at = labels.indexOf(value)
    if (at >= 0) return at
  }
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

/** The 64 bits of an integer. */
function readLong(value: unknown, isSigned: boolean): bigint | undefined {
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
function readBytes(name: MessageName, value: unknown): Buffer | undefined {
  if (typeof value !== 'string') return undefined
  if (name === 'AnyValue') return Buffer.from(value, 'base64')
  const hex = value.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(value)
  return hex ? Buffer.from(value, 'hex') : undefined
}
