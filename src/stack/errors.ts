/** What may go wrong in a handler, in neutral terms: each variant has its own words and shapes for it. */

/** One rule that an input broke. */
export interface Issue {
  /** Dotted path such as `tiles.0.name`; empty for the whole. */
  path: string
  message: string
  /** The value that broke it. */
  input: unknown
}

export interface InvalidPart {
  part: 'Body' | 'Params' | 'Query'
  issues: readonly Issue[]
}

/** An input that its schema refuses: 400 on both variants. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'

  constructor(readonly parts: readonly InvalidPart[]) {
    super('the input is not valid')
  }
}

/** An answer other than success that a handler means: not found, a reference that leads nowhere, a query that cannot run. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  /** @param message for people, without anything that the caller may not see */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** @param thing with a capital letter: `Alert` */
export function notFound(resource: string): Refusal {
  return new Refusal(404, `${resource} not found`)
}

/** A request that is well formed but asks for something that cannot be. */
export function refuse(message: string): Refusal {
  return new Refusal(400, message)
}
