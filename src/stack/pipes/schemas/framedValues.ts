/** Decodes values that begin with the number of their schema: a zero byte, four bytes of the number, and the value. */
import { avroDecoder } from './avroDecoder.ts'
import { protobufDecoder } from './protobufDecoder.ts'
import type { SchemaReference, SchemaRegistry } from './schemaRegistry.ts'

export interface FramedValues {
  /** Fetches schemas. @param ids see `schemaOf`. @throws RegistryUnreachable */
  prepare(ids: Iterable<number>): Promise<void>
  /**
   * @param maxLength a longer object is an error: a few bytes of a value may stand for very many
   * @returns a JSON object with one character for each byte. @throws Error with the reason if it cannot be decoded
   */
  toJson(value: Buffer, maxLength: number): string
}

type Decode = (body: Buffer, maxLength: number) => string

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
    decoders.set(id, { decode, until: found ? Number.POSITIVE_INFINITY : performance.now() + missingMs })
  }

  return {
    async prepare(ids) {
      for (const id of ids) if ((decoders.get(id)?.until ?? 0) < performance.now()) await load(id)
    },
    toJson(value, maxLength) {
      const id = schemaOf(value, 0, value.length)
      if (id === null) throw new Error('the value does not begin with the number of a schema')
      const known = decoders.get(id)
      if (!known) throw new Error(`the schema ${id} is not known`)
      return known.decode(value.subarray(frameBytes), maxLength)
    },
  }
}

/** The number of the schema of a value that is part of some data; null without one. */
export function schemaOf(data: Buffer, at: number, bytes: number): number | null {
  return bytes >= frameBytes && data[at] === 0 ? data.readInt32BE(at + 1) : null
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
      return (body, maxLength) => {
        const { path, at } = messagePath(body)
        return decode(path, body.subarray(at), maxLength)
      }
    }
    return (body) => body.toString('latin1')
  } catch (error) {
    return failing(error instanceof Error ? error.message : 'the schema is not valid')
  }
}

const firstMessage = { path: [0], at: 1 }

/** Where the message of a Protobuf value is in its file: a count of indexes, and the indexes. A count of 0 is the first. */
function messagePath(body: Buffer): { path: number[]; at: number } {
  if (body[0] === 0) return firstMessage
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
