/** Decodes values that begin with the number of their schema: a zero byte, four bytes of the number, and the value. */
import { avroDecoder } from './avroDecoder.ts'
import { protobufDecoder } from './protobufDecoder.ts'
import type { SchemaReference, SchemaRegistry } from './schemaRegistry.ts'

export interface FramedValues {
  /** Fetches the schemas of some values. @throws RegistryUnreachable */
  prepare(values: readonly Buffer[]): Promise<void>
  /** @returns a JSON object with one character for each byte. @throws Error with the reason if it cannot be decoded */
  toJson(value: Buffer): string
}

type Decode = (body: Buffer) => string

const frameBytes = 5
const maxSchemas = 1000
/** A number without a schema is asked for again after this long: it may have been registered since. */
const missingMs = 10_000

export function framedValues(registry: SchemaRegistry): FramedValues {
  const decoders = new Map<number, { decode: Decode; until: number }>()

  async function load(id: number): Promise<void> {
    if (decoders.size >= maxSchemas) decoders.clear()
    const found = await registry.schema(id)
    const decode = found
      ? compiled(found.type, found.schema, found.references)
      : failing(`the schema registry has no schema ${id}`)
    decoders.set(id, { decode, until: found ? Number.POSITIVE_INFINITY : Date.now() + missingMs })
  }

  return {
    async prepare(values) {
      const ids = new Set(values.filter(isFramed).map((value) => value.readInt32BE(1)))
      for (const id of ids) if ((decoders.get(id)?.until ?? 0) < Date.now()) await load(id)
    },
    toJson(value) {
      if (!isFramed(value)) throw new Error('the value does not begin with the number of a schema')
      const known = decoders.get(value.readInt32BE(1))
      if (!known) throw new Error(`the schema ${value.readInt32BE(1)} is not known`)
      return known.decode(value.subarray(frameBytes))
    },
  }
}

function isFramed(value: Buffer): boolean {
  return value.length >= frameBytes && value[0] === 0
}

function failing(reason: string): Decode {
  return () => {
    throw new Error(reason)
  }
}

/** A schema that is not valid makes its values bad, not the pipe. */
function compiled(type: string, schema: string, references: readonly SchemaReference[]): Decode {
  try {
    if (type === 'AVRO') return avroDecoder(schema, references)
    if (type === 'PROTOBUF') {
      const decode = protobufDecoder(schema, references)
      return (body) => {
        const { path, at } = messagePath(body)
        return decode(path, body.subarray(at))
      }
    }
    return (body) => body.toString('latin1')
  } catch (error) {
    return failing(error instanceof Error ? error.message : 'the schema is not valid')
  }
}

/** Where the message of a Protobuf value is in its file: a count of indexes, and the indexes. A count of 0 is the first. */
function messagePath(body: Buffer): { path: number[]; at: number } {
  let at = 0
  const next = () => {
    let value = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = body[at++]
      if (byte === undefined) throw new Error('the value ends too early')
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return (value >>> 1) ^ -(value & 1)
    }
    throw new Error('a number is too long')
  }
  const count = next()
  if (count < 0 || count > 32) throw new Error('the value does not say which message it is')
  const path = count === 0 ? [0] : Array.from({ length: count }, next)
  return { path, at }
}
