/** The records cannot be read or written, for a reason outside of what was asked. */

export class StoreError extends Error {
  override readonly name = 'StoreError'

  /** @param outcome of the write that met it: nothing was kept, or nobody knows. The message holds no address. */
  constructor(
    readonly outcome: 'refused' | 'unknown',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The commit was sent and its answer is lost. */
export function unknownOutcome(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  return new StoreError('unknown', `${error.message} Nobody knows whether the change was kept.`, { cause: error.cause })
}

export function newerVersion(): StoreError {
  return new StoreError('refused', 'The records were written by a newer version of the stack: start that one.')
}
