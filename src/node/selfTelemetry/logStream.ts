/** Converts log lines of pino into log records of OpenTelemetry. */
import { Writable } from 'node:stream'
import { type AnyValueMap, type Logger, SeverityNumber } from '@opentelemetry/api-logs'
import { isPlainObject } from '#domain/json/plainObject.ts'

const severities: Record<number, { number: SeverityNumber; text: string }> = {
  10: { number: SeverityNumber.TRACE, text: 'TRACE' },
  20: { number: SeverityNumber.DEBUG, text: 'DEBUG' },
  30: { number: SeverityNumber.INFO, text: 'INFO' },
  40: { number: SeverityNumber.WARN, text: 'WARN' },
  50: { number: SeverityNumber.ERROR, text: 'ERROR' },
  60: { number: SeverityNumber.FATAL, text: 'FATAL' },
}

/**
 * A destination for `pino.multistream`. It receives lines after pino has redacted them, in the context of the request that
 * wrote them, which gives the record its trace.
 */
export function createLogStream(logger: Logger): Writable {
  return new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      emit(logger, line)
      done()
    },
  })
}

function emit(logger: Logger, line: string): void {
  const entry = parseLine(line)
  if (!entry) return
  const { level, time, msg, err, pid: _pid, hostname: _hostname, ...rest } = entry
  const severity = severities[Number(level)]
  logger.emit({
    ...(typeof time === 'number' && { timestamp: time }),
    ...(severity && { severityNumber: severity.number, severityText: severity.text }),
    body: typeof msg === 'string' ? msg : '',
    attributes: { ...flatten(rest), ...exceptionAttributes(err) },
  })
}

function parseLine(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line)
    return isPlainObject(entry) ? entry : null
  } catch {
    return null
  }
}

/** Keeps plain values and turns everything else into JSON text. */
function flatten(fields: Record<string, unknown>): AnyValueMap {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return [key, plain ? value : JSON.stringify(value)]
    }),
  )
}

function exceptionAttributes(error: unknown): AnyValueMap {
  if (!isPlainObject(error)) return {}
  const names = { type: 'exception.type', message: 'exception.message', stack: 'exception.stacktrace' }
  return Object.fromEntries(
    Object.entries(names).flatMap(([from, to]) => (typeof error[from] === 'string' ? [[to, error[from]]] : [])),
  )
}
