/** The fields of a message by their names in JSON, which are compared as bytes. */
import { fieldsOf, type FieldPlan, type MessageName } from './messages.ts'
import { shapeOf, snakeCase } from './shapes.ts'
import { tagOf } from './wireReader.ts'

export interface JsonField extends FieldPlan {
  /** Number and type in the wire format. */
  tag: number
}

interface NamedField {
  name: Buffer
  field: JsonField
}

export class JsonFields {
  readonly message: MessageName
  readonly isAttribute: boolean
  readonly isRecord: boolean
  /** Whether it resets the limits of one record. */
  readonly beginsPart: boolean
  /** By the length of the name: no message has many names of the same length. */
  readonly #byLength: NamedField[][] = []

  constructor(message: MessageName) {
    this.message = message
    this.isAttribute = message === 'KeyValue'
    this.isRecord = shapeOf(message).role === 'record'
    this.beginsPart = this.isRecord || message === 'Resource' || message === 'Scope'
    for (const plan of fieldsOf(message)) {
      const field = { ...plan, tag: tagOf(plan) }
      for (const name of new Set([plan.name, snakeCase(plan.name)])) {
        ;(this.#byLength[name.length] ??= []).push({ name: Buffer.from(name), field })
      }
    }
  }

  /** The field whose name is in these bytes. */
  find(bytes: Buffer, start: number, end: number): JsonField | undefined {
    const candidates = this.#byLength[end - start]
    if (!candidates) return undefined
    for (const { name, field } of candidates) if (isSame(name, bytes, start)) return field
    return undefined
  }
}

const known = new Map<MessageName, JsonFields>()

export function jsonFieldsOf(message: MessageName): JsonFields {
  let fields = known.get(message)
  if (!fields) known.set(message, (fields = new JsonFields(message)))
  return fields
}

function isSame(name: Buffer, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[start + at]) return false
  return true
}
