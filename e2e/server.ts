/** Starts the product as `npm start` does, on an empty data directory, and keeps everything that it prints. */
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir, logFile, password, ports } from './environment.ts'

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
    PIPE_FILES_ROOT: join(dataDir, 'pipe-files'),
    PIPE_HOSTNAME_ALLOWLIST: '127.0.0.1',
  },
  stdio: ['ignore', 'pipe', 'pipe'],
})
const log = createWriteStream(logFile)
server.stdout.pipe(log, { end: false })
server.stderr.pipe(log, { end: false })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 1))
