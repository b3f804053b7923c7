/** A buffer that grows while it is written. Numbers are little-endian, as the engine reads them. */
import { isUtf8 } from 'node:buffer'

/** Bytes that a writer keeps for what is written after `clear`: 60 MiB at most for the columns of all tables. */
const maxKept = 256 * 1024
/** Shorter bytes are copied in a loop, which is faster than a call of the runtime. */
const shortCopy = 48

export class ByteWriter {
  #bytes: Buffer
  #view: DataView
  length = 0

  constructor(capacity = 256) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity)
    this.#view = viewOf(this.#bytes)
  }

  /** The bytes written so far. It belongs to this writer until that is cleared or dropped. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }

  /** Removes what was written, and keeps the memory, unless it is large. */
  clear(): void {
    this.length = 0
    if (this.#bytes.length > maxKept) this.#resize(maxKept)
  }

  uint8(value: number): void {
    this.#reserve(1)
    this.#bytes[this.length++] = value
  }

  /** Also for signed numbers, which are the same bits. */
  uint32(value: number): void {
    this.#reserve(4)
    this.#view.setUint32(this.length, value, true)
    this.length += 4
  }

  /** A 64-bit number as its lower and upper half. */
  uint64(low: number, high: number): void {
    this.#reserve(8)
    this.#view.setUint32(this.length, low, true)
    this.#view.setUint32(this.length + 4, high, true)
    this.length += 8
  }

  float64(value: number): void {
    this.#reserve(8)
    this.#view.setFloat64(this.length, value, true)
    this.length += 8
  }

  /** A number below 2^32 in groups of seven bits. */
  varint(value: number): void {
    this.#reserve(5)
    const bytes = this.#bytes
    let at = this.length
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80
    bytes[at++] = rest
    this.length = at
  }

  /** A 64-bit number, as its lower and upper half, in groups of seven bits. */
  varint64(low: number, high: number): void {
    if (high === 0) return this.varint(low)
    this.#reserve(10)
    let [rest, restHigh] = [low >>> 0, high >>> 0]
    while (restHigh > 0 || rest > 0x7f) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80
      rest = ((rest >>> 7) | (restHigh << 25)) >>> 0
      restHigh >>>= 7
    }
    this.#bytes[this.length++] = rest
  }

  bytes(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start)
    this.#copy(source, start, end)
  }

  /** UTF-8 with its length. Bytes that are not UTF-8 become replacement characters. */
  text(source: Buffer, start: number, end: number): void {
    const length = end - start
    this.#reserve(length + 5)
    const before = this.length
    this.varint(length)
    const isAscii = this.#copy(source, start, end)
    if (isAscii || isUtf8(source.subarray(start, end))) return
    this.length = before
    this.string(source.toString('utf8', start, end))
  }

  /** A string as UTF-8 with its length. */
  string(value: string): void {
    if (value.length <= shortCopy && this.#shortAscii(value)) return
    const length = Buffer.byteLength(value)
    this.varint(length)
    this.#reserve(length)
    this.#bytes.write(value, this.length, length)
    this.length += length
  }

  /** Writes a short string unless it has other characters than ASCII. @returns whether it did */
  #shortAscii(value: string): boolean {
    this.#reserve(shortCopy + 1)
    const start = this.length + 1
    for (let at = 0; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code > 0x7f) return false
      this.#bytes[start + at] = code
    }
    this.#bytes[this.length] = value.length
    this.length = start + value.length
    return true
  }

  /** Bytes as hexadecimal digits with their length. */
  hex(source: Uint8Array, start: number, end: number): void {
    this.varint((end - start) * 2)
    this.#reserve((end - start) * 2)
    for (let at = start; at < end; at++) {
      const byte = source[at]!
      this.#bytes[this.length++] = digits.charCodeAt(byte >> 4)
      this.#bytes[this.length++] = digits.charCodeAt(byte & 15)
    }
  }

  /** Repeats the bytes since `start`, so that they are there `times` times. With 0 they are removed. */
  repeat(start: number, times: number): void {
    const size = this.length - start
    const wanted = size * times
    this.#reserve(wanted)
    for (let done = size; done < wanted; done *= 2) {
      this.#bytes.copyWithin(start + done, start, start + Math.min(done, wanted - done))
    }
    this.length = start + wanted
  }

  /** Four bytes for the length of what follows, which `endPart` fills in. */
  beginPart(): number {
    this.#reserve(partPrefix)
    this.length += partPrefix
    return this.length
  }

  /** Sets the length of the part that began at `start`, as a varint of four bytes. */
  endPart(start: number): void {
    let rest = this.length - start
    for (let at = start - partPrefix; at < start; at++, rest >>>= 7) {
      this.#bytes[at] = at === start - 1 ? rest : (rest & 0x7f) | 0x80
    }
  }

  /** @returns whether all of the bytes are ASCII; long ones are not checked */
  #copy(source: Uint8Array, start: number, end: number): boolean {
    let bits = 0
    if (end - start > shortCopy) {
      this.#bytes.set(source.subarray(start, end), this.length)
      this.length += end - start
      return false
    }
    const bytes = this.#bytes
    const offset = this.length - start
    for (let at = start; at < end; at++) {
      const byte = source[at]!
      bits |= byte
      bytes[offset + at] = byte
    }
    this.length += end - start
    return bits < 0x80
  }

  #reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.#bytes.length) return
    this.#resize(Math.max(needed, this.#bytes.length * 2))
  }

  #resize(capacity: number): void {
    const bytes = Buffer.allocUnsafeSlow(capacity)
    this.#bytes.copy(bytes, 0, 0, this.length)
    this.#bytes = bytes
    this.#view = viewOf(bytes)
  }
}

const digits = '0123456789abcdef'
const partPrefix = 4

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}
