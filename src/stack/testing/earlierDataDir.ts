/** A data folder as versions before the database `telemetry` left it: every table of the stack in `default`. */
import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import { drainPending, Session } from 'chdb'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import { ensureTable } from '../pipes/loads/destinationTable.ts'
import { embeddedDialect } from '../telemetry/engine/dialect.ts'
import { ensureTables, tables } from '../telemetry/tables.ts'

/** Rows of each table, spread over three days. */
export const earlierRows = 300

const serviceId = '00000000-0000-4000-8000-000000000001'
/** Where a pipe of the earlier version has put rows. */
export const earlierPipeTable = `${databaseOf(serviceId, 'default')}.orders`

/** Runs the statements that the earlier version ran, in the database in which it ran them. */
export async function createEarlierDataDir(dataDir: string): Promise<void> {
  const directory = join(dataDir, 'engine')
  await mkdir(directory, { recursive: true })
  const session = new Session(directory)
  const query = async <Row>(sql: string, { params }: { params?: object } = {}) => {
    const options = { format: 'JSONEachRow' }
    const answer = await (params ? session.queryBindAsync(sql, params, options) : session.queryAsync(sql, options))
    const lines = answer.text().split('\n')
    return lines.filter(Boolean).map((line) => JSON.parse(line) as Row) // the caller names what it selects
  }
  const command = async (sql: string) => void (await session.queryAsync(sql))
  const engine = {
    identity: session,
    kind: 'embedded' as const,
    dialect: embeddedDialect,
    database: 'default',
    query,
    command,
  }
  try {
    await ensureTables(engine)
    for (const table of Object.values(tables).filter((name) => name.startsWith('otel_metrics'))) {
      await command(`ALTER TABLE ${table} DROP COLUMN StartTimeUnixFraction, DROP COLUMN TimeUnixFraction`)
    }
    const table = { database: databaseOf(serviceId, 'default'), table: 'orders' }
    const columns = [{ name: 'id', type: 'UInt64' }]
    await ensureTable(table, { engine: 'MergeTree', columns, sortingKey: ['id'] }, engine)
    await command(`INSERT INTO ${earlierPipeTable} (id) SELECT number FROM numbers(${earlierRows})`)
    await addEarlierRows(command)
  } finally {
    session.close()
    await drainPending()
  }
}

async function addEarlierRows(command: (sql: string) => Promise<void>): Promise<void> {
  for (const table of Object.values(tables)) {
    const time = table === tables.logs || table === tables.traces ? 'Timestamp' : 'TimeUnix'
    await command(
      `INSERT INTO ${table} (${time}, ServiceName) SELECT now() - number % 3 * 86400, 'earlier' FROM numbers(${earlierRows})`,
    )
  }
}
