/**
 * A process that can be killed: evaluates the alerts of a data folder (first argument) minute by minute, from the second
 * argument to the third, and keeps what is to be sent in a table of the store.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openStore } from '../store/store.ts'
import { openEngine } from '../telemetry/engine.ts'
import { ensureTables, tables } from '../telemetry/tables.ts'
import { alertScene, minute, sceneStart, sourceIds } from './alertScene.ts'
import { crashServices, crashRows, crashThresholds } from './alertCrash.ts'

const [dataDir = '', from = '0', to = '0'] = process.argv.slice(2)
const engine = await openEngine({ dataDir })
await ensureTables(engine)
const store = await openStore({ file: join(dataDir, 'stack.db') })
const scene = await alertScene(engine, {
  store,
  holder: randomUUID(),
  async enqueue(transaction, alert, events) {
    for (const { state, groupKey, end } of events) {
      const what = `${alert.threshold} ${groupKey} ${state} ${(end - sceneStart) / minute}`
      await transaction.run('INSERT INTO sent (what) VALUES (?)', [what])
    }
  },
})

if (Number(from) === 0) {
  await store.run('CREATE TABLE sent (what TEXT NOT NULL)')
  const rows = Array.from({ length: Number(to) }, (_, at) =>
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
}
for (let at = Math.max(1, Number(from)); at <= Number(to); at++) {
  process.send?.({ type: 'pass', at })
  await scene.pass(at)
}
await engine.close()
process.send?.({ type: 'done' })
process.on('disconnect', () => process.exit(0))
