/** Errors of a search, with the types of the engine: docs/DEPLOYMENTS.md#search. */
import { EngineAborted, EngineError, engineReason } from '../engine/engineError.ts'
import { ExpressionError } from '#domain/query/sqlLexical.ts'
import { FilterError } from '#domain/query/filterSyntax.ts'
import { SourceTableError } from '../readableTables.ts'

/** The search cannot be run. The message begins with the engine's type of the error. */
export class SearchError extends Error {
  override readonly name = 'SearchError'
  readonly status: 400 | 404 | 500

  constructor(status: 400 | 404 | 500, message: string) {
    super(message)
    this.status = status
  }
}

const maxLength = 300

function invalid(type: string, field: string, message: string): SearchError {
  const [line = ''] = `${type}: ${field ? `${field}: ` : ''}${message}`.split('\n', 1)
  return new SearchError(400, line.slice(0, maxLength))
}

/** Errors of the engine that the query causes. */
const causedByQuery = new Set([
  'SYNTAX_ERROR',
  'UNKNOWN_IDENTIFIER',
  'UNKNOWN_TABLE',
  'UNKNOWN_FUNCTION',
  'UNKNOWN_AGGREGATE_FUNCTION',
  'UNKNOWN_TYPE',
  'BAD_ARGUMENTS',
  'CANNOT_CONVERT_TYPE',
  'THERE_IS_NO_COLUMN',
  'NO_COMMON_TYPE',
  'ILLEGAL_TYPE_OF_ARGUMENT',
  // Beyond those of deployments, because the reason says what to change.
  'TIMEOUT_EXCEEDED',
  'TOO_SLOW',
  'MEMORY_LIMIT_EXCEEDED',
  'CANNOT_PARSE_TEXT',
  'CANNOT_PARSE_NUMBER',
  'ILLEGAL_DIVISION',
])

/** Runs a step that reads one field of the search: its errors name that field. */
export async function reading<T>(field: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof FilterError) {
      throw invalid(error.type, field, `${error.message} (at ${error.position + 1})`)
    }
    if (error instanceof ExpressionError) throw invalid(error.type, field, error.message)
    if (error instanceof SourceTableError) throw invalid('UNKNOWN_TABLE', field, error.message)
    throw error
  }
}

/** An error while the statement runs. An engine that does not respond stays an EngineError. */
export function toSearchError(error: unknown): unknown {
  if (!(error instanceof EngineError) || error instanceof EngineAborted || error.code === 0) return error
  if (causedByQuery.has(error.type)) return invalid(error.type, '', engineReason(error))
  return new SearchError(500, 'Query execution failed')
}
