/** Attributes of the wire format as maps from key to text. */
import type { Maps } from '../../telemetry/native/columns.ts'
import type { ByteWriter } from '../../telemetry/native/byteWriter.ts'
import { tagsOf, type WireReader } from '../otlp/wireReader.ts'
import type { Fields } from '../otlp/fields.ts'
import { eachMessage, type Part } from '../otlp/parts.ts'
import { writeValue } from './values.ts'

const keyValue = tagsOf('KeyValue')
/** Repeated keys among so many attributes are found by comparing each with each. */
const fewAttributes = 24

/** The attributes of one record, resource or scope. One list serves all of them, one after the other. */
export class AttributeList {
  readonly #wire: WireReader
  #count = 0
  readonly #keyStarts: number[] = []
  readonly #keyEnds: number[] = []
  /** The bytes of the value's message; empty without a value. */
  readonly #valueStarts: number[] = []
  readonly #valueEnds: number[] = []

  constructor(wire: WireReader) {
    this.#wire = wire
  }

  /** Replaces the list by the attributes with this tag in some messages. */
  read(tag: number, ...messages: readonly Part[]): void {
    this.#count = 0
    for (const message of messages) eachMessage(this.#wire, message, tag, (_start, end) => this.#add(end))
  }

  #add(end: number): void {
    const wire = this.#wire
    const at = this.#count++
    this.#keyStarts[at] = this.#keyEnds[at] = this.#valueStarts[at] = this.#valueEnds[at] = 0
    while (wire.at < end) {
      const tag = wire.tag()
      wire.skip()
      if (tag === keyValue.key) {
        this.#keyStarts[at] = wire.start
        this.#keyEnds[at] = wire.at
      } else if (tag === keyValue.value) {
        this.#valueStarts[at] = wire.start
        this.#valueEnds[at] = wire.at
      }
    }
  }

  /** Writes the entries of a row. @returns their number */
  writeEntries({ keys, values }: Maps): number {
    const { bytes } = this.#wire
    const repeated = this.#repeated()
    let entries = 0
    for (let at = 0; at < this.#count; at++) {
      if (repeated?.has(at)) continue
      keys.text(bytes, this.#keyStarts[at]!, this.#keyEnds[at]!)
      writeValue(values, this.#wire, this.#valueStarts[at]!, this.#valueEnds[at]!)
      entries += 1
    }
    return entries
  }

  /** Writes the attributes with this tag in a message as one row of a map column. */
  writeRow(message: Fields, tag: number, map: Maps): void {
    this.#count = 0
    if (message.has(tag)) this.read(tag, message)
    map.endRow(this.writeEntries(map))
  }

  /** Writes the value of a key, or empty text. */
  writeValueOf(key: Buffer, into: ByteWriter): void {
    const { bytes } = this.#wire
    for (let at = this.#count - 1; at >= 0; at--) {
      if (bytes.compare(key, 0, key.length, this.#keyStarts[at]!, this.#keyEnds[at]!) !== 0) continue
      return writeValue(into, this.#wire, this.#valueStarts[at]!, this.#valueEnds[at]!)
    }
    into.varint(0)
  }

  /** The attributes whose key comes again later: of a repeated key, the last value is kept. */
  #repeated(): Set<number> | undefined {
    const found = this.#count <= fewAttributes ? this.#repeatedOfFew() : this.#repeatedOfMany()
    return found.length > 0 ? new Set(found) : undefined
  }

  #repeatedOfFew(): number[] {
    const found: number[] = []
    for (let later = 1; later < this.#count; later++) {
      for (let at = 0; at < later; at++) if (this.#isSameKey(at, later)) found.push(at)
    }
    return found
  }

  #repeatedOfMany(): number[] {
    const found: number[] = []
    const last = new Map<string, number>()
    for (let at = 0; at < this.#count; at++) {
      const key = this.#wire.bytes.toString('latin1', this.#keyStarts[at]!, this.#keyEnds[at]!)
      const before = last.get(key)
      if (before !== undefined) found.push(before)
      last.set(key, at)
    }
    return found
  }

  #isSameKey(one: number, other: number): boolean {
    const { bytes } = this.#wire
    const start = this.#keyStarts[one]!
    const length = this.#keyEnds[one]! - start
    const otherStart = this.#keyStarts[other]!
    if (this.#keyEnds[other]! - otherStart !== length) return false
    // From the end, because keys of one namespace begin alike.
    for (let at = length - 1; at >= 0; at--) if (bytes[start + at] !== bytes[otherStart + at]) return false
    return true
  }
}
