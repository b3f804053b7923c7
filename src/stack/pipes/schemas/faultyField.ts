/** Finds the field of a Protobuf message that is not as its schema says. The library does not say which it is. */
import protobuf from 'protobufjs'
import { FieldProblem, messageOf } from './protobufProblem.ts'

const maxDepth = 32

/** Remembers whether it has passed over a field: one that is not in the schema, or was sent as another type. */
export class WatchingReader extends protobuf.BufferReader {
  hasSkipped = false

  override skipType(...args: Parameters<protobuf.BufferReader['skipType']>): protobuf.BufferReader {
    this.hasSkipped = true
    super.skipType(...args)
    return this
  }
}

/** The problem of the first field that cannot be decoded or was sent as another type; null if none of the schema has one. */
export function faultyField(type: protobuf.Type, data: Uint8Array, depth = 0): FieldProblem | null {
  const reader = protobuf.Reader.create(data)
  while (reader.pos < reader.len) {
    const start = reader.pos
    let field: protobuf.Field | undefined
    let problem: FieldProblem | null = null
    try {
      const tag = reader.uint32()
      field = type.fieldsById[tag >>> 3]?.resolve()
      if (field && !sentAs(field).includes(tag & 7)) problem = otherType()
      else reader.skipType(tag & 7, undefined, tag >>> 3)
    } catch (error) {
      if (!field) return null
      problem = problemWithin(field, data.subarray(start), depth) ?? new FieldProblem(messageOf(error))
    }
    if (field) problem ??= problemOf(type, field, data.subarray(start, reader.pos), depth)
    if (field && problem) return problem.within(field.name)
  }
  return null
}

/** @param encoded the field with its tag */
function problemOf(
  type: protobuf.Type,
  field: protobuf.Field,
  encoded: Uint8Array,
  depth: number,
): FieldProblem | null {
  const inner = problemWithin(field, encoded, depth)
  if (inner) return inner
  try {
    type.decode(encoded)
    return null
  } catch (error) {
    // A field that another message must have is missing in each part.
    return error instanceof protobuf.util.ProtocolError ? null : new FieldProblem(messageOf(error))
  }
}

/** The problem in the message of a field. */
function problemWithin(field: protobuf.Field, encoded: Uint8Array, depth: number): FieldProblem | null {
  if (!(field.resolvedType instanceof protobuf.Type) || field.map || depth === maxDepth) return null
  try {
    const reader = protobuf.Reader.create(encoded)
    if ((reader.uint32() & 7) !== lengthPrefixed) return null
    const length = reader.uint32()
    return faultyField(field.resolvedType, encoded.subarray(reader.pos, reader.pos + length), depth + 1)
  } catch {
    return null
  }
}

/** How a value is sent: as bytes with a length, or between two tags. */
const lengthPrefixed = 2
const group = 3
/** How values of single types are sent. */
const wireTypes = new Map<string, number>(Object.entries(protobuf.types.basic))

function sentAs(field: protobuf.Field): readonly number[] {
  if (field.map) return [lengthPrefixed]
  if (field.resolvedType instanceof protobuf.Type) return [lengthPrefixed, group]
  const type = field.resolvedType ? 'int32' : field.type
  const wire = wireTypes.get(type) ?? lengthPrefixed
  return field.repeated && type in protobuf.types.packed ? [wire, lengthPrefixed] : [wire]
}

function otherType(): FieldProblem {
  return new FieldProblem('it was sent as another type than the schema has')
}
