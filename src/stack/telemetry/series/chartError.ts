/** The chart query asks for something that cannot be answered. The message names the field and what would be right. */
import { EngineAborted, EngineError } from '../engineError.ts'
import { engineReason } from '../engineReason.ts'
import { ExpressionError } from '../expression/lexical.ts'
import { FilterError } from '../filter/filterSyntax.ts'
import { SourceTableError } from '../readableTables.ts'

export class ChartError extends Error {
  override readonly name = 'ChartError'
  constructor(
    readonly status: 400 | 404,
    /** Where in the query, `series.0.where`; empty where no one field is at fault. */
    readonly path: string,
    /** The message without the path. */
    readonly reason: string,
  ) {
    super(path && status === 400 ? `${path}: ${reason}` : reason)
  }
}

/** Runs a step that reads one field of the query: what it finds wrong is reported under that field's path. */
export async function at<T>(path: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw explained(error, path)
  }
}

/** An engine that refuses is the query's fault; one that does not answer at all is not, and stays an EngineError. */
function explained(error: unknown, path: string): unknown {
  if (error instanceof FilterError) return new ChartError(400, path, `${error.message} (at ${error.position + 1})`)
  if (error instanceof SourceTableError) return new ChartError(400, path, error.message)
  if (error instanceof ExpressionError) return new ChartError(400, path, error.message)
  if (error instanceof EngineError && !(error instanceof EngineAborted) && error.code > 0) {
    return new ChartError(400, path, engineReason(error))
  }
  return error
}
