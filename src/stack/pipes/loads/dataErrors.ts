/** Errors of the engine that are those of the data. All others are those of the pipe. */
import { EngineError } from '../../telemetry/engine/engineError.ts'

const codes = new Set([
  6, 26, 27, 33, 38, 41, 53, 69, 70, 72, 73, 117, 131, 306, 321, 349, 469, 636, 675, 1000, 1001, 1002,
])

export function isDataError(error: unknown): error is EngineError {
  return error instanceof EngineError && codes.has(error.code)
}
