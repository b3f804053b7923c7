/** Runs until the durability test kills it: inserts batches, and reports when each is acknowledged. */
import { currentTime } from '#node/clock/wallClock.ts'
import { openEngine } from '../telemetry/engine/engine.ts'
import { ensureTables, tables } from '../telemetry/tables.ts'

const [dataDir = ''] = process.argv.slice(2)
const engine = await openEngine({ dataDir })
await ensureTables(engine)
for (let batch = 0; ; batch++) {
  const Timestamp = `${Math.floor(currentTime() / 1000)}.000000000`
  const rows = Array.from({ length: 100 }, (_, at) => ({ Timestamp, Body: `${batch}`, SeverityNumber: at }))
  await engine.insert(tables.logs, rows)
  process.stdout.write(`${batch}\n`)
}
