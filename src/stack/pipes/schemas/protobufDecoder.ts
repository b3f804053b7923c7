/** Decodes Protobuf values into JSON, with the text of their schema. */
import protobuf from 'protobufjs'

/** A schema that cannot be used, or a value that does not have it. */
class ProtobufProblem extends Error {
  override name = 'ProtobufProblem'
}

/**
 * @param schema the text of a .proto file. Imports other than Google's common types are not supported
 * @returns a function from the path of a message in the file, and a value, to a JSON object with one character for each
 * byte. It throws ProtobufProblem
 */
export function protobufDecoder(schema: string): (path: readonly number[], value: Buffer) => string {
  const types = new Map<string, protobuf.Type>()
  const root = new protobuf.Root()
  let space: protobuf.NamespaceBase = root
  try {
    const parsed = protobuf.parse(schema, root, { keepCase: true })
    const { imports = [] } = parsed
    for (const name of imports) {
      const common = protobuf.common.get(name)
      if (!common) throw new ProtobufProblem(`the schema imports ${name.slice(0, 200)}, which is not supported`)
      root.addJSON(common.nested ?? {})
    }
    root.resolveAll()
    const found = parsed.package ? root.lookup(parsed.package) : root
    if (found instanceof protobuf.Namespace) space = found
  } catch (error) {
    if (error instanceof ProtobufProblem) throw error
    throw new ProtobufProblem(`the schema is not valid: ${error instanceof Error ? error.message.slice(0, 200) : ''}`)
  }
  return (path, value) => {
    const key = path.join('.')
    const type = types.get(key) ?? typeAt(space, path)
    types.set(key, type)
    try {
      const object = type.toObject(type.decode(value), { longs: String, enums: String, defaults: true })
      return Buffer.from(JSON.stringify(object, bytesAsText)).toString('latin1')
    } catch (error) {
      throw new ProtobufProblem(
        `the value cannot be decoded: ${error instanceof Error ? error.message.slice(0, 200) : ''}`,
      )
    }
  }
}

/** `bytes` fields as texts. A buffer has become an object before this sees it, so it looks at the original. */
function bytesAsText(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const original = this[key]
  return original instanceof Uint8Array ? Buffer.from(original).toString('utf8') : value
}

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
