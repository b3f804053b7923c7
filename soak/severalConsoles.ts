/**
 * Two consoles and two stacks behind nginx, on one PostgreSQL server and one ClickHouse server. People write dashboards, webhooks
 * and alerts while any of the four and PostgreSQL are killed and started again, and alerts fire. The clock of the second machine
 * is an hour ahead, and later two hours behind. Nothing may be lost or doubled, nothing may stay locked, and alerts are
 * evaluated once, by the time of PostgreSQL.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { minimalPages } from '../src/gateway/testing/minimalPages.ts'
import { freePort } from '../src/node/testing/freePort.ts'
import { startPostgres } from '../src/node/testing/postgresProcess.ts'
import { BalancedWrites } from '../src/server/testing/balancedWrites.ts'
import type { GatewayOrder } from '../src/server/testing/orderedGateway.ts'
import { auditHistory, checkAuditLog } from '../src/server/testing/historyAudit.ts'
import { startKillable, type KillableGateway } from '../src/server/testing/killableGateway.ts'
import { startClickhouse } from '../src/stack/testing/clickhouse/clickhouseProcess.ts'
import { startFiringAlerts } from './firingAlerts.ts'
import { nginxProgram, startNginx } from './nginx.ts'
import { settableClock } from './processes/settableClock.ts'
import { startStackProcess, type StackProcess } from './processes/stackProcess.ts'

/** `SOAK_WRITES` and `SOAK_KILLS`; smaller numbers for slow machines. */
const writes = Number(process.env['SOAK_WRITES'] ?? 1000)
const kills = Number(process.env['SOAK_KILLS'] ?? 24)
/** Requests of the key of the connection in a window, and its milliseconds. */
const budget = { limit: 100, window: 10_000 }
/** Milliseconds until some of the killed ones start again: others have taken over by then. */
const longAbsence = 15_000
/** Milliseconds without PostgreSQL, at most. */
const longestOutage = 5000
/** Writes after the last kill, which must all be acknowledged. */
const calmWrites = 40
const consoleSecret = 'the secret of all consoles'
const stackSecret = 'the secret of all stacks'

/** @returns what was lost, doubled or against the rules */
export async function severalConsoles(): Promise<string[]> {
  const nginx = nginxProgram()
  if (!nginx) {
    console.log('skipped: nginx is not installed (Debian: apt-get install nginx-light)')
    return []
  }
  const folder = await mkdtemp(join(tmpdir(), 'soak-consoles-'))
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    return await run(nginx, folder, (end) => closing.push(end))
  } finally {
    for (const end of closing.toReversed()) await end()
  }
}

