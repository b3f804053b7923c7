/** A database cannot be read or written. */

export class StoreError extends Error {
  override readonly name = 'StoreError'

  readonly outcome: 'refused' | 'unknown'

  /** @param outcome of a write: `refused` if nothing was changed. The message contains no address. */
  constructor(outcome: 'refused' | 'unknown', message: string, options?: ErrorOptions) {
    super(message, options)
    this.outcome = outcome
  }
}

/** Nobody answers for the server, or it is starting or shutting down: it may be there again soon. Nothing was changed. */
export class ServerUnreachable extends StoreError {
  constructor(message: string, options?: ErrorOptions) {
    super('refused', message, options)
  }
}

/** The disk that holds the file is full, or the file cannot be written. Nothing was changed. */
export class DiskUnwritable extends StoreError {
  constructor(message: string, options?: ErrorOptions) {
    super('refused', message, options)
  }
}

/** The error for a commit whose response is lost. */
export function unknownOutcome(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  return new StoreError('unknown', `${error.message} It is unknown whether the change was saved.`, {
    cause: error.cause,
  })
}

/** @param product that uses the database: the stack or the console */
export function newerVersion(product: 'stack' | 'console'): StoreError {
  return new StoreError('refused', `The records were written by a newer version of the ${product}. Use that version.`)
}
