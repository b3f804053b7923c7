/** Google's common types as what they stand for: a time, a number of seconds, a value that may be missing, any JSON. */
import type protobuf from 'protobufjs'
import { FieldProblem, type Values, type Write } from './protobufProblem.ts'

/**
 * How messages of a common type are written; null for another type.
 * @param writerOf how values of a field are written
 */
export function wellKnownWriter(type: protobuf.Type, writerOf: (field: protobuf.Field) => Write): Write | null {
  const [, name] = /^\.google\.protobuf\.(\w+)$/.exec(type.fullName) ?? []
  const field = (id: number) => type.fieldsById[id]?.resolve()
  switch (name) {
    case 'Timestamp':
      return (message) => timestamp(partsOf(message, field(1), field(2)))
    case 'Duration':
      return (message) => duration(partsOf(message, field(1), field(2)))
    case 'DoubleValue':
    case 'FloatValue':
    case 'Int64Value':
    case 'UInt64Value':
    case 'Int32Value':
    case 'UInt32Value':
    case 'BoolValue':
    case 'StringValue':
    case 'BytesValue':
    case 'Struct':
    case 'ListValue':
      return onlyField(field(1), writerOf)
    case 'Value':
      return anyValue(type, writerOf)
    default:
      return null
  }
}

function onlyField(field: protobuf.Field | undefined, writerOf: (field: protobuf.Field) => Write): Write | null {
  if (!field) return null
  let write: Write | undefined
  const missing: unknown = field.repeated ? [] : field.map ? {} : field.typeDefault
  // Made when it is needed: the types of structures contain each other.
  return (message, room) => (write ??= writerOf(field))((message as Values)[field.name] ?? missing, room)
}

/** The number of `null_value`, an enumeration with one element. */
const nullId = 1

/** One of several fields; JSON's null without any. */
function anyValue(type: protobuf.Type, writerOf: (field: protobuf.Field) => Write): Write {
  const writers = new Map<string, Write>()
  return (message, room) => {
    const values = message as Values
    const field = type.fieldsArray.find(({ name }) => Object.hasOwn(values, name) && values[name] != null)
    if (!field || field.id === nullId) return 'null'
    const write = writers.get(field.name) ?? writerOf(field.resolve())
    writers.set(field.name, write)
    return write(values[field.name], room)
  }
}

interface SecondsAndNanos {
  seconds: bigint
  nanos: number
}

function partsOf(
  message: unknown,
  seconds: protobuf.Field | undefined,
  nanos: protobuf.Field | undefined,
): SecondsAndNanos {
  const values = message as Values
  return {
    seconds: BigInt(String(values[seconds?.name ?? ''] ?? 0)),
    nanos: Number(values[nanos?.name ?? ''] ?? 0),
  }
}

const nanosPerSecond = 1_000_000_000
/** The first second of year 1 and the last one of year 9999, which are the bounds of the type. */
const firstSecond = -62_135_596_800n
const lastSecond = 253_402_300_799n

/** A time as text in UTC, with nanoseconds if there are any. */
function timestamp({ seconds, nanos }: SecondsAndNanos): string {
  if (seconds < firstSecond || seconds > lastSecond || nanos < 0 || nanos >= nanosPerSecond) {
    throw new FieldProblem(`${seconds} seconds and ${nanos} nanoseconds are no time`)
  }
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return `"${whole}${fraction(nanos)}Z"`
}

const maxSeconds = 315_576_000_000n

/** Seconds, with the digits that there are. */
function duration({ seconds, nanos }: SecondsAndNanos): string {
  const isMixed = (seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0)
  const size = seconds < 0n ? -seconds : seconds
  if (isMixed || size > maxSeconds || Math.abs(nanos) >= nanosPerSecond) {
    throw new FieldProblem(`${seconds} seconds and ${nanos} nanoseconds are no duration`)
  }
  const sign = seconds < 0n || nanos < 0 ? '-' : ''
  return `${sign}${size}${fraction(Math.abs(nanos))}`
}

function fraction(nanos: number): string {
  return nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`
}
