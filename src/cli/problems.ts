/** Errors that people can fix: the command line shows the messages, and ends with 1. */
export class CliError extends Error {
  override name = 'CliError'
}

/** Several at once, one a line. */
export function problemsError(problems: readonly string[]): CliError {
  return new CliError(problems.join('\n'))
}
