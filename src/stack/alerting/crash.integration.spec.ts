/**
 * After kill -9 at any moment of a pass, each window was evaluated once, and each firing and recovery is sent, always with
 * the same key.
 */
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
import { startClickhouse } from '../testing/clickhouse/clickhouseProcess.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { startReceiver } from '../testing/testReceiver.ts'

const entry = program(join(import.meta.dirname, '../testing/alertWorker.ts'))
const minutes = 60
const kills = 6

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

/** The events to send, as `crashEvents` writes it. Read as text: entries that follow others are not claimed with them. */
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
const killSoon = (child: ChildProcess) => setTimeout(() => child.kill('SIGKILL'), Math.random() * 40)

/** Evaluates every minute in a worker that is killed at random moments, and replaced. The last one keeps running. */
async function passesWithKills(target: CrashTarget): Promise<ChildProcess> {
  let child = await startWorker(target)
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
    child = await startWorker(target)
  }
  expect(killed).toBe(kills)
  return child
}

test('kill -9 during passes', { timeout: 180_000 }, async () => {
  await stop(await passesWithKills({ dataDir }))
  const store = await openStore({ file: join(dataDir, 'stack.db') })
  await expectEverythingOnce(store)
  await store.close()
})

test('kill -9 of evaluation and notification: a receiver gets everything', { timeout: 180_000 }, async () => {
  const receiver = await startReceiver()
  const keys = () => new Set(receiver.requests.map(({ headers }) => String(headers['idempotency-key'])))
  // Every third event is refused at first.
  receiver.answer = ({ headers }, response) => {
    const key = headers['idempotency-key']
    const isFirst = receiver.requests.filter((request) => request.headers['idempotency-key'] === key).length === 1
    response.writeHead(isFirst && keys().size % 3 === 0 ? 503 : 200).end()
  }
  const last = await passesWithKills({ dataDir, webhookUrl: `${receiver.url}/hook` })
  const store = await openStore({ file: join(dataDir, 'stack.db') })
  await expect.poll(() => store.rows('SELECT seq FROM alert_outbox')).toEqual([])
  await stop(last)
  const bodies = [...keys()].map((key) => [
    ...new Set(receiver.requests.filter(({ headers }) => headers['idempotency-key'] === key).map(({ body }) => body)),
  ])
  expect(bodies.every((sent) => sent.length === 1)).toBe(true)
  expect(bodies.flat().map(eventOf).toSorted()).toEqual(crashEvents(minutes).toSorted())
  expect(receiver.requests.length).toBeGreaterThan(bodies.length)
  const deliveries = await store.rows('SELECT document FROM alert_deliveries')
  expect(deliveries).toHaveLength(bodies.length)
  expect(deliveries.filter(({ document }) => !String(document).includes('"status":"delivered"'))).toEqual([])
  await store.close()
  await receiver.close()
})

/** A body that was sent, as `crashEvents` writes it. */
const eventOf = (body: string) => body.replace(/\d+$/, (end) => String((Number(end) - sceneStart) / minute))

test('of two stacks on one PostgreSQL server, the other one takes over', { timeout: 180_000 }, async () => {
  const clickhouse = await startClickhouse(join(dataDir, 'engine'), 'key')
  const databaseUrl = await newDatabase()
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
    expect(evaluated.filter((wasEvaluated) => wasEvaluated === true).length).toBeLessThanOrEqual(1)
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
