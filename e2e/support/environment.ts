/** Ports and data directories of the stacks under test, so that two checkouts can be tested at the same time. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { namingProfiles } from '../../src/contract/naming.ts'

/**
 * The number of parallel test groups. Each group has its own stack, because injected faults would affect other tests.
 */
export const workers = 4

export interface TestedStack {
  dataDir: string
  logFile: string
  /** What its browsers stored, for the search for secrets. */
  storageFile: string
  ports: { ui: number; api: number; otlpHttp: number; otlpGrpc: number }
  baseURL: string
  apiURL: string
  /** The session of who is signed in. */
  storageState: string
}

/** A number from 0 to 599 that the path of the checkout decides: every process of one run finds the same. */
const checkout =
  createHash('sha256')
    .update(resolve(import.meta.dirname, '../..'))
    .digest()
    .readUInt32BE() % 600

const portsPerStack = 4
/** Those of all stacks, and one for servers that they share. */
const portsPerCheckout = (workers + 1) * portsPerStack + 1
/** Below the range of ephemeral ports (32768 and above on Linux). */
const firstPort = 20_000 + checkout * portsPerCheckout

/** The Kinesis server whose streams the pipes of all stacks read. */
export const kinesisPort = firstPort + portsPerCheckout - 1
export const kinesisEndpoint = `http://127.0.0.1:${kinesisPort}`

function testedStack(index: number): TestedStack {
  const dataDir = join(tmpdir(), `stack-console-e2e-${checkout}`, String(index))
  const first = firstPort + index * portsPerStack
  const ports = { ui: first, api: first + 1, otlpHttp: first + 2, otlpGrpc: first + 3 }
  return {
    dataDir,
    logFile: join(dataDir, 'server.log'),
    storageFile: join(dataDir, 'storage.log'),
    ports,
    baseURL: `http://127.0.0.1:${ports.ui}`,
    apiURL: `http://127.0.0.1:${ports.api}`,
    storageState: join(dataDir, 'signed-in.json'),
  }
}

export const stacks = Array.from({ length: workers }, (_, index) => testedStack(index))

/** A further one, which the tests of used-up budgets start for themselves: with the limits of deployments. */
export const limitedStack = testedStack(workers)

/** The Kafka broker of all stacks: its data, and a file with its address as pipes spell it. */
export const brokerFolder = join(tmpdir(), `stack-console-e2e-${checkout}`, 'kafka')
export const brokerFile = join(brokerFolder, 'address')
/** Its address without sign-in, for producers. */
export const plainBrokerFile = join(brokerFolder, 'plain-address')
export const brokerUser = { username: 'e2e', password: 'e2e-kafka-password' }

/** The stack of the tests that run in this process. */
export const { dataDir, ports, baseURL, apiURL, storageState, storageFile } = testedStack(
  Number(process.env.TEST_PARALLEL_INDEX ?? 0),
)
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

export interface Credentials {
  personalAccessKey: string
  ingestionKey: string
  keyId: string
  keySecret: string
  organizationId: string
  serviceId: string
  signInUrl: string
}

/** Read again at each call: the sign-in link changes when it is used. */
export function credentials(of: Pick<TestedStack, 'dataDir'> = { dataDir }): Credentials {
  // The file is the stack's own, checked by its tests.
  return JSON.parse(readFileSync(join(of.dataDir, 'credentials.json'), 'utf8')) as Credentials
}
