/**
 * Starts stack and gateway, in processes of their own, on data directories that were damaged. Each start must say what is missing and
 * what to do, or serve all records; and none may begin with an empty system in silence.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import { currentTime } from '#node/clock/wallClock.ts'
import { minimalPages } from '#gateway/testing/minimalPages.ts'
import { program } from '#node/testing/program.ts'
import { engineEnvironment, messageOf } from '#stack/testing/childProcesses.ts'
import { olderCopy, type Product, type Way } from './damage.ts'
import type { GatewayOrder } from './orderedGateway.ts'

const restore = /Restore (?:a backup|it from a backup)|Use that one/

interface Started {
  child: ChildProcess
  output(): string
  /** The ready message of the stack, or the line of the gateway; undefined if it did not start. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at whatever came
  ready: any
}

async function start(product: Product, dir: string, acceptDataLoss = false): Promise<Started> {
  const child = product === 'stack' ? startStack(dir, acceptDataLoss) : startGateway(dir, acceptDataLoss)
  const output: string[] = []
  child.stderr?.on('data', (chunk) => output.push(String(chunk)))
  const ended = once(child, 'close').then(() => undefined)
  const ready =
    product === 'stack' ? messageOf(child, 'ready').catch(() => ended) : Promise.race([lineOf(child), ended])
  return { child, ready: await ready, output: () => output.join('') }
}

function startStack(dir: string, acceptDataLoss: boolean): ChildProcess {
  const { file, execArgv } = program(join(import.meta.dirname, '#stack/startup/main.ts'))
  const ports = { API_PORT: '0', OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0' }
  const hooks = { WEBHOOK_HOSTNAME_ALLOWLIST: '127.0.0.1' }
  const accepted = { ACCEPT_DATA_LOSS: acceptDataLoss ? '1' : '0' }
  return fork(file, {
    execArgv,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      ...engineEnvironment(),
      UV_THREADPOOL_SIZE: '16',
      DATA_DIR: dir,
      SAMPLE: '0',
      ...hooks,
      ...ports,
      ...accepted,
    },
  })
}

function startGateway(dir: string, acceptDataLoss: boolean): ChildProcess {
  const { file, execArgv } = program(join(import.meta.dirname, 'gatewayProcess.ts'))
  const order: GatewayOrder = {
    dataDir: dir,
    distDir: minimalPages(mkdtempSync(join(tmpdir(), 'pages-'))),
    acceptDataLoss,
  }
  return spawn(process.execPath, [...execArgv, file, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'pipe'] })
}

const lineOf = (child: ChildProcess) => once(child.stdout!, 'data').then(([chunk]) => JSON.parse(String(chunk)))

async function stop({ child }: Started): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function ask({ ready }: Started, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${ready.ports.api}/api/v2${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${ready.credentials.personalAccessKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { data: unknown } // the envelope of the variant
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer.data
}

async function sendLogs({ ready }: Started): Promise<void> {
  const logRecords = Array.from({ length: 50 }, (_, n) => ({
    timeUnixNano: `${currentTime()}000000`,
    body: { stringValue: `${n}` },
  }))
  const response = await fetch(`http://127.0.0.1:${ready.ports.otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { authorization: ready.credentials.ingestionKey, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
  })
  if (!response.ok) throw new Error(`logs: ${response.status}`)
}

const webhook = (name: string) => ({ name, service: 'generic', url: 'http://127.0.0.1:9/x' })

/** A data directory with records, telemetry and a console, and older copies of both databases. */
async function prepare(dir: string): Promise<void> {
  for (const name of ['first', 'second']) {
    const running = await start('stack', dir)
    await ask(running, '/webhooks', webhook(name))
    await sendLogs(running)
    await stop(running)
    const gateway = await start('console', dir)
    gateway.child.kill('SIGKILL')
    await once(gateway.child, 'exit')
    if (name === 'first') for (const program of ['stack', 'console'] as const) await copyOlder(dir, program)
  }
  // The gateway was killed: a start adds what it had, and its end leaves nothing in the log.
  const { openDatabase } = await import('#gateway/database/database.ts')
  const database = await openDatabase(dir)
  await database.write({ sql: "INSERT INTO lists (deployment, kind) VALUES ('d', 'k')" })
  await database.close()
}

async function copyOlder(dir: string, product: Product): Promise<void> {
  const client = createClient({ url: pathToFileURL(join(dir, `${product}.db`)).href })
  await client.execute(`VACUUM INTO '${olderCopy(dir, product)}'`)
  client.close()
}

/** @returns what a start said or did that it must not */
async function faultsOf(way: Way, dir: string): Promise<string[]> {
  const faults: string[] = []
  await way.damage(dir)
  const started = await start(way.product, dir)
  if (way.outcome === 'notice') {
    const answer = started.ready && JSON.stringify([await ask(started, '/sample'), await ask(started, '/webhooks')])
    if (!started.ready) faults.push('the records are not served')
    else if (!way.says.test(answer) || !/first.*second/.test(answer)) faults.push(`the stack says ${answer}`)
    if (!way.says.test(started.output())) faults.push('the log does not say what is missing')
    if (/had 0 rows/.test(started.output())) faults.push('an empty table is reported as lost')
  } else {
    if (started.ready) faults.push('it started')
    if (!way.says.test(started.output()) || !restore.test(started.output())) faults.push('it does not say what to do')
  }
  await stop(started)
  if (way.outcome !== 'needs') {
    const accepted = await start(way.product, dir, true)
    if (!accepted.ready) faults.push(`it does not start when the loss is accepted: ${accepted.output()}`)
    await stop(accepted)
  }
  return faults.map((fault) => `${way.name}: ${fault}. It said: ${started.output().trim()}`)
}

/** Damages a copy of one data directory in each way. @param report gets a line for each */
export async function damageData(chosen: readonly Way[], report: (line: string) => void = () => {}): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'damaged-data-'))
  const faults: string[] = []
  try {
    await prepare(join(folder, 'whole'))
    for (const [index, way] of chosen.entries()) {
      const dir = join(folder, String(index))
      cpSync(join(folder, 'whole'), dir, { recursive: true, verbatimSymlinks: true })
      const found = await faultsOf(way, dir)
      report(`${way.name}: ${found.length === 0 ? way.outcome : found.join(' ')}`)
      faults.push(...found)
      rmSync(dir, { recursive: true, force: true })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return faults
}
