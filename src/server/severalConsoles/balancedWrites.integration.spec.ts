/**
 * Two consoles and two stacks on one PostgreSQL database, each pair behind a balancer, on machines whose clocks differ by an
 * hour. In full size: `npm run soak severalConsoles`.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minimalPages } from '#gateway/testing/minimalPages.ts'
import { program } from '#node/testing/program.ts'
import { shiftedClock } from '#node/testing/shiftedClock.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { messageOf } from '#stack/testing/childProcesses.ts'
import { BalancedWrites } from '../testing/balancedWrites.ts'
import { startBalancer, type Balancer } from '../testing/balancer.ts'
import type { GatewayOrder } from '../testing/orderedGateway.ts'
import { auditHistory, checkAuditLog } from '../testing/historyAudit.ts'
import { startKillable, type KillableGateway } from '../testing/killableGateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'balanced-'))
/** Requests of the key in a window, and its milliseconds. */
const budget = { limit: 30, window: 3000 }
const stackEntry = program(join(import.meta.dirname, '#stack/testing/stackServer.ts'))

/** Variables of the second of each pair. */
const hourAhead = shiftedClock(join(folder, 'offset'))

let databaseUrl: string
let consoleBalancer: Balancer
let stackBalancer: Balancer
let order: GatewayOrder
const consoles: KillableGateway[] = []
const stacks: ChildProcess[] = []
/** When the stacks got requests of the key. */
const requests: number[] = []

beforeAll(async () => {
  writeFileSync(hourAhead.CLOCK_OFFSET_FILE, '+3600')
  databaseUrl = await newDatabase()
  stackBalancer = await startBalancer(() => requests.push(performance.now()))
  consoleBalancer = await startBalancer()
  const [accessKey] = await Promise.all([startStack(0), startStack(1)])
  const distDir = minimalPages(folder)
  const baseUrl = stackBalancer.url
  order = {
    dataDir: join(folder, 'console-0'),
    distDir,
    databaseUrl,
    secret: 'the secret of all consoles',
    publicUrl: consoleBalancer.url,
    budgets: { [baseUrl]: { openSource: budget, managed: budget } },
    tuning: { beat: 250 },
    seeds: [
      { id: 'stack', name: 'Stack', variant: 'openSource', baseUrl, allowPrivate: true, accessKey, stage: 'staging' },
    ],
  }
  await startConsole(0)
  await startConsole(1)
}, 180_000)

afterAll(async () => {
  await Promise.all(consoles.map((console) => console.kill()))
  await Promise.all(stacks.map(killed))
  await consoleBalancer.close()
  await stackBalancer.close()
  rmSync(folder, { recursive: true, force: true })
})

/** @returns the personal key, which all stacks have */
async function startStack(number: number): Promise<string> {
  const dataDir = join(folder, `stack-${number}`)
  mkdirSync(dataDir, { recursive: true })
  const child = fork(stackEntry.file, [dataDir, databaseUrl], {
    execArgv: stackEntry.execArgv,
    env: { ...process.env, STACK_SECRET: 'the secret of all stacks', ...(number === 1 && hourAhead) },
  })
  stacks[number] = child
  const { url, key } = await messageOf(child, 'ready')
  stackBalancer.target(number, url)
  return key
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function startConsole(number: number): Promise<void> {
  const place = { ...order, dataDir: join(folder, `console-${number}`) }
  const started = await startKillable(place, number === 1 ? hourAhead : {})
  consoles[number] = started
  consoleBalancer.target(number, started.address)
}

test('no write is lost or doubled when a console and a stack are killed', { timeout: 120_000 }, async () => {
  const people = new BalancedWrites({
    consoleUrl: consoleBalancer.url,
    connectionId: 'stack',
    signInUrl: () => consoles[0]?.signInUrl ?? '',
  })
  await people.signIn()
  let restarts = Promise.resolve()
  const { acknowledged } = await people.write({
    writes: 60,
    before: async (write) => {
      if (write === 15) restarts = consoles[0]!.kill().then(() => startConsole(0)) // there are two
      if (write === 35) restarts = restarts.then(() => killed(stacks[1]!)).then(async () => void (await startStack(1)))
    },
  })
  await restarts
  expect(acknowledged).toBeGreaterThan(40)
  expect(await people.check()).toEqual([])
  expect(await auditHistory(order, 'stack')).toEqual([])
  expect(await checkAuditLog(order)).toEqual([])
  expect(mostInWindow()).toBeLessThanOrEqual(budget.limit)
})

/** The most requests in any window. */
function mostInWindow(): number {
  return Math.max(...requests.map((from) => requests.filter((at) => at >= from && at < from + budget.window).length))
}
