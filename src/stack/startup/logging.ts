/** The stack's log: on stderr, and as telemetry to its own collector. Keys are redacted, and repeated warnings left out. */
import type { Writable } from 'node:stream'
import pino, { type Logger } from 'pino'
import { leaveOutRepeats } from '#node/selfTelemetry/logRepeats.ts'
import type { Config } from '../config.ts'

const secrets = ['authorization', 'cookie', 'set-cookie', 'personalAccessKey', 'ingestionKey', 'keySecret']

export function createLogger(level: Config['logLevel'], telemetry: Writable | null = null): Logger {
  const streams = [
    { stream: pino.destination(2), level },
    ...(telemetry ? [{ stream: telemetry, level: 'info' as const }] : []),
  ]
  const paths = secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])
  return pino(
    {
      level: telemetry && level !== 'debug' && level !== 'trace' ? 'info' : level,
      redact: paths,
      hooks: { logMethod: leaveOutRepeats() },
    },
    pino.multistream(streams),
  )
}
