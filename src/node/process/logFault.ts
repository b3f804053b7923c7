interface ErrorLogger {
  error(fields: { fault: string }, message: string): void
}

/** Logs the message of each error that it is called with, and no more of it. @param what what happened, as a sentence */
export function logFault(logger: ErrorLogger, what: string): (error: unknown) => void {
  return (error) => logger.error({ fault: error instanceof Error ? error.message : 'unknown' }, what)
}
