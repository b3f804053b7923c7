/**
 * Decodes Avro values into JSON. Values come from whoever may write to a stream, so every count, length and depth is
 * checked against the bytes that are left: a few bytes never become much memory, nor a long loop.
 *
 * The JSON is a text with one character for each byte, so that bytes and texts pass through unchanged.
 */
import { z } from 'zod'
import { jsonOf, numberOf } from './jsonText.ts'

/** A schema that cannot be used, or a value that does not have it. */
class AvroProblem extends Error {
  override name = 'AvroProblem'
}

/** Reads a value, and returns it as JSON. */
type Decode = (input: AvroInput) => string

const maxDepth = 64
const maxTypes = 10_000

class AvroInput {
  at = 0
  depth = 0
  readonly data: Buffer
  room: number

  /** @param room how much JSON may still come of it, in characters, besides numbers and the like */
  constructor(data: Buffer, room: number) {
    this.data = data
    this.room = room
  }

  /** Names and symbols of the schema may be much longer than the value that stands for them. */
  reserve(length: number): void {
    this.room -= length
    if (this.room < 0) throw new AvroProblem('the value is too large as JSON')
  }

  take(bytes: number): number {
    const from = this.at
    if (bytes < 0 || from + bytes > this.data.length) throw new AvroProblem('the value ends too early')
    this.at += bytes
    return from
  }

  /** A number of up to 64 bits. */
  long(): bigint | number {
    let value = 0
    let scale = 1
    for (let count = 0; count < 7; count++) {
      const byte = this.data[this.take(1)] ?? 0
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2
      scale *= 128
    }
    let large = BigInt(value)
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.data[this.take(1)] ?? 0
      large |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return large & 1n ? -((large + 1n) >> 1n) : large >> 1n
    }
    throw new AvroProblem('a number is too long')
  }

  /** A count, length or index. */
  size(): number {
    const size = Number(this.long())
    if (size < 0 || size > this.data.length) throw new AvroProblem('a length is larger than the value')
    return size
  }

  bytes(length: number): string {
    const from = this.take(length)
    this.reserve(length)
    return this.data.toString('latin1', from, from + length)
  }
}

const named = z.looseObject({ type: z.string(), name: z.string(), namespace: z.string().optional() })
const complex = z.looseObject({ type: z.unknown(), logicalType: z.string().optional() })
const fields = z.array(z.looseObject({ name: z.string(), type: z.unknown() })).max(maxTypes)
const symbols = z.array(z.string()).max(maxTypes)

/**
 * Compiles a schema.
 * @param references schemas of types that it uses, each after those that it needs
 * @returns a function from a value to a JSON object. It throws AvroProblem, also for one that is longer than `maxLength`
 * @throws AvroProblem for a schema that is not valid
 */
export function avroDecoder(
  schema: string,
  references: readonly { schema: string }[] = [],
): (value: Buffer, maxLength: number) => string {
  const compiler = new Compiler()
  for (const reference of references) compiler.compile(readSchema(reference.schema), '', 0)
  const decode = compiler.compile(readSchema(schema), '', 0)
  return (value, maxLength) => {
    const input = new AvroInput(value, maxLength)
    const json = decode(input)
    if (input.at !== value.length) throw new AvroProblem('the value is longer than its schema says')
    if (json.length > maxLength) input.reserve(json.length)
    if (!json.startsWith('{')) throw new AvroProblem('the value is not a record')
    return json
  }
}

function readSchema(schema: string): unknown {
  try {
    return JSON.parse(schema)
  } catch {
    // An unnamed type may be written without quotes.
    return schema
  }
}

class Compiler {
  readonly #known = new Map<string, Decode>()
  #count = 0

  compile(schema: unknown, namespace: string, depth: number): Decode {
    if (depth > maxDepth) throw new AvroProblem('the schema is nested too deeply')
    if (++this.#count > maxTypes) throw new AvroProblem('the schema has too many types')
    if (typeof schema === 'string') return this.#named(schema, namespace)
    if (Array.isArray(schema)) return this.#union(schema, namespace, depth)
    const { type, logicalType, ...rest } = parse(complex, schema)
    if (typeof type !== 'string') return this.compile(type, namespace, depth + 1)
    switch (type) {
      case 'record':
      case 'error':
        return this.#record(parse(named, schema), rest['fields'], namespace, depth)
      case 'enum': {
        const texts = parse(symbols, rest['symbols']).map(jsonOf)
        return this.#define(parse(named, schema), namespace, (input) => {
          const text = texts[input.size()]
          if (text === undefined) throw new AvroProblem('a symbol is not in its enumeration')
          input.reserve(text.length)
          return text
        })
      }
      case 'fixed': {
        const size = parse(
          z
            .int()
            .min(0)
            .max(2 ** 20),
          rest['size'],
        )
        const read = logicalType === 'decimal' ? decimal(rest['scale'], () => size) : bytesOf(() => size)
        return this.#define(parse(named, schema), namespace, read)
      }
      case 'array':
        return this.#array(this.compile(rest['items'], namespace, depth + 1))
      case 'map':
        return this.#map(this.compile(rest['values'], namespace, depth + 1))
      default:
        return logical(type, logicalType, rest['scale']) ?? this.#named(type, namespace)
    }
  }

  #named(name: string, namespace: string): Decode {
    const decode = primitives[name] ?? this.#known.get(fullName(name, namespace)) ?? this.#known.get(name)
    if (!decode) throw new AvroProblem(`the schema has no type ${name.slice(0, 100)}`)
    return decode
  }

  #define({ name, namespace: own }: z.infer<typeof named>, namespace: string, decode: Decode): Decode {
    this.#known.set(fullName(name, own ?? namespace), decode)
    return decode
  }

  #record(type: z.infer<typeof named>, definition: unknown, outer: string, depth: number): Decode {
    const members: { key: string; decode: Decode }[] = []
    let keys = 0
    const decode: Decode = (input) => {
      if (++input.depth > maxDepth) throw new AvroProblem('the value is nested too deeply')
      input.reserve(keys)
      let json = '{'
      for (const { key, decode: decodeMember } of members) json += key + decodeMember(input)
      input.depth--
      return `${json}}`
    }
    // Known before its fields, which may have the same type.
    this.#define(type, outer, decode)
    const namespace = type.namespace ?? (type.name.includes('.') ? type.name.replace(/\.[^.]*$/, '') : outer)
    for (const field of parse(fields, definition)) {
      const comma = members.length === 0 ? '' : ','
      const key = `${comma}${jsonOf(field.name)}:`
      keys += key.length
      members.push({ key, decode: this.compile(field.type, namespace, depth + 1) })
    }
    return decode
  }

  #union(branches: readonly unknown[], namespace: string, depth: number): Decode {
    const decoders = branches.map((branch) => this.compile(branch, namespace, depth + 1))
    return (input) => {
      const decode = decoders[input.size()]
      if (!decode) throw new AvroProblem('a union has no such branch')
      return decode(input)
    }
  }

  #array(decode: Decode): Decode {
    return (input) => `[${blocks(input, () => decode(input)).join(',')}]`
  }

  #map(decode: Decode): Decode {
    return (input) =>
      `{${blocks(input, () => `${JSON.stringify(input.bytes(input.size()))}:${decode(input)}`).join(',')}}`
  }
}

