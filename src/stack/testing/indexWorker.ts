/** Begins to build indexes, says so, and waits until its test kills it. */
import { openEngine } from '../telemetry/engine/engine.ts'
import { ensureIndexes } from '../telemetry/indexes/ensureIndexes.ts'
import { partitionsOf, startBuild } from '../telemetry/indexes/indexBuilds.ts'
import { ensureTables, tables } from '../telemetry/tables.ts'

const [dataDir = ''] = process.argv.slice(2)
const engine = await openEngine({ dataDir })
await ensureTables(engine)
await engine.command(`INSERT INTO ${tables.logs} (Timestamp, Body)
  SELECT now64(9) - toIntervalDay(number % 3), concat('word', toString(number), ' ', hex(cityHash64(number))) FROM numbers(300000)`)
await ensureIndexes(engine, [{ name: 'logs.body', kind: 'text' }])
for (const partition of await partitionsOf(engine, [tables.logs])) {
  await startBuild(engine, partition, ['idx_lower_body'])
}
process.stdout.write('building\n')
setInterval(() => undefined, 60_000)
