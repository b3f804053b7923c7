/** Decodes Protobuf values that all have one schema, which the pipe has: they begin with no number of a schema. */
import protobuf from 'protobufjs'
import descriptor, { type IFileDescriptorProto, type IFileDescriptorSet } from 'protobufjs/ext/descriptor.js'
import type { FramedValues } from './framedValues.ts'
import { decodedJson, protobufDecoder } from './protobufDecoder.ts'
import { messageOf, ProtobufProblem } from './protobufProblem.ts'

const firstMessage = [0]
/** The first byte of a set with a file: the tag of its field. */
const fileTag = 0x0a

/**
 * @param schema the text of a .proto file, whose first message the values are, or a FileDescriptorSet, with that of its last file
 * @throws ProtobufProblem for what is no schema
 */
export function plainProtobuf(schema: Buffer): FramedValues {
  const set = descriptorSetIn(schema)
  if (set) {
    const type = typeOf(set)
    return { prepare: async () => {}, toJson: (value, maxLength) => decodedJson(type, value, maxLength) }
  }
  const decode = protobufDecoder(schema.toString())
  return { prepare: async () => {}, toJson: (value, maxLength) => decode(firstMessage, value, maxLength) }
}

/** Null for a text, which may begin with the same byte. */
function descriptorSetIn(schema: Buffer): IFileDescriptorSet | null {
  if (schema[0] !== fileTag) return null
  try {
    // A message of that type.
    const set = descriptor.FileDescriptorSet.decode(schema) as unknown as IFileDescriptorSet
    return set.file.every(({ name }) => name) ? set : null
  } catch {
    return null
  }
}

function typeOf({ file: files }: IFileDescriptorSet): protobuf.Type {
  const last = files.at(-1)
  const message = last?.messageType?.[0]?.name
  if (!message) throw new ProtobufProblem('the last file of the schema has no message')
  try {
    const root = protobuf.Root.fromDescriptor({ file: [missingCommonTypes(files), ...files] }, { keepCase: true })
    root.resolveAll()
    return root.lookupType(last.package ? `${last.package}.${message}` : message)
  } catch (error) {
    // The reader of sets does not tell which files are missing.
    throw new ProtobufProblem(
      `the schema is not valid: ${messageOf(error)}. A set has the files that it imports with --include_imports of protoc`,
    )
  }
}

const commonPackage = 'google.protobuf'

/** A file with those of Google's common types that other files do not have. */
function missingCommonTypes(files: readonly IFileDescriptorProto[]): IFileDescriptorProto {
  const root = new protobuf.Root()
  for (const name of Object.keys(protobuf.common)) root.addJSON(protobuf.common.get(name)?.nested ?? {})
  root.resolveAll()
  const common = root.toDescriptor('proto3').file.find((file) => file.package === commonPackage)
  const own = files.filter((file) => file.package === commonPackage)
  const known = new Set(
    own.flatMap((file) => [...(file.messageType ?? []), ...(file.enumType ?? [])]).map(({ name }) => name),
  )
  return {
    ...common,
    name: 'common.proto',
    messageType: common?.messageType?.filter(({ name }) => !known.has(name)),
    enumType: common?.enumType?.filter(({ name }) => !known.has(name)),
  }
}
