/** The fields of one message after the other. Of a repeated field, the last item is kept. */
import type { ByteWriter } from '../../telemetry/native/byteWriter.ts'
import type { WireReader } from './wireReader.ts'

/** Larger tags are of no field that is read. */
const tagLimit = 128

export class Fields {
  readonly #wire: WireReader
  /** The place of each value by tag, or 0. */
  readonly #starts = new Int32Array(tagLimit)
  readonly #ends = new Int32Array(tagLimit)
  start = 0
  end = 0

  constructor(wire: WireReader) {
    this.#wire = wire
  }

  /** Finds the fields of a message in its bytes. The reader is behind it afterwards. */
  read(start: number, end: number): void {
    const wire = this.#wire
    this.#starts.fill(0)
    this.#ends.fill(0)
    this.start = start
    this.end = end
    wire.at = start
    while (wire.at < end) {
      const tag = wire.tag()
      wire.skip()
      if (tag >= tagLimit) continue
      this.#starts[tag] = wire.start
      this.#ends[tag] = wire.at
    }
  }

  has(tag: number): boolean {
    return this.#starts[tag] !== 0
  }

  startOf(tag: number): number {
    return this.#starts[tag]!
  }

  endOf(tag: number): number {
    return this.#ends[tag]!
  }

  writeText(tag: number, into: ByteWriter): void {
    into.text(this.#wire.bytes, this.#starts[tag]!, this.#ends[tag]!)
  }

  /** In hexadecimal; empty if the ID has another length or is all zeros, which both mean none. */
  writeId(tag: number, length: 8 | 16, into: ByteWriter): void {
    if (this.hasId(tag, length)) into.hex(this.#wire.bytes, this.#starts[tag]!, this.#ends[tag]!)
    else into.varint(0)
  }

  hasId(tag: number, length: 8 | 16): boolean {
    const start = this.#starts[tag]!
    if (this.#ends[tag]! - start !== length) return false
    for (let at = start; at < start + length; at++) if (this.#wire.bytes[at] !== 0) return true
    return false
  }

  uint32(tag: number): number {
    return this.#goTo(tag) ? this.#wire.uint32() : 0
  }

  int32(tag: number): number {
    return this.uint32(tag) | 0
  }

  sint32(tag: number): number {
    const value = this.uint32(tag)
    return (value >>> 1) ^ -(value & 1)
  }

  fixed32(tag: number): number {
    return this.#goTo(tag) ? this.#wire.fixed32() : 0
  }

  bool(tag: number): boolean {
    return this.#goTo(tag) && this.#wire.bool()
  }

  double(tag: number): number {
    return this.#goTo(tag) ? this.#wire.double() : 0
  }

  /** Sets `low` and `high` of the reader. @returns whether the number is not 0 */
  fixed64(tag: number): boolean {
    if (!this.#goTo(tag)) {
      this.#wire.low = this.#wire.high = 0
      return false
    }
    this.#wire.fixed64()
    return (this.#wire.low | this.#wire.high) !== 0
  }

  /** Writes a 64-bit number. */
  writeFixed64(tag: number, into: ByteWriter): void {
    this.fixed64(tag)
    into.uint64(this.#wire.low, this.#wire.high)
  }

  #goTo(tag: number): boolean {
    this.#wire.at = this.#starts[tag]!
    return this.#wire.at !== 0
  }
}
