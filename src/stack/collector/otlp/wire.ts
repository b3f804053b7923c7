/** Scans the wire format of protobuf without creating values: finds fields, and measures a message. */
import type { Meter } from './decodeLimits.ts'
import type { Shape, ShapeField } from './shapes.ts'

/** The bytes are not a message in the wire format. */
export class MalformedWire extends Error {}

/** One field of a message. */
export interface WireField {
  /** Undefined for an unknown field. */
  field: ShapeField | undefined
  /** With its tag. */
  start: number
  /** The start of the message or list in it; the same as `end` for anything else. */
  content: number
  end: number
}

/** Iterates over the fields of one message. The object that `next` returns is reused. */
export class WireFields {
  readonly #bytes: Uint8Array
  readonly #shape: Shape
  readonly #end: number
  #at: number
  readonly #found: WireField = { field: undefined, start: 0, content: 0, end: 0 }

  constructor(bytes: Uint8Array, shape: Shape, start: number, end: number) {
    this.#bytes = bytes
    this.#shape = shape
    this.#at = start
    this.#end = end
  }

  next(): WireField | null {
    if (this.#at >= this.#end) return null
    const found = this.#found
    found.start = this.#at
    const tag = this.#varint()
    found.field = this.#shape.byNumber.get(tag >>> 3)
    const type = tag & 7
    if (type === 2) {
      const length = this.#varint()
      found.content = this.#at
      this.#at += length
    } else {
      if (type === 0) this.#varint()
      else if (type === 1) this.#at += 8
      else if (type === 5) this.#at += 4
      else throw new MalformedWire(`wire type ${type} at byte ${found.start}`)
      if (found.field?.shape) throw new MalformedWire(`${this.#shape.name}.${found.field.name} must be a message`)
      found.content = this.#at
    }
    if (this.#at > this.#end) throw new MalformedWire(`cut off at byte ${found.start}`)
    found.end = this.#at
    return found
  }

  /** A number below 2^32; the lower bits of a larger one, which is neither a tag nor a length. */
  #varint(): number {
    const bytes = this.#bytes
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= this.#end) throw new MalformedWire('cut off within a number')
      const byte = bytes[this.#at++]!
      if (shift < 32) value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
    throw new MalformedWire('a number of more than ten bytes')
  }
}

/** Long work in steps: between two of them, other work of the process may run. */
export type WorkSteps<T = void> = Generator<null, T, void>

/** Measures a message at this depth with all of its parts. Throws `LimitExceeded` or `MalformedWire`. */
export function* meterWire(bytes: Uint8Array, { shape, start, end, depth }: WireSpan, meter: Meter): WorkSteps {
  if (shape.role === 'container') return yield* meterContainer(bytes, { shape, start, end, depth }, meter)
  meterPart(bytes, { shape, start, end, depth }, meter)
}

function meterPart(bytes: Uint8Array, { shape, start, end, depth }: WireSpan, meter: Meter): void {
  meter.beginPart(shape.role === 'record')
  if (shape.role === 'record') meter.recordBytes(end - start)
  meterMessage(bytes, shape, start, end, meter, depth)
}

/** A message within the bytes of a request. */
export interface WireSpan {
  shape: Shape
  start: number
  end: number
  depth: number
}

function* meterContainer(bytes: Uint8Array, { shape, start, end, depth }: WireSpan, meter: Meter): WorkSteps {
  const close = meter.container()
  const fields = new WireFields(bytes, shape, start, end)
  let shared = 0
  let sharedFields = 0
  for (let found = fields.next(); found; found = fields.next()) {
    const { field, content, end } = found
    meter.containerValues(1)
    if (field?.leads && field.shape) {
      const span = { shape: field.shape, start: content, end, depth: depth + 1 }
      if (field.shape.role === 'container') yield* meterContainer(bytes, span, meter)
      else meterPart(bytes, span, meter)
    } else {
      shared += end - found.start
      meter.fieldsInOnePlace((sharedFields += 1))
      meter.beginPart(false)
      meterField(bytes, field, content, end, meter, depth + 1)
    }
    if (meter.isPauseDue()) yield null
  }
  close(shared)
}

function meterMessage(bytes: Uint8Array, shape: Shape, start: number, end: number, meter: Meter, depth: number): void {
  meter.depth(depth)
  if (shape.name === 'KeyValue') meter.attribute()
  const fields = new WireFields(bytes, shape, start, end)
  for (let found = fields.next(); found; found = fields.next()) {
    meter.partValues(1)
    meterField(bytes, found.field, found.content, found.end, meter, depth + 1)
  }
}

function meterField(
  bytes: Uint8Array,
  field: ShapeField | undefined,
  content: number,
  end: number,
  meter: Meter,
  depth: number,
): void {
  if (!field || content === end) {
    // An empty message is still a message.
    if (field?.shape?.name === 'KeyValue') meter.attribute()
    return
  }
  if (field.shape) meterMessage(bytes, field.shape, content, end, meter, depth)
  else if (field.repeated) meter.partValues(itemsOf(bytes, field.itemBytes, content, end))
}

/** Items of a packed list. */
function itemsOf(bytes: Uint8Array, itemBytes: number, start: number, end: number): number {
  if (itemBytes > 0) return Math.ceil((end - start) / itemBytes)
  let items = 0
  for (let at = start; at < end; at++) if (bytes[at]! < 0x80) items += 1
  return items
}
