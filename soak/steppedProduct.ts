/** The whole product, console and stack with its engine, on a machine whose clock can be set and that can be suspended. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from '../src/node/testing/freePort.ts'

/**
 * The path of libfaketime, which shifts the clock for the engine and SQLite too. Without it, only that of the code in
 * JavaScript is shifted.
 */
const { SOAK_FAKETIME: faketime } = process.env
const root = resolve(import.meta.dirname, '..')

export interface SteppedProduct {
  /** Of the console. The stack is its child. */
  pid: number
  consoleUrl: string
  dataDir: string
  password: string
  credentials: {
    personalAccessKey: string
    ingestionKey: string
    keyId: string
    keySecret: string
    organizationId: string
    serviceId: string
  }
  ports: { api: number; otlpHttp: number }
  /** Epoch milliseconds of the machine that the product runs on. */
  wall(): number
  /** Sets the clock of the machine, by seconds relative to the true time. */
  setClock(seconds: number): void
  /** All processes of the product stand still, and the clocks go on. */
  suspend(milliseconds: number): Promise<void>
  stop(): Promise<void>
  /** Deletes its data. */
  remove(): Promise<void>
}

/** @throws Error with its last output if it does not start */
export async function startSteppedProduct(): Promise<SteppedProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'soak-clock-'))
  const offsetFile = join(dataDir, 'offset')
  const logFile = join(dataDir, 'product.log')
  let offset = 0
  const setClock = (seconds: number) => {
    writeFileSync(`${offsetFile}.new`, `${seconds < 0 ? '' : '+'}${seconds}`)
    renameSync(`${offsetFile}.new`, offsetFile)
    offset = seconds * 1000
  }
  setClock(0)
  const [ui = 0, api = 0, otlpHttp = 0, otlpGrpc = 0] = await Promise.all(Array.from({ length: 4 }, freePort))
  const password = 'Correct-horse-7-battery'
  const child = spawn(process.execPath, ['src/start.js'], {
    cwd: root,
    // A group of its own, which is suspended together.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...clockVariables(offsetFile),
      DATA_DIR: join(dataDir, 'data'),
      UI_PORT: String(ui),
      API_PORT: String(api),
      OTLP_HTTP_PORT: String(otlpHttp),
      OTLP_GRPC_PORT: String(otlpGrpc),
      CONSOLE_PASSWORD: password,
      SAMPLE: '0',
      RATE_LIMIT_OPEN_SOURCE: '10000',
      RATE_LIMIT_MANAGED: '10000',
      WEBHOOK_HOSTNAME_ALLOWLIST: '127.0.0.1',
    },
  })
  const log = createWriteStream(logFile)
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const signal = (name: NodeJS.Signals) => process.kill(-(child.pid ?? 0), name)
  const stop = async () => {
    if (!isRunning()) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  const consoleUrl = `http://127.0.0.1:${ui}`
  while (!(await answers(consoleUrl))) {
    if (!isRunning()) throw new Error(`the product did not start: ${readFileSync(logFile, 'utf8').slice(-2000)}`)
    await sleep(250)
  }
  return {
    pid: child.pid ?? 0,
    consoleUrl,
    dataDir: join(dataDir, 'data'),
    password,
    // The stack wrote it.
    credentials: JSON.parse(
      readFileSync(join(dataDir, 'data/credentials.json'), 'utf8'),
    ) as SteppedProduct['credentials'],
    ports: { api, otlpHttp },
    wall: () => Date.now() + offset,
    setClock,
    async suspend(milliseconds) {
      signal('SIGSTOP')
      await sleep(milliseconds)
      signal('SIGCONT')
    },
    stop,
    async remove() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function clockVariables(offsetFile: string): Record<string, string> {
  if (faketime) {
    return {
      LD_PRELOAD: faketime,
      FAKETIME_TIMESTAMP_FILE: offsetFile,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_NO_CACHE: '1',
    }
  }
  const preload = pathToFileURL(join(root, 'src/node/testing/clockOffset.mjs')).href
  return { NODE_OPTIONS: `--import ${preload}`, CLOCK_OFFSET_FILE: offsetFile }
}

function answers(consoleUrl: string): Promise<boolean> {
  return fetch(`${consoleUrl}/api/session`).then(
    () => true,
    () => false,
  )
}
