/** The refusals of statements that cannot be run. */
import { Refusal } from '../../refusal.ts'
import { EngineAborted, EngineBusy, EngineError } from '../../telemetry/engine/engineError.ts'
import { StatementError } from '../../telemetry/sql/runStatement.ts'

export function runRefusalOf(error: unknown): unknown {
  if (error instanceof StatementError) return new Refusal(400, error.message)
  if (error instanceof EngineAborted) return new Refusal(503, 'The query was cancelled')
  if (error instanceof EngineBusy) return new Refusal(503, error.message, error.retryAfter)
  if (error instanceof EngineError) return new Refusal(503, error.message)
  return error
}
