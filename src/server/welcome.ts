/** What a person reads once everything runs: the way in, and where things are. */
import { join } from 'node:path'
import { localUrl } from '#stack/startup/ports.ts'
import type { Settings } from './settings.ts'
import type { StackReady } from './stack.ts'

export function welcome(signInUrl: string, settings: Settings, ready: StackReady | null): string {
  const lines = [`Sign in      ${signInUrl}`, ...(ready ? stackLines(ready, settings) : [])]
  return `\nStack Console is ready.\n  ${lines.join('\n  ')}\n`
}

function stackLines({ ports: { api, otlpHttp, otlpGrpc } }: StackReady, settings: Settings): string[] {
  const keys = `Keys         ${join(settings.DATA_DIR, 'credentials.json')}`
  // The stack listens on no such port where it has no engine to put telemetry into.
  if (otlpHttp === 0) {
    return [
      'Telemetry    none: there is no engine on this machine; set CLICKHOUSE_URL to a ClickHouse server',
      `API          ${localUrl(settings.HOST, api)}`,
      keys,
    ]
  }
  return [
    `Telemetry    OTLP to ${localUrl(settings.HOST, otlpHttp)} (HTTP) or ${localUrl(settings.HOST, otlpGrpc)} (gRPC)`,
    `API          ${localUrl(settings.HOST, api)}`,
    `${keys}: ingestionKey goes into the "authorization" header`,
  ]
}
