/** The chart query cannot be answered. The message names the field and the accepted values. */
import { EngineAborted, EngineError, engineReason } from '../engine/engineError.ts'
import { ExpressionError } from '#domain/query/sqlLexical.ts'
import { FilterError } from '#domain/query/filterSyntax.ts'
import { SourceTableError } from '../readableTables.ts'

export class ChartError extends Error {
  override readonly name = 'ChartError'
  readonly status: 400 | 404
  /** The path in the query, such as `series.0.where`; empty if no single field is invalid. */
  readonly path: string
  /** The message without the path. */
  readonly reason: string

  constructor(status: 400 | 404, path: string, reason: string) {
    super(path && status === 400 ? `${path}: ${reason}` : reason)
    this.status = status
    this.path = path
    this.reason = reason
  }
}

/**
 * Runs a step that reads one field of the query: its errors are reported with that field's path.
 * @param expected the code of an engine error that the caller handles
 */
export async function at<T>(path: string, step: () => T | Promise<T>, expected?: number): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof EngineError && error.code === expected) throw error
    throw toChartError(error, path)
  }
}

/** An engine error caused by the query is a ChartError. An engine that does not respond stays an EngineError. */
function toChartError(error: unknown, path: string): unknown {
  if (error instanceof FilterError) return new ChartError(400, path, `${error.message} (at ${error.position + 1})`)
  if (error instanceof SourceTableError) return new ChartError(400, path, error.message)
  if (error instanceof ExpressionError) return new ChartError(400, path, error.message)
  if (error instanceof EngineError && !(error instanceof EngineAborted) && error.code > 0) {
    return new ChartError(400, path, engineReason(error))
  }
  return error
}
