/** The product as started by `npm start`, in a temporary folder, and a signed-in browser. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext } from '@playwright/test'
import { launchOptions } from './chromium.ts'

const uiPort = Number(process.env.BENCH_PORT ?? 28480)
const apiPort = uiPort + 1
export const otlpPort = uiPort + 2
export const root = `http://127.0.0.1:${uiPort}`
export const apiRoot = `http://127.0.0.1:${apiPort}`
const password = 'only-for-the-bench'

export interface Product {
  browser: Browser
  dataDir: string
  /** A context with an empty cache and nothing but the session. */
  signedIn(): Promise<BrowserContext>
}

interface ProductOptions {
  /** Fills the folder before the product starts. */
  prepare?: (dataDir: string) => Promise<void>
}

export async function withProduct<T>(
  work: (product: Product) => Promise<T>,
  { prepare }: ProductOptions = {},
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'))
  await prepare?.(dataDir)
  const server = spawn(process.execPath, ['src/start.js'], {
    env: {
      ...process.env,
      UI_PORT: String(uiPort),
      API_PORT: String(apiPort),
      OTLP_HTTP_PORT: String(otlpPort),
      OTLP_GRPC_PORT: String(uiPort + 3),
      DATA_DIR: dataDir,
      SAMPLE: '0',
      CONSOLE_PASSWORD: password,
      RATE_LIMIT_OPEN_SOURCE: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const browser = await chromium.launch(launchOptions)
  try {
    await untilReady(server)
    const storageState = await signIn(browser)
    return await work({ browser, dataDir, signedIn: () => browser.newContext({ storageState }) })
  } finally {
    await browser.close()
    if (server.kill('SIGTERM')) await once(server, 'exit')
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function untilReady(server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const answer = await fetch(`${root}/api/session`).catch(() => null)
    // Rejected without the header of the page, which means that it listens.
    if (answer) return
    await new Promise((wake) => setTimeout(wake, 200))
  }
  throw new Error('the product did not start')
}

async function signIn(browser: Browser) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${root}/sign-in`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').first().waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}
