/** Why an alert could not be evaluated, from what the engine and chart queries throw. */
import { ExecutionError, invalidAlert } from '#domain/alerting/executionError.ts'
import { EngineAborted, EngineError, engineReason } from '../../telemetry/engine/engineError.ts'
import { ChartError } from '../../telemetry/series/chartError.ts'
import { capitalized } from '#domain/text/words.ts'

/** @param seconds the time limit of the query */
export function executionErrorOf(error: unknown, seconds: number): ExecutionError {
  if (error instanceof ExecutionError) return error
  if (error instanceof ChartError) return chartProblem(error)
  if (isTimeout(error)) {
    return new ExecutionError(
      'QUERY_TIMEOUT',
      `The query took longer than ${seconds} s. It is tried again every minute, and nothing fires meanwhile. Use a shorter interval, a narrower condition or fewer groups.`,
    )
  }
  if (error instanceof EngineError) {
    return new ExecutionError('QUERY_ERROR', capitalized(error.code > 0 ? engineReason(error) : error.message))
  }
  return new ExecutionError('UNKNOWN', 'The alert could not be evaluated. It is tried again every minute.')
}

const timeoutCodes = [159, 160]

export function isTimeout(error: unknown): boolean {
  if (error instanceof EngineAborted) return true
  if (!(error instanceof EngineError)) return false
  return timeoutCodes.includes(error.code) || /ETIMEDOUT|did not respond in time/.test(error.message)
}

/** The places in a query that people know: `series.0.where` is the condition of series A. */
const fields: Record<string, string> = {
  where: 'condition',
  field: 'value',
  aggFn: 'aggregation',
  metricName: 'metric',
  metricDataType: 'metric type',
}

function chartProblem({ status, path, reason }: ChartError): ExecutionError {
  if (status === 404) return invalidAlert('The source of this alert does not exist. It may have been deleted.')
  const [, index = '', field = ''] = /^series\.(\d+)(?:\.(\w+))?/.exec(path) ?? []
  if (field === 'sourceId') return invalidAlert(`The source cannot be read: ${reason}`)
  if (field === 'groupBy') return new ExecutionError('QUERY_ERROR', `Group by: ${reason}`)
  const place =
    index === ''
      ? ''
      : `Series ${String.fromCharCode(65 + Number(index))}${fields[field] ? `, ${fields[field]}` : ''}: `
  return new ExecutionError('QUERY_ERROR', place ? place + reason : capitalized(reason))
}
