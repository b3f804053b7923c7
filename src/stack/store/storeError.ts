/** The records cannot be read or written, for a reason outside of what was asked. */
import { LibsqlError } from '@libsql/client'

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

/** A failure of the way to a libSQL server as a StoreError; what the server says to a statement stays as it is. */
export function serverFailure(error: unknown): unknown {
  if (error instanceof LibsqlError) {
    const { code } = error
    if (code === 'SQLITE_BUSY') return refused('is busy with other writes', error)
    return code.startsWith('SQL') ? error : refused(`did not answer as one (${httpStatus(error) ?? code})`, error)
  }
  const isTimeout = error instanceof Error && error.name === 'TimeoutError'
  if (isTimeout) return refused('does not answer (no answer in time)', error)
  return error instanceof TypeError && error.cause !== undefined
    ? refused(`does not answer (${systemCode(error.cause)})`, error)
    : error
}

/** At the start: a file that is none of the stack's, or cannot be opened. */
export function unreadableFile(error: unknown): unknown {
  if (!(error instanceof LibsqlError)) return error
  return new StoreError('refused', `stack.db in DATA_DIR cannot be opened (${error.code}).`, { cause: error })
}

/** The commit was sent and its answer is lost. */
export function unknownOutcome(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  return new StoreError('unknown', `${error.message} Nobody knows whether the change was kept.`, { cause: error.cause })
}

function refused(what: string, cause: unknown): StoreError {
  return new StoreError('refused', `The libSQL server of DATABASE_URL ${what}.`, { cause })
}

function httpStatus({ message }: LibsqlError): string | undefined {
  return /HTTP status \d+/.exec(message)?.[0]
}

function systemCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection broke'
}
