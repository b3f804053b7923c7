/** Problems of Protobuf values, and how they are written. */

/** How much JSON may still come, in characters, besides numbers and the like. */
export interface Room {
  left: number
}

/** Writes a value as JSON with one character for each byte. */
export type Write = (value: unknown, room: Room) => string

/** The fields of a decoded message by name. */
export type Values = Readonly<Record<string, unknown>>

/** A schema that cannot be used, or a value that does not have it. */
export class ProtobufProblem extends Error {
  override name = 'ProtobufProblem'
}

/** A value of a field that cannot be used. */
export class FieldProblem extends ProtobufProblem {
  /** Names from the message to the field. */
  #path: string[] = []
  readonly problem: string

  constructor(problem: string) {
    super(problem)
    this.problem = problem
  }

  /** Adds the name of the field to the path of the problem. */
  within(name: string): this {
    this.#path.unshift(name)
    this.message = `${this.#path.join('.')}: ${this.problem}`
    return this
  }
}

const maxMessage = 200

/** The message of an error of the library, without positions: they count in bytes that nobody sees. */
export function messageOf(error: unknown): string {
  if (error instanceof RangeError && error.message.startsWith('index out of range')) return 'it ends too early'
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/ at offset \d+/, '').slice(0, maxMessage)
}
