/**
 * Upgrades the data folder of the first argument, and dies by SIGKILL right after as many statements as the second says
 * that changed something.
 */
import { join } from 'node:path'
import { Session } from 'chdb'
import { prepareTelemetryDatabase } from '../telemetry/engine/telemetryDatabase.ts'

const [dataDir = '', steps = '1'] = process.argv.slice(2)
const session = new Session(join(dataDir, 'engine'))
let left = Number(steps)

await prepareTelemetryDatabase(async (sql) => {
  const answer = await session.queryAsync(sql, { format: 'JSONCompactStringsEachRow' })
  if (!sql.startsWith('SELECT') && --left === 0) process.kill(process.pid, 'SIGKILL')
  const lines = answer.text().split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as string[]) // the format says so
})
