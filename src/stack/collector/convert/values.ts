/** Attribute values and log bodies of the wire format as text. */
import type { ByteWriter } from '../../telemetry/native/byteWriter.ts'
import { tagsOf, type WireReader } from '../otlp/wireReader.ts'

const anyValue = tagsOf('AnyValue')
const arrayValue = tagsOf('ArrayValue')
const keyValueList = tagsOf('KeyValueList')
const keyValue = tagsOf('KeyValue')

/**
 * Writes a value as text: text unchanged, everything else as its JSON text (bytes as base64), nothing as empty text.
 * @param start of the value's message, without tag and length. The reader's position stays the same
 */
export function writeValue(into: ByteWriter, wire: WireReader, start: number, end: number): void {
  if (start === end) return into.varint(0)
  const back = wire.at
  wire.at = start
  // Most values are one text, which is all of their message.
  if (wire.tag() === anyValue.stringValue && wire.part() === end) into.text(wire.bytes, wire.start, end)
  else {
    wire.at = start
    into.string(readValue(wire, end)?.text ?? '')
  }
  wire.at = back
}

interface Value {
  text: string
  /** Whether it has quotes within JSON. */
  isText: boolean
}

/** Reads up to the end of a value's message. Of several values the last one counts. */
function readValue(wire: WireReader, end: number): Value | undefined {
  let value: Value | undefined
  while (wire.at < end) {
    const tag = wire.tag()
    if (tag === anyValue.stringValue) value = { text: textOf(wire), isText: true }
    else if (tag === anyValue.intValue) value = { text: integerText(wire), isText: false }
    else if (tag === anyValue.boolValue) value = { text: String(wire.bool()), isText: false }
    else if (tag === anyValue.doubleValue) {
      const double = wire.double()
      // JSON has no number for NaN and the infinities: as text they are at least legible.
      value = { text: String(double), isText: !Number.isFinite(double) }
    } else if (tag === anyValue.bytesValue) {
      const end = wire.part()
      value = { text: wire.bytes.toString('base64', wire.start, end), isText: true }
    } else if (tag === anyValue.arrayValue) value = { text: arrayText(wire), isText: false }
    else if (tag === anyValue.kvlistValue) value = { text: listText(wire), isText: false }
    else wire.skip()
  }
  return value
}

/** JSON is built as text, because a 64-bit integer would lose digits as a number. */
function jsonText(wire: WireReader, end: number): string {
  const value = readValue(wire, end)
  if (!value) return 'null'
  return value.isText ? JSON.stringify(value.text) : value.text
}

function arrayText(wire: WireReader): string {
  const end = wire.enter()
  const items: string[] = []
  while (wire.at < end) {
    if (wire.tag() === arrayValue.values) items.push(jsonText(wire, wire.enter()))
    else wire.skip()
  }
  return `[${items.join(',')}]`
}

/** Keys are sorted, so that equal lists have equal text whatever order a sender gives them. The last value of a repeated key is kept. */
function listText(wire: WireReader): string {
  const end = wire.enter()
  const entries = new Map<string, string>()
  while (wire.at < end) {
    if (wire.tag() === keyValueList.values) readEntry(wire, entries)
    else wire.skip()
  }
  const sorted = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`
}

function readEntry(wire: WireReader, entries: Map<string, string>): void {
  const end = wire.enter()
  let key = ''
  let value = 'null'
  while (wire.at < end) {
    const tag = wire.tag()
    if (tag === keyValue.key) key = textOf(wire)
    else if (tag === keyValue.value) value = jsonText(wire, wire.enter())
    else wire.skip()
  }
  entries.set(key, value)
}

function textOf(wire: WireReader): string {
  const end = wire.part()
  return wire.bytes.toString('utf8', wire.start, end)
}

function integerText(wire: WireReader): string {
  wire.varint64()
  const { low, high } = wire
  if (high === 0) return String(low)
  return String(BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)))
}
