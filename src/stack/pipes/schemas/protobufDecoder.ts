/** Decodes Protobuf values into JSON, with the text of their schema. */
import protobuf from 'protobufjs'
import type { SchemaReference } from './schemaRegistry.ts'

/** A schema that cannot be used, or a value that does not have it. */
class ProtobufProblem extends Error {
  override name = 'ProtobufProblem'
}

/**
 * @param schema the text of a .proto file
 * @param references the files that it imports, besides Google's common types, each after those that it imports itself
 * @returns a function from the path of a message in the file, and a value, to a JSON object with one character for each
 * byte. It throws ProtobufProblem, also for an object that is longer than `maxLength`
 */
export function protobufDecoder(
  schema: string,
  references: readonly SchemaReference[] = [],
): (path: readonly number[], value: Buffer, maxLength: number) => string {
  const types = new Map<string, protobuf.Type>()
  const root = new protobuf.Root()
  /** The file by itself: in the other root, its package may have messages of other files. */
  const file = new protobuf.Root()
  let space: protobuf.NamespaceBase = file
  try {
    const known = new Set(references.map(({ name }) => name))
    const common = new Set<string>()
    for (const text of [...references.map((reference) => reference.schema), schema]) {
      const { imports = [], weakImports = [] } = protobuf.parse(text, root, { keepCase: true })
      for (const name of [...imports, ...weakImports]) {
        if (known.has(name)) continue
        if (!protobuf.common.get(name)) {
          throw new ProtobufProblem(`the schema imports ${name.slice(0, 200)}, which the registry does not have`)
        }
        common.add(name)
      }
    }
    for (const name of common) root.addJSON(protobuf.common.get(name)?.nested ?? {})
    root.resolveAll()
    const parsed = protobuf.parse(schema, file, { keepCase: true })
    const found = parsed.package ? file.lookup(parsed.package) : file
    if (found instanceof protobuf.Namespace) space = found
  } catch (error) {
    if (error instanceof ProtobufProblem) throw error
    throw new ProtobufProblem(`the schema is not valid: ${error instanceof Error ? error.message.slice(0, 200) : ''}`)
  }
  return (path, value, maxLength) => {
    const key = path.join('.')
    const type = types.get(key) ?? root.lookupType(typeAt(space, path).fullName)
    types.set(key, type)
    try {
      const message = type.decode(value)
      reserve(maxLength, type, message)
      const object = type.toObject(message, { longs: String, enums: String, defaults: true })
      const json = JSON.stringify(inBytes(object))
      if (json.length > maxLength) throw new ProtobufProblem('it is too large as JSON')
      return json
    } catch (error) {
      throw new ProtobufProblem(
        `the value cannot be decoded: ${error instanceof Error ? error.message.slice(0, 200) : ''}`,
      )
    }
  }
}

/**
 * Subtracts what the names of the fields take as JSON, before it is made: a part of two bytes may have very many.
 * @returns what is left of the room
 */
function reserve(room: number, type: protobuf.Type, message: object): number {
  let left = room - namesLength(type)
  if (left < 0) throw new ProtobufProblem('it is too large as JSON')
  const values = message as Record<string, unknown> // of its fields, by name
  for (const { name, resolvedType } of type.fieldsArray) {
    if (!(resolvedType instanceof protobuf.Type)) continue
    const value = values[name]
    if (typeof value !== 'object' || value === null) continue
    const parts: unknown[] = value instanceof protobuf.Message ? [value] : Object.values(value)
    for (const part of parts) if (typeof part === 'object' && part) left = reserve(left, resolvedType, part)
  }
  return left
}

const lengths = new WeakMap<protobuf.Type, number>()

/** The length of the names of all fields, with their quotes and the like. */
function namesLength(type: protobuf.Type): number {
  const known = lengths.get(type)
  if (known !== undefined) return known
  const length = 2 + type.fieldsArray.reduce((sum, { name }) => sum + name.length + 4, 0)
  lengths.set(type, length)
  return length
}

/** A value whose texts have one character for each byte, so that `bytes` that are no text pass through unchanged. */
function inBytes(value: unknown): unknown {
  if (typeof value === 'string') return textInBytes(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (Array.isArray(value)) return value.map(inBytes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [textInBytes(key), inBytes(one)]))
}

const textInBytes = (text: string) => Buffer.from(text).toString('latin1')

/** The message at a path of indexes: in the file, then in that message, and so on. */
function typeAt(file: protobuf.NamespaceBase, path: readonly number[]): protobuf.Type {
  let found: protobuf.NamespaceBase | undefined = file
  for (const index of path) {
    const messages: protobuf.Type[] = (found?.nestedArray ?? []).filter((one) => one instanceof protobuf.Type)
    found = messages[index]
  }
  if (!(found instanceof protobuf.Type)) throw new ProtobufProblem('the schema has no such message')
  return found
}