async function run(nginx: string, folder: string, onClose: (end: () => Promise<unknown>) => void): Promise<string[]> {
  // The database server has a user of its own.
  await chmod(folder, 0o755)
  for (const name of ['server', 'engine']) await mkdir(join(folder, name))
  const postgres = await startPostgres(join(folder, 'server'))
  onClose(() => postgres.stop())
  const clickhouse = await startClickhouse(join(folder, 'engine'), 'secret')
  onClose(() => clickhouse.kill())
  const databaseUrl = postgres.url('postgres')

  const ports = await Promise.all(Array.from({ length: 6 }, freePort))
  const [consolePort = 0, apiPort = 0, ...targets] = ports
  const balancer = await startNginx(nginx, join(folder, 'nginx'), [
    { name: 'consoles', port: consolePort, targets: targets.slice(0, 2) },
    { name: 'stacks', port: apiPort, targets: targets.slice(2) },
  ])
  onClose(() => balancer.stop())
  const consoleUrl = `http://127.0.0.1:${consolePort}`
  const baseUrl = `http://127.0.0.1:${apiPort}`

  const otherClock = settableClock(join(folder, 'offset'))
  otherClock.set(3600)
  const clockOf = (number: number) => (number === 1 ? otherClock.variables : {})

  const stacks: StackProcess[] = []
  const startStack = async (number: number) => {
    const env = {
      DATABASE_URL: databaseUrl,
      STACK_SECRET: stackSecret,
      CLICKHOUSE_URL: clickhouse.url,
      API_PORT: String(targets[2 + number]),
      WEBHOOK_HOSTNAME_ALLOWLIST: '127.0.0.1',
      ...clockOf(number),
    }
    const dataDir = join(folder, `stack-${number}`)
    await mkdir(dataDir, { recursive: true })
    stacks[number] = await startStackProcess(env, dataDir)
  }
  await startStack(0)
  await startStack(1)
  onClose(() => Promise.all(stacks.map((stack) => stack.alive() && stack.kill())))
  const { personalAccessKey } = stacks[0]!.credentials // it has just started

  const distDir = minimalPages(folder)
  const orderOf = (number: number): GatewayOrder => ({
    dataDir: join(folder, `console-${number}`),
    distDir,
    port: targets[number] ?? 0,
    databaseUrl,
    secret: consoleSecret,
    publicUrl: consoleUrl,
    budgets: { [baseUrl]: { openSource: budget, managed: budget } },
    seeds: [
      {
        id: 'stack',
        name: 'Stack',
        variant: 'openSource',
        stage: 'staging',
        baseUrl,
        allowPrivate: true,
        accessKey: personalAccessKey,
      },
    ],
  })
  const consoles: KillableGateway[] = []
  const startConsole = async (number: number) => {
    consoles[number] = await startKillable(orderOf(number), clockOf(number))
  }
  await startConsole(0)
  await startConsole(1)
  onClose(() => Promise.all(consoles.map((console) => console.kill())))

  const alerts = await startFiringAlerts({
    api: `http://127.0.0.1:${stacks[0]?.ports.api}`,
    personalAccessKey,
    clickhouseUrl: clickhouse.url,
  })
  const people = new BalancedWrites({
    consoleUrl,
    connectionId: 'stack',
    signInUrl: () => consoles[0]?.signInUrl ?? '',
    kinds: [
      { path: 'dashboards', body: (name) => ({ name, tags: [], tiles: [] }) },
      { path: 'webhooks', body: (name) => ({ name, service: 'generic', url: 'http://127.0.0.1:9/soak' }) },
      { path: 'alerts', body: (name) => alerts.sleeping(name) },
    ],
  })
  await people.signIn()

  const killed: Record<string, number> = { consoles: 0, stacks: 0, databases: 0 }
  const killDatabase = async () => {
    killed['databases']! += 1 // it is there
    // As in a restart by its administrator, or as in a power failure.
    await (Math.random() < 0.5 ? postgres.stop() : postgres.kill())
    await sleep(Math.random() * longestOutage)
    await postgres.start()
  }
  const killOne = async () => {
    if (Math.random() < 0.25) return killDatabase()
    const number = Math.random() < 0.5 ? 0 : 1
    const isConsole = Math.random() < 0.5
    killed[isConsole ? 'consoles' : 'stacks']! += 1 // both are there
    await (isConsole ? consoles[number] : stacks[number])?.kill()
    if (Math.random() < 0.25) await sleep(longAbsence)
    await (isConsole ? startConsole(number) : startStack(number))
  }
  const moments = Array.from({ length: kills }, () => 1 + Math.floor(Math.random() * writes)).toSorted((a, b) => a - b)
  let killing = Promise.resolve()
  const startedAt = Date.now()
  const tally = await people.write({
    writes,
    // While nginx has no server to send them to, they would be over in a moment.
    pauseMs: 1000,
    before: async (write) => {
      if (write === Math.floor(writes / 2)) otherClock.set(-7200)
      while (moments[0] !== undefined && moments[0] <= write) {
        moments.shift()
        // One at a time, while the others write.
        await killing
        killing = killing.then(() => sleep(Math.random() * 20)).then(killOne)
      }
    },
  })
  await killing
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  // These are refused unless everything that a killed process held is released.
  const calm = await people.write({ writes: calmWrites })
  const faults = await people.check()
  const refused = calm.open - tally.open
  if (refused > 0) faults.push(`${refused} of ${calmWrites} writes after the last kill were not acknowledged`)
  if (tally.acknowledged < writes / 2) faults.push(`only ${tally.acknowledged} of ${writes} writes were acknowledged`)
  const events = await alerts.end({ url: databaseUrl, dataDir: join(folder, 'stack-0'), secret: stackSecret })
  faults.push(...events.faults)
  faults.push(...(await auditHistory(orderOf(0), 'stack')), ...(await checkAuditLog(orderOf(0))))
  const verified = await verifyAudit({ DATA_DIR: orderOf(0).dataDir, CONSOLE_DATABASE_URL: databaseUrl })
  if (verified !== 0) faults.push('npm run verify-audit failed')
  const arrivals = balancer.arrivals('stacks')
  const most = mostInWindow(arrivals)
  if (most > budget.limit) faults.push(`the key sent ${most} requests in a window of ${budget.limit}`)
  console.log(
    `${writes} writes by 4 people in ${seconds} s: ${tally.acknowledged} acknowledged, ${tally.open} without an answer; ` +
      `${killed['consoles']} kills of consoles, ${killed['stacks']} of stacks, ${killed['databases']} of PostgreSQL`,
  )
  console.log(
    `${arrivals.length} requests to the stacks, at most ${most} of ${budget.limit} in ${budget.window / 1000} s`,
  )
  console.log(events.figures)
  return faults
}

async function verifyAudit(env: Record<string, string>): Promise<number> {
  const entry = join(import.meta.dirname, '../src/server/verifyAudit.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', entry], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code] = (await once(child, 'exit')) as [number] // it is not killed
  return code
}

/** The most requests in any window. */
function mostInWindow(arrivals: readonly number[]): number {
  const sorted = arrivals.toSorted((a, b) => a - b)
  let from = 0
  let most = 0
  for (const [at, time] of sorted.entries()) {
    while (time - (sorted[from] ?? 0) >= budget.window) from++
    most = Math.max(most, at - from + 1)
  }
  return most
}
