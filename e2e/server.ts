/** Starts the product as `npm start` does, once for each row of tests, on empty data directories, and keeps what it prints. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { password, stacks, type TestedStack } from './environment.ts'

const servers: ChildProcess[] = []
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0))

for (const stack of stacks) {
  if (!ending.signal.aborted) servers.push(start(stack))
  // The first one builds the page for all. How long it may take is the test runner's to say.
  while (!ending.signal.aborted && !(await answers(stack))) await sleep(200)
}

/** One without the other is of no use. */
function end(code: number): void {
  if (ending.signal.aborted) return
  ending.abort()
  process.exitCode = code
  for (const server of servers) server.kill('SIGTERM')
}

function start({ dataDir, logFile, ports }: TestedStack): ChildProcess {
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(join(dataDir, 'pipe-files'), { recursive: true })
  const server = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
    env: {
      ...process.env,
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
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(logFile)
  server.stdout.pipe(log, { end: false })
  server.stderr.pipe(log, { end: false })
  server.on('exit', (code) => end(code ?? 1))
  return server
}

/** Whoever is not signed in is refused, which is an answer, too. */
async function answers({ baseURL }: TestedStack): Promise<boolean> {
  return fetch(`${baseURL}/api/session`).then(
    () => true,
    () => false,
  )
}
