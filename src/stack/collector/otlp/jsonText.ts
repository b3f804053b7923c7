/** Scans JSON text without creating values: finds members and items, and measures a message. */
import { maxDepth, type Meter, tooDeep } from './decodeLimits.ts'
import type { JsonCursor } from '../../http/jsonCursor.ts'
import type { Shape, ShapeField } from './shapes.ts'
import type { WorkSteps } from './wire.ts'

/** Maximum nesting of brackets: each level of messages can be in a list. */
const maxBrackets = 2 * maxDepth

/** One member of a container, or one item of the list in it. The object is reused for the next one. */
export interface JsonPart {
  /** Set if the member leads to records: the cursor is at it, and must be moved behind it before the next part. */
  field: ShapeField | null
  /** Set for a member that records share, with its name. */
  start: number
  end: number
  /** Number of values in the member. */
  values: number
}

/** The parts of the container at the cursor, which is behind it afterwards. */
export function* jsonParts(cursor: JsonCursor, shape: Shape): Generator<JsonPart, void, void> {
  const part: JsonPart = { field: null, start: 0, end: 0, values: 0 }
  cursor.open('{')
  while (cursor.member()) {
    const start = cursor.at
    const field = shape.byName.get(cursor.key())
    if (field?.leads && field.repeated && cursor.isAt('[')) {
      part.field = field
      cursor.open('[')
      while (cursor.item()) yield part
    } else if (field?.leads && !field.repeated && cursor.isAt('{')) {
      part.field = field
      yield part
    } else {
      part.field = null
      part.start = start
      part.values = skip(cursor)
      part.end = cursor.at
      yield part
    }
  }
}

/** Measures the message at the cursor with all of its parts. Throws `LimitExceeded` or `JsonSyntaxError`. */
export function* meterJson(cursor: JsonCursor, shape: Shape, meter: Meter): WorkSteps {
  if (shape.role === 'container' && cursor.isAt('{')) return yield* meterContainer(cursor, shape, meter)
  meterPart(cursor, shape, meter)
}

function meterPart(cursor: JsonCursor, shape: Shape, meter: Meter): void {
  meter.beginPart(shape.role === 'record')
  const start = cursor.at
  meter.partValues(skip(cursor))
  meter.recordBytes(cursor.at - start)
}

function* meterContainer(cursor: JsonCursor, shape: Shape, meter: Meter): WorkSteps {
  const close = meter.container()
  let shared = 0
  let sharedFields = 0
  for (const { field, start, end, values } of jsonParts(cursor, shape)) {
    meter.containerValues(1)
    if (field?.shape?.role === 'container') yield* meterJson(cursor, field.shape, meter)
    else if (field?.shape) meterPart(cursor, field.shape, meter)
    else {
      shared += end - start
      meter.fieldsInOnePlace((sharedFields += 1))
      meter.beginPart(false)
      meter.partValues(values)
    }
    if (meter.isPauseDue()) yield null
  }
  close(shared)
}

/** @returns the number of skipped values */
export function skip(cursor: JsonCursor): number {
  const { values, depth } = cursor.skipValue(maxBrackets)
  if (depth > maxBrackets) throw tooDeep()
  return values
}
