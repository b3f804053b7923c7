/** Decodes Protobuf values that all have one schema, which the pipe has: they begin with no number of a schema. */
import type { FramedValues } from './framedValues.ts'
import { protobufDecoder } from './protobufDecoder.ts'

const firstMessage = [0]

/**
 * @param schema the text of a .proto file, whose first message the values are
 * @throws ProtobufProblem for a text that is no schema
 */
export function plainProtobuf(schema: string): FramedValues {
  const decode = protobufDecoder(schema)
  return {
    prepare: async () => {},
    toJson: (value, maxLength) => decode(firstMessage, value, maxLength),
  }
}
