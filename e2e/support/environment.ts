/**
 * Ports and data directories of what is tested, so that two checkouts can be tested at the same time. Each parallel test
 * group (worker) has a product without an engine, started again for each test, and a stack with an engine, which its tests
 * share and which starts when the first of them needs it.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { namingProfiles } from '../../src/contract/wire/naming.ts'
import type { Credentials as StackCredentials } from '../../src/stack/store/identity.ts'

/** The number of parallel test groups. More than the two processors, because tests of pipes and alerts wait half of their time. */
export const workers = 3
/** `--workers` may ask for as many. */
const maxWorkers = 8

export interface TestedStack {
  dataDir: string
  logFile: string
  ports: { ui: number; api: number; otlpHttp: number; otlpGrpc: number }
  baseURL: string
  apiURL: string
}

/** The root folder of the checkout. */
export const root = resolve(import.meta.dirname, '../..')

/** A number from 0 to 479 that the path of the checkout decides: every process of one run finds the same. */
const checkout = createHash('sha256').update(root).digest().readUInt32BE() % 480

const portsPerStack = 4
/** Ports of the stacks, one for each product without an engine, and two for servers that all tests share. */
const portsPerCheckout = (maxWorkers + 1) * portsPerStack + maxWorkers + 2
/** Below the range of ephemeral ports (32768 and above on Linux), and above the highest port that browsers refuse (10080). */
const firstPort = 10_100 + checkout * portsPerCheckout

/** Where servers are asked for: see `started.ts`. */
export const serverPort = firstPort + portsPerCheckout - 2
/** The Kinesis server whose streams the pipes of all stacks read. */
export const kinesisPort = firstPort + portsPerCheckout - 1
export const kinesisEndpoint = `http://127.0.0.1:${kinesisPort}`

/** Files that products and shared servers write. Emptied at the start of a run. */
export const folder = join(tmpdir(), `stack-console-e2e-${checkout}`)
/** Bundles of the programs that workers start. In the checkout, where they find its packages. */
export const programsFolder = join(root, 'node_modules/.e2e-programs')
/** Where tests note keys that they found in responses, logs and storage, also those that pass when they are repeated. */
export const leaksFile = join(folder, 'leaks.log')

function stackAt(index: number): TestedStack {
  const first = firstPort + index * portsPerStack
  const ports = { ui: first, api: first + 1, otlpHttp: first + 2, otlpGrpc: first + 3 }
  return tested(join(folder, String(index)), ports)
}

function tested(dataDir: string, ports: TestedStack['ports']): TestedStack {
  return {
    dataDir,
    logFile: join(dataDir, 'server.log'),
    ports,
    baseURL: `http://127.0.0.1:${ports.ui}`,
    apiURL: `http://127.0.0.1:${ports.api}`,
  }
}

/** The stacks with an engine. Each starts when a test of its worker needs it. */
export const stacks = Array.from({ length: maxWorkers }, (_, index) => stackAt(index))

/** A further one, which the tests of used-up budgets start for themselves: with the limits of deployments. */
export const limitedStack = stackAt(maxWorkers)

/** The Kafka broker of all stacks: its data, and a file with its address as pipes spell it. */
export const brokerFolder = join(folder, 'kafka')
export const brokerFile = join(brokerFolder, 'address')
/** Its address without sign-in, for producers. */
export const plainBrokerFile = join(brokerFolder, 'plain-address')
export const brokerUser = { username: 'e2e', password: 'e2e-kafka-password' }

/** The worker that runs in this process. */
export const workerIndex = Number(process.env.TEST_PARALLEL_INDEX ?? 0)
/** With an engine. */
export const stackOfWorker = stackAt(workerIndex)

/** The product without an engine of a test: at the same origin as the last one, whose files the browser has. */
export function productWithoutEngine(test: number): TestedStack {
  const ui = firstPort + (maxWorkers + 1) * portsPerStack + workerIndex
  return tested(join(folder, `without-engine-${workerIndex}`, String(test)), { ui, api: 0, otlpHttp: 0, otlpGrpc: 0 })
}

/** The product of the running test. Each test may have another one: these are not read when a file is loaded. */
export let { dataDir, ports, baseURL, apiURL } = stackOfWorker

/** Called before each test. */
export function setProduct(product: TestedStack): void {
  ;({ dataDir, ports, baseURL, apiURL } = product)
}

export const password = 'correct-horse-battery-staple-e2e'

/** How the stack under test spells what deployments name differently: `NAMING=clickhouse npm run e2e` tests the other. */
export const naming = process.env.NAMING === 'clickhouse' ? 'clickhouse' : 'neutral'
export const names = namingProfiles[naming]

/** Debian's Chromium where it is installed, best without its window; undefined leaves the choice to Playwright's own. */
export const chromium = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync)

/** The content of `credentials.json`. */
export type Credentials = StackCredentials & { signInUrl: string }

/** Read again at each call: the sign-in link changes when it is used. */
export function credentials(of: Pick<TestedStack, 'dataDir'> = { dataDir }): Credentials {
  // The file is the stack's own, checked by its tests.
  return JSON.parse(readFileSync(join(of.dataDir, 'credentials.json'), 'utf8')) as Credentials
}
