/** After kill -9 at any moment of a pass, each window was evaluated once, and each firing and recovery is sent once. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { program } from '#node/testing/program.ts'
import { openStore, type Store } from '../store/store.ts'
import { crashEvents, crashThresholds, type CrashTarget, type CrashTask } from '../testing/alertCrash.ts'
import { minute, sceneStart } from '../testing/alertScene.ts'
import type { OutboxEntry } from './outbox.ts'
import { messageOf } from '../testing/childProcesses.ts'
import { startClickhouse } from '../testing/clickhouseProcess.ts'
import { testPostgres } from '../testing/testPostgres.ts'

const entry = program(join(import.meta.dirname, '../testing/alertWorker.ts'))
const minutes = 60
const kills = 6

const postgres = testPostgres()
let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'alert-crash-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

async function startWorker(target: CrashTarget): Promise<ChildProcess> {
  const child = fork(entry.file, [JSON.stringify(target)], { execArgv: entry.execArgv })
  await messageOf(child, 'ready')
  return child
}

/** @returns whether it evaluated. Null if the process was killed meanwhile */
async function give(child: ChildProcess, task: CrashTask): Promise<boolean | null> {
  const done = messageOf(child, 'done')
  child.send(task)
  return done.then(
    ({ evaluated }: { evaluated: boolean }) => evaluated,
    () => null,
  )
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.disconnect()
  await exited
}

async function expectEverythingOnce(store: Store): Promise<void> {
  const sent = (await store.rows('SELECT what FROM sent')).map((row) => String(row['what']))
  expect(sent.toSorted()).toEqual(crashEvents(minutes).toSorted())
  const waiting = await outboxOf(store)
  expect(waiting.map(({ what }) => what).toSorted()).toEqual(crashEvents(minutes).toSorted())
  expect(new Set(waiting.map(({ key }) => key)).size).toBe(waiting.length)
  const windows = await store.rows(
    'SELECT alert_id, count(*) AS total, min(ended) AS first FROM alert_evaluations GROUP BY alert_id',
  )
  expect(windows).toHaveLength(crashThresholds.length)
  for (const row of windows) {
    expect([Number(row['total']), Number(row['first'])]).toEqual([minutes, sceneStart + minute])
  }
}

/** What is to be sent, as `crashEvents` writes it. Read as text: entries that follow others are not claimed with them. */
async function outboxOf(store: Store): Promise<{ what: string; key: string }[]> {
  const rows = await store.rows('SELECT idempotency_key, alert, event FROM alert_outbox')
  return rows.map((row) => {
    // `outbox.ts` wrote them.
    const alert = JSON.parse(String(row['alert'])) as OutboxEntry['alert']
    const event = JSON.parse(String(row['event'])) as OutboxEntry['event']
    const what = `${alert.threshold} ${event.groupKey} ${event.state} ${(event.end - sceneStart) / minute}`
    return { what, key: String(row['idempotency_key']) }
  })
}

const someMinutes = () => 2 + Math.floor(Math.random() * 6)
const killSoon = (child: ChildProcess) => setTimeout(() => child.kill('SIGKILL'), Math.random() * 30)

test('kill -9 during passes', { timeout: 180_000 }, async () => {
  let child = await startWorker({ dataDir })
  await give(child, { type: 'prepare', minutes })
  let killed = 0
  let next = someMinutes()
  for (let at = 1; at <= minutes; at++) {
    const kill = killed < kills && at === next
    if (kill) killSoon(child)
    if ((await give(child, { type: 'pass', at })) !== null && !kill) continue
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    killed++
    // The lease of the killed process has expired two minutes later.
    at++
    next = at + someMinutes()
    child = await startWorker({ dataDir })
  }
  expect(killed).toBe(kills)
  await stop(child)
  const store = await openStore({ file: join(dataDir, 'stack.db') })
  await expectEverythingOnce(store)
  await store.close()
})

test('of two stacks on one PostgreSQL server, the other one takes over', { timeout: 180_000 }, async () => {
  const clickhouse = await startClickhouse(join(dataDir, 'engine'), 'key')
  const databaseUrl = postgres.createDatabase()
  const target = { dataDir, servers: { databaseUrl, clickhouseUrl: clickhouse.url } }
  const first = await startWorker(target)
  const workers = [first, await startWorker(target)]
  await give(first, { type: 'prepare', minutes })
  let holder = 0
  let killed = 0
  let next = someMinutes()
  for (let at = 1; at <= minutes; at++) {
    const kill = killed < kills && at >= next
    const holding = workers[holder]
    if (kill && holding) killSoon(holding)
    const evaluated = await Promise.all(workers.map((worker) => give(worker, { type: 'pass', at })))
    expect(evaluated.filter((one) => one === true).length).toBeLessThanOrEqual(1)
    const by = evaluated.indexOf(true)
    if (by >= 0) holder = by
    if (!kill || !holding) continue
    if (holding.exitCode === null && holding.signalCode === null) await once(holding, 'exit')
    killed++
    next = at + 4 + someMinutes()
    workers[workers.indexOf(holding)] = await startWorker(target)
  }
  expect(killed).toBeGreaterThanOrEqual(4)
  for (const worker of workers) await stop(worker)
  const store = await openStore({ url: databaseUrl, dataDir })
  await expectEverythingOnce(store)
  await store.close()
  await clickhouse.kill()
})
