/** Why an alert could not be evaluated: docs/DEPLOYMENTS.md#alert-evaluation. */

export type ExecutionErrorType = 'QUERY_TIMEOUT' | 'QUERY_ERROR' | 'INVALID_ALERT' | 'UNKNOWN'

const maxLength = 10_000

/** An alert could not be evaluated. The message is for people. */
export class ExecutionError extends Error {
  override readonly name = 'ExecutionError'
  readonly type: ExecutionErrorType

  constructor(type: ExecutionErrorType, message: string) {
    super(message.slice(0, maxLength))
    this.type = type
  }
}

/** An alert that will fail until somebody changes it. */
export function invalidAlert(message: string): ExecutionError {
  return new ExecutionError('INVALID_ALERT', message)
}
