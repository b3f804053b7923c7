/** The lines that are printed at the start: the sign-in link, ports and files. */
import { join } from 'node:path'
import { localUrl } from '#stack/startup/ports.ts'
import type { Settings } from './serverSettings.ts'
import type { StackReady } from './stackSupervisor.ts'

export function welcome(signInUrl: string, settings: Settings, ready: StackReady | null): string {
  const lines = [`Sign in      ${signInUrl}`, ...(ready ? stackLines(ready, settings) : [])]
  return `\nStack Console is ready.\n  ${lines.join('\n  ')}\n`
}

function stackLines({ ports: { api, otlpHttp, otlpGrpc } }: StackReady, settings: Settings): string[] {
  const keys = `Keys         ${join(settings.DATA_DIR, 'credentials.json')}`
  // Without an engine the stack has no collector.
  if (otlpHttp === 0) {
    return [
      'Telemetry    none: the embedded engine is not available on this machine. Set CLICKHOUSE_URL to a ClickHouse server',
      `API          ${localUrl(settings.HOST, api)}`,
      keys,
    ]
  }
  return [
    `Telemetry    OTLP to ${localUrl(settings.HOST, otlpHttp)} (HTTP) or ${localUrl(settings.HOST, otlpGrpc)} (gRPC)`,
    `API          ${localUrl(settings.HOST, api)}`,
    `${keys}: send ingestionKey in the "authorization" header`,
  ]
}
