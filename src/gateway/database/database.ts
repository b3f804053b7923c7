/** The gateway's own records: SQLite in `console.db` of the data directory, or a PostgreSQL server that consoles share. */
import type { Database } from './databaseInterface.ts'
import { openFile } from './fileDatabase.ts'
import { openServer } from './serverDatabase.ts'

export type { Row } from '#node/database/statements.ts'
export type { Database, Statement } from './databaseInterface.ts'

/**
 * @param url of a PostgreSQL server; without it, the file in `dataDir`
 * @throws UnusableState for a file that is damaged, a server that cannot be used, or records of a newer version
 */
export function openDatabase(dataDir: string, url?: string): Promise<Database> {
  return url === undefined ? openFile(dataDir) : openServer(url)
}
