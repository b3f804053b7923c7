/**
 * The database that holds the telemetry of the embedded engine.
 *
 * The engine's own `default` database takes a table that it does not know as the name of a file. So telemetry lives in a
 * plain database, and `default` is detached for as long as the process runs. Folders of earlier versions have their
 * tables in `default`: they are moved when the folder is opened. Every step may be repeated, so an upgrade that was
 * killed is completed by the next start.
 */
import { textLiteral } from './params.ts'
import { quoted, tableSql } from './tableName.ts'

export const telemetryDatabase = 'telemetry'
/** The name that documents use for it, as on deployments. */
export const documentedDatabase = 'default'

/** Runs one statement before the engine is open to others; answers with its rows. */
export type RunStatement = (sql: string) => Promise<string[][]>

/** Makes the database, and moves what an earlier version left in `default` into it. */
export async function prepareTelemetryDatabase(run: RunStatement): Promise<void> {
  await run(`CREATE DATABASE IF NOT EXISTS ${quoted(telemetryDatabase)} ENGINE = Atomic`)
  const present = new Set((await run(tablesOf(telemetryDatabase))).map(([name = '']) => name))
  for (const [name = ''] of await run(tablesOf(documentedDatabase))) {
    await (present.has(name) ? mergeTable(run, name) : renameTable(run, name))
  }
}

/** No connection may be opened afterwards, because each starts in `default`. */
export async function detachFileLookup(run: RunStatement): Promise<void> {
  await run(`DETACH DATABASE ${quoted(documentedDatabase)}`)
}

/** Tables that store rows. Views and their hidden tables are not moved. */
function tablesOf(database: string): string {
  return `SELECT name FROM system.tables WHERE database = ${textLiteral(database)} AND engine LIKE '%MergeTree' AND NOT startsWith(name, '.inner')`
}

/** One rename of a file on disk: it happens or it does not. */
async function renameTable(run: RunStatement, name: string): Promise<void> {
  await run(`RENAME TABLE ${earlier(name)} TO ${current(name)}`)
}

/** An earlier version ran on the folder after a later one, and began its tables again: the rows of both are kept. */
async function mergeTable(run: RunStatement, name: string): Promise<void> {
  // Parts are only moved between tables of the same columns.
  for (const [column = '', type = ''] of await run(missingColumns(name))) {
    await run(`ALTER TABLE ${earlier(name)} ADD COLUMN IF NOT EXISTS ${quoted(column)} ${type}`)
  }
  const partitions = await run(
    `SELECT DISTINCT partition_id FROM system.parts WHERE database = ${textLiteral(documentedDatabase)} AND table = ${textLiteral(name)} AND active`,
  )
  for (const [partition = ''] of partitions) {
    await run(`ALTER TABLE ${earlier(name)} MOVE PARTITION ID ${textLiteral(partition)} TO TABLE ${current(name)}`)
  }
  await run(`DROP TABLE ${earlier(name)} SYNC`)
}

/** Columns with data of a table that the earlier one of its name lacks: later versions have added them. */
function missingColumns(name: string): string {
  const columns = (database: string, what: string) =>
    `SELECT ${what} FROM system.columns WHERE database = ${textLiteral(database)} AND table = ${textLiteral(name)} AND default_kind = ''`
  return `${columns(telemetryDatabase, 'name, type')} AND name NOT IN (${columns(documentedDatabase, 'name')})`
}

const earlier = (table: string) => tableSql({ database: documentedDatabase, table })
const current = (table: string) => tableSql({ database: telemetryDatabase, table })
