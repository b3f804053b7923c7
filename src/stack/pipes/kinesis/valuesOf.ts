/** How the values of a Kinesis pipe are decoded. */
import { refuse } from '../../refusal.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { protobufSchemaOf } from '../model/pipeSecrets.ts'
import type { FramedValues } from '../schemas/framedValues.ts'
import { plainProtobuf } from '../schemas/plainProtobuf.ts'

/**
 * @returns null for JSON, which is not decoded
 * @throws Refusal 400 for a format that cannot be decoded, or a schema that cannot be read
 */
export function valuesOf(pipe: PipeDocument): FramedValues | null {
  const { format } = pipe.source?.kinesis ?? {}
  if (format === 'JSONEachRow') return null
  const schema = format === 'Protobuf' ? protobufSchemaOf(pipe) : null
  if (!schema) {
    const readable = 'this stack reads JSONEachRow, and Protobuf with a protobufSchema'
    throw refuse(
      `source.kinesis.format: ${readable}. ${format} needs a registry of schemas, which Kinesis does not have`,
    )
  }
  try {
    return plainProtobuf(schema)
  } catch (error) {
    throw refuse(`source.kinesis.protobufSchema: ${error instanceof Error ? error.message : 'is not a schema'}`)
  }
}