/** The items of an array or map, which come in blocks. */
function blocks(input: AvroInput, read: () => string): string[] {
  const items: string[] = []
  if (++input.depth > maxDepth) throw new AvroProblem('the value is nested too deeply')
  for (;;) {
    let count = Number(input.long())
    if (count === 0) break
    // A negative count is followed by the bytes of the block.
    if (count < 0) {
      count = -count
      input.size()
    }
    // Items without bytes, such as null, could be any number.
    if (items.length + count > input.data.length) throw new AvroProblem('a list is longer than the value')
    for (; count > 0; count--) items.push(read())
  }
  input.depth--
  return items
}

function fullName(name: string, namespace: string): string {
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`
}

const bytesOf =
  (length: (input: AvroInput) => number): Decode =>
  (input) =>
    JSON.stringify(input.bytes(length(input)))

const primitives: Readonly<Record<string, Decode | undefined>> = {
  null: () => 'null',
  boolean: (input) => (input.data[input.take(1)] === 0 ? 'false' : 'true'),
  int: (input) => String(input.long()),
  long: (input) => String(input.long()),
  float: (input) => numberOf(input.data.readFloatLE(input.take(4))),
  double: (input) => numberOf(input.data.readDoubleLE(input.take(8))),
  bytes: bytesOf((input) => input.size()),
  string: bytesOf((input) => input.size()),
}

/** The largest time in milliseconds that JavaScript has. */
const maxTime = 8.64e15

/** Times and decimals as the texts that the engine reads. */
function logical(type: string, logicalType: string | undefined, scale: unknown): Decode | undefined {
  const moment = (perMs: number, digits: number): Decode => {
    return (input) => {
      const value = BigInt(input.long())
      const divisor = BigInt(perMs)
      const ms = Number(value / divisor - (value % divisor < 0n ? 1n : 0n))
      if (Math.abs(ms) > maxTime) throw new AvroProblem('a time is out of range')
      const rest = ((value % divisor) + divisor) % divisor
      const fraction = digits === 0 ? '' : String(rest).padStart(digits, '0')
      return `"${new Date(ms).toISOString().replace('T', ' ').slice(0, -1)}${fraction}"`
    }
  }
  switch (`${type} ${logicalType}`) {
    case 'long timestamp-millis':
    case 'long local-timestamp-millis':
      return moment(1, 0)
    case 'long timestamp-micros':
    case 'long local-timestamp-micros':
      return moment(1000, 3)
    case 'int date':
      return (input) => {
        const ms = Number(input.long()) * 86_400_000
        if (Math.abs(ms) > maxTime) throw new AvroProblem('a date is out of range')
        return `"${new Date(ms).toISOString().slice(0, 10)}"`
      }
    case 'bytes decimal':
      return decimal(scale, (input) => input.size())
    default:
      return undefined
  }
}

/** A number with a fixed count of decimals, from its digits as a big-endian integer. */
function decimal(scale: unknown, length: (input: AvroInput) => number): Decode {
  const decimals = parse(z.int().min(0).max(76), scale ?? 0)
  return (input) => {
    const bytes = length(input)
    if (bytes > 32) throw new AvroProblem('a decimal is too long')
    const from = input.take(bytes)
    const unsigned = bytes === 0 ? 0n : BigInt(`0x${input.data.toString('hex', from, from + bytes)}`)
    const value = BigInt.asIntN(Math.max(8, bytes * 8), unsigned)
    const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0')
    const whole = digits.slice(0, digits.length - decimals)
    return `"${value < 0n ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}"`
  }
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const { data, error } = schema.safeParse(value)
  if (error) throw new AvroProblem(`the schema is not valid: ${error.issues[0]?.message ?? ''}`)
  return data as z.infer<S> // without an error it is there
}
