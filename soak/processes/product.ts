/** The whole product, console and stack with its engine, as `npm start` runs it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/node/testing/freePort.ts'
import type { Credentials } from '../../src/stack/store/identity.ts'

export interface Product {
  /** The process of the console. The stack is its child. */
  pid: number
  consoleUrl: string
  dataDir: string
  password: string
  credentials: Credentials
  ports: { api: number; otlpHttp: number; otlpGrpc: number }
  /** Sends a signal to all processes of the product. */
  signal(name: NodeJS.Signals): void
  stop(): Promise<void>
  /** Stops it, and deletes its data. */
  remove(): Promise<void>
}

/**
 * Starts it on an empty data directory.
 * @param more environment variables beside or instead of the usual ones
 * @throws Error with its last output if it does not start
 */
export async function startProduct(more: Record<string, string> = {}): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-product-'))
  const dataDir = join(folder, 'data')
  const logFile = join(folder, 'product.log')
  const [free = 0, api = 0, otlpHttp = 0, otlpGrpc = 0] = await Promise.all(Array.from({ length: 4 }, freePort))
  const ui = Number(more['UI_PORT'] ?? free)
  const password = 'Correct-horse-7-battery'
  const child = spawn(process.execPath, ['src/start.js'], {
    cwd: resolve(import.meta.dirname, '../..'),
    // A group of its own, which gets signals together.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      UI_PORT: String(ui),
      API_PORT: String(api),
      OTLP_HTTP_PORT: String(otlpHttp),
      OTLP_GRPC_PORT: String(otlpGrpc),
      CONSOLE_PASSWORD: password,
      SAMPLE: '0',
      RATE_LIMIT_OPEN_SOURCE: '10000',
      RATE_LIMIT_MANAGED: '10000',
      WEBHOOK_HOSTNAME_ALLOWLIST: '127.0.0.1',
      ...more,
    },
  })
  const log = createWriteStream(logFile)
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const stop = async () => {
    if (!isRunning()) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  const consoleUrl = `http://127.0.0.1:${ui}`
  while (!(await isReady(consoleUrl))) {
    if (!isRunning()) throw new Error(`the product did not start: ${readFileSync(logFile, 'utf8').slice(-2000)}`)
    await sleep(250)
  }
  return {
    pid: child.pid ?? 0,
    consoleUrl,
    dataDir,
    password,
    // The stack wrote it.
    credentials: JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Credentials,
    ports: { api, otlpHttp, otlpGrpc },
    signal: (name) => void process.kill(-(child.pid ?? 0), name),
    stop,
    async remove() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function isReady(consoleUrl: string): Promise<boolean> {
  return fetch(`${consoleUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
