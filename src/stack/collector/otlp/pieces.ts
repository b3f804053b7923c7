/**
 * Splits large requests into pieces. Each is a complete request with the resource and scope of its records, so that only
 * one piece is decoded at a time.
 */
import { JsonCursor } from '../../http/jsonCursor.ts'
import { jsonParts, meterJson, skip } from './jsonText.ts'
import { type DecodeLimits, type Measure, Meter } from './decodeLimits.ts'
import { type RequestName, type Shape, type ShapeField, shapeOf } from './shapes.ts'
import { meterWire, type WorkSteps, WireFields } from './wire.ts'

/** The encoding of a request and of its response. */
export type Encoding = 'json' | 'protobuf'

/** A message that can be split, within the bytes of a request. */
interface Span {
  shape: Shape
  start: number
  end: number
  depth: number
}

/** The functions to split one encoding. Bytes of a message are without a tag, a length or a name. */
interface Notation {
  whole(bytes: Buffer, shape: Shape): Span
  measure(bytes: Buffer, span: Span, limits: DecodeLimits): WorkSteps<Measure>
  /** The content of a container: parts that lead to records, and everything else as bytes. */
  parts(bytes: Buffer, span: Span): Iterable<{ field: ShapeField; span: Span } | { shared: Buffer }>
  build(shared: readonly Buffer[], children: readonly Child[]): Buffer
}

interface Child {
  field: ShapeField
  content: Buffer
}

const wire: Notation = {
  whole: (bytes, shape) => ({ shape, start: 0, end: bytes.length, depth: 0 }),
  *measure(bytes, span, limits) {
    const meter = new Meter(limits)
    yield* meterWire(bytes, span, meter)
    return meter
  },
  *parts(bytes, { shape, start, end, depth }) {
    const fields = new WireFields(bytes, shape, start, end)
    for (let found = fields.next(); found; found = fields.next()) {
      const { field, content, end } = found
      if (field?.leads && field.shape) {
        yield { field, span: { shape: field.shape, start: content, end, depth: depth + 1 } }
      } else yield { shared: bytes.subarray(found.start, end) }
    }
  },
  build: (shared, children) =>
    Buffer.concat([...shared, ...children.flatMap(({ field, content }) => [tagOf(field, content.length), content])]),
}

function tagOf({ number }: ShapeField, length: number): Buffer {
  const bytes: number[] = []
  for (let value of [(number << 3) | 2, length]) {
    for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80)
    bytes.push(value)
  }
  return Buffer.from(bytes)
}

const json: Notation = {
  whole: (bytes, shape) => ({ shape, start: 0, end: bytes.length, depth: 0 }),
  *measure(bytes, { shape, start, depth }, limits) {
    const meter = new Meter(limits)
    const cursor = new JsonCursor(bytes, start)
    yield* meterJson(cursor, shape, meter)
    if (depth === 0) cursor.end()
    return meter
  },
  *parts(bytes, { shape, start, depth }) {
    const cursor = new JsonCursor(bytes, start)
    for (const part of jsonParts(cursor, shape)) {
      const { field } = part
      if (!field?.shape) yield { shared: bytes.subarray(part.start, part.end) }
      else {
        const start = cursor.at
        skip(cursor)
        yield { field, span: { shape: field.shape, start, end: cursor.at, depth: depth + 1 } }
      }
    }
  },
  build(shared, children) {
    const members = new Map<ShapeField, Buffer[]>()
    for (const { field, content } of children) {
      const items = members.get(field)
      if (items) items.push(content)
      else members.set(field, [content])
    }
    const leading = [...members].map(([{ name, repeated }, items]) =>
      joined(items, repeated ? `"${name}":[` : `"${name}":`, repeated ? ']' : ''),
    )
    return joined([...shared, ...leading], '{', '}')
  },
}

function joined(items: readonly Buffer[], before: string, after: string): Buffer {
  const comma = Buffer.from(',')
  const list = items.flatMap((item, at) => (at === 0 ? [item] : [comma, item]))
  return Buffer.concat([Buffer.from(before), ...list, Buffer.from(after)])
}

const notations: Record<Encoding, Notation> = { protobuf: wire, json }

/** The memory of a record besides its bytes: offsets, lengths and numbers of its columns. */
const recordWeight = 500
/** The memory of a field or list item besides its bytes. */
const valueWeight = 20

/** The approximate memory of decoded data in bytes. */
function weightOf({ records, values, expanded }: Measure): number {
  return expanded + records * recordWeight + values * valueWeight
}

export interface Weighed {
  records: number
  weight: number
}

/** Measures a request before any of it is decoded. Throws `LimitExceeded` if it exceeds one of the limits. */
export function* weighRequest(
  name: RequestName,
  encoding: Encoding,
  bytes: Buffer,
  limits: DecodeLimits,
): WorkSteps<Weighed> {
  const notation = notations[encoding]
  const whole = notation.whole(bytes, shapeOf(name))
  const measure = yield* notation.measure(bytes, whole, limits)
  return { records: measure.records, weight: weightOf(measure) }
}

export interface Piece {
  bytes: Buffer
  weight: number
}

/**
 * Splits a request into requests of at most this weight, unless a single record has more. Yields null after each long
 * step, so that the caller can do something else in between.
 */
export function piecesOf(
  name: RequestName,
  encoding: Encoding,
  bytes: Buffer,
  limits: DecodeLimits,
  maxWeight: number,
): Generator<Piece | null, void, void> {
  const notation = notations[encoding]
  return cut(notation.whole(bytes, shapeOf(name)), 0)

  /** @param outer bytes that the records share with those of other containers */
  function* cut(span: Span, outer: number): Generator<Piece | null, void, void> {
    const whole = yield* weigh(span, outer)
    if (whole <= maxWeight || span.shape.role !== 'container') {
      return yield { bytes: bytes.subarray(span.start, span.end), weight: whole }
    }
    yield null
    const shared: Buffer[] = []
    for (const part of notation.parts(bytes, span)) if ('shared' in part) shared.push(part.shared)
    const inner = outer + shared.reduce((sum, { length }) => sum + length, 0)
    yield null
    let children: Child[] = []
    let weight = 0
    for (const part of notation.parts(bytes, span)) {
      if ('shared' in part) continue
      for (const piece of cut(part.span, inner)) {
        if (!piece) yield null
        else if (children.length > 0 && weight + piece.weight > maxWeight) {
          yield { bytes: notation.build(shared, children), weight }
          children = [{ field: part.field, content: piece.bytes }]
          weight = piece.weight
        } else {
          children.push({ field: part.field, content: piece.bytes })
          weight += piece.weight
        }
      }
    }
    // A request without records is read once as well, because it may be malformed.
    if (children.length > 0 || shared.length > 0) yield { bytes: notation.build(shared, children), weight }
  }

  function* weigh(span: Span, outer: number): WorkSteps<number> {
    const measure = yield* notation.measure(bytes, span, limits)
    return weightOf(measure) + outer * measure.records
  }
}
