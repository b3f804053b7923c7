/** Decodes Protobuf values into JSON, with the text of their schema. */
import protobuf from 'protobufjs'
import { faultyField, WatchingReader } from './faultyField.ts'
import { messageJson, TooLarge } from './protobufJson.ts'
import { messageOf, ProtobufProblem } from './protobufProblem.ts'
import type { SchemaReference } from './schemaRegistry.ts'

/**
 * @param schema the text of a .proto file
 * @param references the files that it imports, besides Google's common types, each after those that it imports itself
 * @returns a function from the path of a message in the file, and a value, to a JSON object with one character for each
 * byte. It throws ProtobufProblem, or TooLarge for an object that is longer than `maxLength`
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
    for (const { name: file, schema: text } of [...references, { name: null, schema }]) {
      const { imports = [], weakImports = [] } = parseSchema(file, text, root)
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
    const { package: name } = parseSchema(null, schema, file)
    const found = name ? file.lookup(name) : file
    if (found instanceof protobuf.Namespace) space = found
  } catch (error) {
    if (error instanceof ProtobufProblem) throw error
    throw new ProtobufProblem(`the schema is not valid: ${messageOf(error)}`)
  }
  return (path, value, maxLength) => {
    const key = path.join('.')
    const type = types.get(key) ?? root.lookupType(typeAt(space, path).fullName)
    types.set(key, type)
    return decodedJson(type, value, maxLength)
  }
}

/** @returns a value as a JSON object. @throws ProtobufProblem, or TooLarge for one that is longer than `maxLength` */
export function decodedJson(type: protobuf.Type, value: Buffer, maxLength: number): string {
  try {
    const reader = new WatchingReader(value)
    const message = type.decode(reader)
    const problem = reader.hasSkipped ? faultyField(type, value) : null
    if (problem) throw problem
    return messageJson(type, message, maxLength)
  } catch (error) {
    if (error instanceof TooLarge || error instanceof ProtobufProblem) throw error
    throw faultyField(type, value) ?? new ProtobufProblem(`the value cannot be decoded: ${messageOf(error)}`)
  }
}

/** @param name of a file that the schema refers to, whose lines are not those of the schema */
function parseSchema(name: string | null, text: string, root: protobuf.Root): protobuf.IParserResult {
  try {
    return protobuf.parse(text, root, { keepCase: true })
  } catch (error) {
    const where = name === null ? '' : `in ${name.slice(0, 200)}: `
    throw new ProtobufProblem(`the schema is not valid: ${where}${messageOf(error)}`)
  }
}

/** The message at a path of indexes: in the file, then in that message, and so on. */
function typeAt(file: protobuf.NamespaceBase, path: readonly number[]): protobuf.Type {
  let found: protobuf.NamespaceBase | undefined = file
  for (const index of path) {
    const messages: protobuf.Type[] = (found?.nestedArray ?? []).filter((nested) => nested instanceof protobuf.Type)
    found = messages[index]
  }
  if (!(found instanceof protobuf.Type)) throw new ProtobufProblem('the schema has no such message')
  return found
}
