/**
 * Writes decoded Protobuf messages as JSON with one character for each byte. All fields are there, with their defaults, except
 * those of a `oneof` that are not set. Google's common types are what they stand for.
 */
import protobuf from 'protobufjs'
import { jsonOf, numberOf } from './jsonText.ts'
import { FieldProblem, type Room, type Values, type Write } from './protobufProblem.ts'
import { wellKnownWriter } from './wellKnownTypes.ts'

/** A message that is longer as JSON than allowed: a part of two bytes may have very many names. */
export class TooLarge extends Error {
  override name = 'TooLarge'
}

const writers = new WeakMap<protobuf.Type, Write>()

/** @throws TooLarge, and FieldProblem for a value that its field cannot have */
export function messageJson(type: protobuf.Type, message: object, maxLength: number): string {
  const json = writerOf(type)(message, { left: maxLength })
  if (json.length > maxLength) throw new TooLarge('it is too large as JSON')
  return json
}

function writerOf(type: protobuf.Type): Write {
  const known = writers.get(type)
  if (known) return known
  const common = wellKnownWriter(type, fieldWriter)
  if (common) {
    writers.set(type, common)
    return common
  }
  const members: { key: string; name: string; missing: string | null; write: Write }[] = []
  let names = 2
  const write: Write = (message, room) => {
    spend(room, names)
    const values = message as Values // of its fields, by name
    let json = '{'
    let written = ''
    try {
      for (const { key, name, missing, write: writeMember } of members) {
        written = name
        const isSet = Object.hasOwn(values, name) && values[name] != null
        if (!isSet && missing === null) continue
        json += `${json === '{' ? '' : ','}${key}${isSet ? writeMember(values[name], room) : missing}`
      }
    } catch (error) {
      throw error instanceof FieldProblem ? error.within(written) : error
    }
    return `${json}}`
  }
  // Known before its fields, which may have the same type.
  writers.set(type, write)
  for (const field of type.fieldsArray) {
    field.resolve()
    const key = `${jsonOf(field.name)}:`
    names += key.length + 1
    members.push({ key, name: field.name, missing: missingOf(field), write: fieldWriter(field) })
  }
  return write
}

function spend(room: Room, length: number): void {
  room.left -= length
  if (room.left < 0) throw new TooLarge('it is too large as JSON')
}

/** The value of a field that is not set; null if it is left out. */
function missingOf(field: protobuf.Field): string | null {
  if (field.repeated) return '[]'
  if (field.map) return '{}'
  if (field.partOf) return null
  if (field.resolvedType instanceof protobuf.Type) return 'null'
  return valueWriter(field)(field.typeDefault, { left: Number.POSITIVE_INFINITY })
}

function fieldWriter(field: protobuf.Field): Write {
  const write = valueWriter(field)
  if (field instanceof protobuf.MapField) {
    const keyOf = field.keyType in protobuf.types.long ? longKey(field.keyType) : (key: string) => key
    return (map, room) => {
      const entries = Object.entries(map as Values).map(
        ([key, value]) => `${textJson(keyOf(key), room)}:${write(value, room)}`,
      )
      return `{${entries.join(',')}}`
    }
  }
  if (field.repeated) return (list, room) => `[${(list as unknown[]).map((value) => write(value, room)).join(',')}]`
  return write
}

/** Maps have 64-bit keys as their bytes. */
function longKey(type: string): (key: string) => string {
  const isUnsigned = type === 'uint64' || type === 'fixed64'
  return (key) => String(protobuf.util.longFromHash(key, isUnsigned))
}

function valueWriter(field: protobuf.Field): Write {
  const { resolvedType, type } = field
  if (resolvedType instanceof protobuf.Type) {
    // Compiled when it is needed: types may refer to each other.
    return (value, room) => writerOf(resolvedType)(value, room)
  }
  if (resolvedType instanceof protobuf.Enum) {
    const names = new Map(Object.entries(resolvedType.valuesById).map(([id, name]) => [Number(id), jsonOf(name)]))
    return (value, room) => {
      const json = names.get(Number(value)) ?? String(value)
      spend(room, json.length)
      return json
    }
  }
  switch (type) {
    case 'string':
      return (value, room) => textJson(String(value), room)
    case 'bytes':
      return (value, room) => {
        const bytes = Buffer.from(value as Uint8Array) // an array for a default
        spend(room, bytes.length)
        return JSON.stringify(bytes.toString('latin1'))
      }
    case 'bool':
      return String
    case 'float':
    case 'double':
      return (value) => numberOf(Number(value))
    default:
      return type in protobuf.types.long ? longText : String
  }
}

function textJson(text: string, room: Room): string {
  spend(room, text.length)
  return jsonOf(text)
}

/** A 64-bit number with all of its digits. Most are small. */
function longText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { high, low } = value as { high: number; low: number } // the halves of a Long
  return high === 0 && low >= 0 ? String(low) : String(value)
}
