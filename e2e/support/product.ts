/** The product as started by `npm start`, for tests: with its own data directory, and with its output recorded. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { kinesisEndpoint, password, type TestedStack } from './environment.ts'

/** Starts it on an empty data directory. `more` are settings that differ from those of most tests. */
export function startProduct(
  { dataDir, logFile, ports }: Pick<TestedStack, 'dataDir' | 'logFile' | 'ports'>,
  more: Record<string, string> = {},
): ChildProcess {
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(join(dataDir, 'pipe-files'), { recursive: true })
  const server = spawn(process.execPath, ['src/start.js'], {
    env: { ...process.env, ...settingsOf({ dataDir, ports }), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(logFile)
  server.stdout.pipe(log, { end: false })
  server.stderr.pipe(log, { end: false })
  return server
}

/** The settings of all products under test, as environment variables. */
export function settingsOf({ dataDir, ports }: Pick<TestedStack, 'dataDir' | 'ports'>): Record<string, string> {
  return {
    UI_PORT: String(ports.ui),
    API_PORT: String(ports.api),
    OTLP_HTTP_PORT: String(ports.otlpHttp),
    OTLP_GRPC_PORT: String(ports.otlpGrpc),
    DATA_DIR: dataDir,
    CONSOLE_PASSWORD: password,
    SAMPLE: '0',
    FAULTS: '1',
    LOG_LEVEL: 'trace',
    RATE_LIMIT_OPEN_SOURCE: '10000',
    RATE_LIMIT_MANAGED: '10000',
    CONVERGENCE_SECONDS: '3',
    TRANSIENT_ZEROS: '1',
    CHART_BEHAVIOR: 'deployment',
    PIPE_FILES_ROOT: join(dataDir, 'pipe-files'),
    PIPE_HOSTNAME_ALLOWLIST: '127.0.0.1',
    KINESIS_ENDPOINT: kinesisEndpoint,
    // Another address of this machine than the one whose refusal is tested.
    WEBHOOK_HOSTNAME_ALLOWLIST: '127.0.0.2',
  }
}

/** Whether the console responds. It refuses a request without a session, which is a response too. */
export async function answers({ baseURL }: Pick<TestedStack, 'baseURL'>): Promise<boolean> {
  return fetch(`${baseURL}/api/session`).then(
    () => true,
    () => false,
  )
}
