/** Where the records of the console are: in `console.db` of the data directory, or on a PostgreSQL server. */
import { consoleCommand } from '#node/consoleCommand.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, type Database } from '#gateway/database/database.ts'
import { StartError, type Settings } from './serverSettings.ts'

type DatabaseSettings = Pick<Settings, 'DATA_DIR' | 'CONSOLE_DATABASE_URL' | 'DATABASE_URL'>

const consoleFile = (dataDir: string) => join(dataDir, 'console.db')

/**
 * The URL of the server; undefined for the file. A console that has a file does not leave it because the stack's records
 * are on a server: it would start without its people, connections and history.
 */
export function consoleDatabaseUrl({ DATA_DIR, CONSOLE_DATABASE_URL: own, DATABASE_URL }: DatabaseSettings) {
  if (own === 'file') return undefined
  if (own === undefined) return existsSync(consoleFile(DATA_DIR)) ? undefined : DATABASE_URL
  if (!existsSync(consoleFile(DATA_DIR))) return own
  throw new StartError(
    `DATA_DIR ${DATA_DIR} has a console.db, which the server of CONSOLE_DATABASE_URL would replace. ` +
      `Move its records there with ${consoleCommand('move-database')}, or move the file away.`,
  )
}

/** The database of a console, for commands. @throws StartError if there is no console */
export async function openConsoleDatabase(settings: DatabaseSettings): Promise<Database> {
  const url = consoleDatabaseUrl(settings)
  if (url === undefined && !existsSync(consoleFile(settings.DATA_DIR))) {
    throw new StartError(`DATA_DIR ${settings.DATA_DIR} has no console.db. Set DATA_DIR to the folder of the console.`)
  }
  return openDatabase(settings.DATA_DIR, url)
}
