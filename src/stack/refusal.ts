/** Errors of handlers. Each variant has its own shape for them. */

/** One problem with an input. */
export interface Issue {
  /** Dotted path such as `tiles.0.name`; empty for the whole input. */
  path: string
  message: string
  /** The invalid value. */
  input: unknown
}

export interface InvalidPart {
  part: 'Body' | 'Params' | 'Query'
  issues: readonly Issue[]
}

/** An input that its schema rejects: 400 on both variants. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'

  readonly parts: readonly InvalidPart[]

  constructor(parts: readonly InvalidPart[]) {
    super('the input is not valid')
    this.parts = parts
  }
}

/** An expected error of a handler: not found, an invalid reference, a query that cannot run. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  readonly status: number
  /** Seconds after which the same request is worth another try, for the header `Retry-After`. */
  readonly retryAfter?: number

  /** @param message for people, without anything secret */
  constructor(status: number, message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** @param resource capitalized: `Alert` */
export function notFound(resource: string): Refusal {
  return new Refusal(404, `${resource} not found`)
}

/** A well-formed request for something that is not possible. */
export function refuse(message: string): Refusal {
  return new Refusal(400, message)
}

/** A well-formed field of a body that is not possible here. */
export function invalidField(field: string, message: string, body: object): InvalidInput {
  const input = Object.entries(body).find(([name]) => name === field)?.[1]
  return new InvalidInput([{ part: 'Body', issues: [{ path: field, message, input }] }])
}
