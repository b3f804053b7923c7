/**
 * A process that can be killed: evaluates alerts, puts what is to be sent into the outbox, notes it in a table of the
 * store, and sends it if it has a webhook. Its parent sends what to do: `prepare` creates rows and alerts of so many minutes,
 * `pass` evaluates at a minute.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { enqueue } from '../alerting/outbox.ts'
import { webhookRows } from '../documents/webhookRows.ts'
import { webhookGuard } from '../net/webhookAddress.ts'
import { openStore } from '../store/store.ts'
import { openEngine } from '../telemetry/engine/engine.ts'
import { ensureTables, tables } from '../telemetry/tables.ts'
import { crashBody, crashServices, crashRows, crashThresholds, type CrashTarget, type CrashTask } from './alertCrash.ts'
import { alertScene, minute, sceneStart, sceneWebhookId, sourceIds } from './alertScene.ts'
import { startTestNotifier } from './testNotifier.ts'

const { dataDir, servers, webhookUrl } = JSON.parse(process.argv[2] ?? '') as CrashTarget // the parent wrote it
const engine = await openEngine(servers ? { url: servers.clickhouseUrl } : { dataDir })
await ensureTables(engine)
const file = join(dataDir, 'stack.db')
const store = await openStore(servers ? { url: servers.databaseUrl, dataDir } : { file })
const scene = await alertScene(engine, {
  store,
  holder: randomUUID(),
  async enqueue(transaction, alert, events) {
    await enqueue(transaction, alert, events)
    for (const { state, groupKey, end } of events) {
      const what = `${alert.threshold} ${groupKey} ${state} ${(end - sceneStart) / minute}`
      await transaction.run('INSERT INTO sent (what) VALUES (?)', [what])
    }
  },
})

const notifier = webhookUrl
  ? await startTestNotifier(store, { guard: webhookGuard({ allowed: ['127.0.0.1'], own: [] }) })
  : null

async function prepare(minutes: number): Promise<void> {
  await store.run('CREATE TABLE sent (what TEXT NOT NULL)')
  const rows = Array.from({ length: minutes }, (_, at) =>
    crashServices.flatMap((ServiceName) =>
      Array.from({ length: crashRows(ServiceName, at) }, () => ({
        ServiceName,
        Timestamp: `${(sceneStart + at * minute) / 1000}.000000000`,
      })),
    ),
  )
  await engine.insert(tables.logs, rows.flat())
  const config = { displayType: 'line', sourceId: sourceIds.log, select: [{ aggFn: 'count' }], groupBy: 'ServiceName' }
  for (const threshold of crashThresholds) await scene.alert(config, { threshold })
  if (webhookUrl) {
    const now = currentIsoTime()
    await webhookRows.insert(store, {
      id: sceneWebhookId,
      name: 'Receiver',
      service: 'generic',
      url: webhookUrl,
      body: crashBody,
      createdAt: now,
      updatedAt: now,
    })
  }
}

async function pass(at: number): Promise<unknown> {
  const result = await scene.pass(at)
  notifier?.wake()
  return result
}

process.on('message', (task: CrashTask) => {
  const work = task.type === 'prepare' ? prepare(task.minutes).then(() => true) : pass(task.at)
  work.then(
    (result) => process.send?.({ type: 'done', evaluated: result !== null }),
    (error: unknown) => process.send?.({ type: 'done', evaluated: false, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ type: 'ready' })
