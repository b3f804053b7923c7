/** Reads the values of protobuf's wire format in one pass, without creating objects for messages. */
import { MalformedWire } from './wire.ts'
import { fieldsOf, type FieldPlan, type MessageName, type messageTable } from './messages.ts'

type Tags<N extends MessageName> = { readonly [F in keyof (typeof messageTable)[N]]: number }

/**
 * The tags of a message's fields: number and wire type, as they are in the bytes. A field with another wire type has
 * another tag, and so is passed like an unknown one.
 */
export function tagsOf<N extends MessageName>(name: N): Tags<N> {
  const tags = fieldsOf(name).map((field) => [field.name, tagOf(field)])
  // `fieldsOf` lists the fields of the table.
  return Object.fromEntries(tags) as Tags<N>
}

/** Number and wire type of a field. */
export function tagOf({ number, type }: FieldPlan): number {
  return (number << 3) | wireTypeOf(type)
}

/** The tag of a repeated number whose items are packed into one field. */
export const packed = (tag: number): number => (tag & ~7) | 2

function wireTypeOf(type: FieldPlan['type']): number {
  if (/^(s?fixed64|double)$/.test(type)) return 1
  if (type === 'fixed32') return 5
  return /^([us]?int\d+|bool)$/.test(type) ? 0 : 2
}

/**
 * A position in the bytes of a request. A message is read in a loop until its end:
 * `while (wire.at < end) switch (wire.tag()) { … default: wire.skip() }`
 */
export class WireReader {
  readonly bytes: Buffer
  at = 0
  /** The lower and the upper half of the last 64-bit number. */
  low = 0
  high = 0
  /** The start of the value that was passed last. */
  start = 0
  #tag = 0
  readonly #view: DataView

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  tag(): number {
    this.#tag = this.uint32()
    if (this.#tag < 8) throw new MalformedWire('a field with the number 0')
    return this.#tag
  }

  /** Steps past the value of the last tag, which begins at `start` and ends at `at`. */
  skip(): void {
    const type = this.#tag & 7
    if (type === 2) return void this.part()
    this.start = this.at
    if (type === 0) this.varint64()
    else if (type === 1) this.#pass(8)
    else if (type === 5) this.#pass(4)
    else throw new MalformedWire(`wire type ${type}`)
  }

  /** Steps past a message, text or bytes. @returns its end */
  part(): number {
    const length = this.uint32()
    this.start = this.at
    this.#pass(length)
    return this.at
  }

  /** Steps to the start of a message. @returns its end */
  enter(): number {
    const end = this.part()
    this.at = this.start
    return end
  }

  /** Throws unless a list of numbers ends where its length says. */
  endAt(end: number): void {
    if (this.at !== end) throw cutOff()
  }

  /** A varint: all of it below 2^32, and the lower bits of a larger one. */
  uint32(): number {
    const { bytes } = this
    let byte = bytes[this.at++]
    if (byte === undefined) throw cutOff()
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let shift = 7; shift < 70; shift += 7) {
      byte = bytes[this.at++]
      if (byte === undefined) throw cutOff()
      if (shift < 32) value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
    throw new MalformedWire('a number of more than ten bytes')
  }

  bool(): boolean {
    this.varint64()
    return (this.low | this.high) !== 0
  }

  /** Sets `low` and `high`. */
  varint64(): void {
    let low = 0
    let high = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.bytes[this.at++]
      if (byte === undefined) throw cutOff()
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >>> 4
      } else high |= bits << (shift - 32)
      if (byte < 0x80) {
        this.low = low >>> 0
        this.high = high >>> 0
        return
      }
    }
    throw new MalformedWire('a number of more than ten bytes')
  }

  fixed32(): number {
    this.#pass(4)
    return this.#view.getUint32(this.at - 4, true)
  }

  /** Sets `low` and `high`. */
  fixed64(): void {
    this.#pass(8)
    this.low = this.#view.getUint32(this.at - 8, true)
    this.high = this.#view.getUint32(this.at - 4, true)
  }

  double(): number {
    this.#pass(8)
    return this.#view.getFloat64(this.at - 8, true)
  }

  #pass(count: number): void {
    this.at += count
    if (this.at > this.bytes.length) throw cutOff()
  }
}

function cutOff(): MalformedWire {
  return new MalformedWire('cut off')
}
