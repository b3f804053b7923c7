/**
 * The product of a test: one without an engine of its own, or the stack with an engine of its worker. A test says which by
 * `test.use({ telemetry: true })`.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test as base, type BrowserContext, type PlaywrightWorkerArgs } from '@playwright/test'
import { z } from 'zod'
import { consoleHeader } from '../../src/contract/console/connections.ts'
import {
  credentials,
  productWithoutEngine,
  programsFolder,
  root,
  setProduct,
  stackOfWorker,
  workerIndex,
  type TestedStack,
} from './environment.ts'
import { settingsOf } from './product.ts'
import { started } from './started.ts'

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>['cookies']

export interface TestedProduct extends TestedStack {
  /** The session cookies of the person who is signed in. */
  cookies: Cookies
}

export interface TestFixtures {
  /** Whether the test needs telemetry, and so a stack with an engine. Default: false. */
  telemetry: boolean
  product: TestedProduct
}

export interface WorkerFixtures {
  /** The stack with an engine of the worker, which its tests share. */
  sharedProduct: () => Promise<TestedProduct>
  /** Starts a product without an engine, instead of the last one. */
  ownProduct: () => Promise<TestedProduct>
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  telemetry: [false, { option: true }],
  sharedProduct: [
    async ({ playwright }, run) => {
      let shared: Promise<TestedProduct> | undefined
      await run(() => (shared ??= openShared(playwright)))
    },
    { scope: 'worker' },
  ],
  ownProduct: [
    async ({ playwright }, run) => {
      const runner = startRunner()
      await run(() => runner.next(playwright))
      await runner.stop()
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ telemetry, sharedProduct, ownProduct }, run) => {
      const product = await (telemetry ? sharedProduct() : ownProduct())
      setProduct(product)
      await run(product)
    },
    // The first stack of a run takes a while to start.
    { auto: true, timeout: 240_000 },
  ],
  baseURL: async ({ product }, run) => run(product.baseURL),
})

async function openShared(playwright: PlaywrightWorkerArgs['playwright']): Promise<TestedProduct> {
  await started(`stack/${workerIndex}`)
  return { ...stackOfWorker, cookies: await signIn(playwright, stackOfWorker) }
}

/** The message of the process once a product runs, or could not be started. */
const answer = z.object({ api: z.number().optional(), error: z.string().optional() })

/** A process that runs the products without an engine of this worker, one after the other. It starts with the first. */
function startRunner() {
  let child: ChildProcess | undefined
  let count = 0
  return {
    async next(playwright: PlaywrightWorkerArgs['playwright']): Promise<TestedProduct> {
      const product = productWithoutEngine(count++)
      if (count === 1) rmSync(dirname(product.dataDir), { recursive: true, force: true })
      mkdirSync(join(product.dataDir, 'pipe-files'), { recursive: true })
      child ??= forkRunner(product)
      child.send(settingsOf(product))
      const { api, error } = answer.parse(await nextMessage(child))
      if (error !== undefined) throw new Error(error)
      const running = { ...product, apiURL: `http://127.0.0.1:${api}`, logFile: logOf(product) }
      return { ...running, cookies: await signIn(playwright, running) }
    },
    async stop(): Promise<void> {
      if (!child || child.exitCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** @returns what the process sends next, or its exit code */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const stop = new AbortController()
  const { signal } = stop
  const [message] = await Promise.race([once(child, 'message', { signal }), once(child, 'exit', { signal })])
  stop.abort()
  return message
}

/** One for all products of a worker. */
const logOf = ({ dataDir }: TestedStack) => join(dirname(dataDir), 'server.log')

function forkRunner(product: TestedStack): ChildProcess {
  const child = fork(join(programsFolder, 'withoutEngineProcess.js'), [root], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const log = createWriteStream(logOf(product))
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  return child
}

/** Signs in with the link, as after a start. */
async function signIn(playwright: PlaywrightWorkerArgs['playwright'], product: TestedStack): Promise<Cookies> {
  const { baseURL } = product
  const request = await playwright.request.newContext({ baseURL })
  const token = new URL(credentials(product).signInUrl).hash.replace('#token=', '')
  const headers = { [consoleHeader]: '1', origin: baseURL }
  const response = await request.post('/api/session', { headers, data: { token } })
  if (!response.ok()) throw new Error(`The sign-in failed: ${response.status()} ${await response.text()}`)
  const { cookies } = await request.storageState()
  await request.dispose()
  // Tests read the next link.
  await expect.poll(() => credentials(product).signInUrl).not.toContain(token)
  return cookies
}
