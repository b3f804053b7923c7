/** The gateway's own records: SQLite in `console.db` of the data directory, or a PostgreSQL server that consoles share. */
import { checkIdentity, WriteCount } from '#node/dataLoss/storeIdentity.ts'
import { isWrite, type Database } from './databaseInterface.ts'
import { openFile } from './fileDatabase.ts'
import { openServer } from './serverDatabase.ts'

export type { Row } from '#node/database/statements.ts'
export type { Database, Statement } from './databaseInterface.ts'

/** Finds something in each database that a console has used. */
const records = `SELECT 1 FROM console_keys UNION ALL SELECT 1 FROM connections UNION ALL SELECT 1 FROM people`

export interface OpenOptions {
  /** Go on with a database that is damaged, older or another one than before, or new. */
  acceptDataLoss?: boolean | undefined
  /** For a database that records are moved to: it has none yet. */
  isTarget?: boolean | undefined
}

/**
 * Opens the database, and compares it with the marker in `dataDir`, which counts its writes from then on.
 * @param url of a PostgreSQL server; without it, the file in `dataDir`
 * @throws DataLoss if records are missing or damaged; UnusableState for a file or a server that cannot be used, or records of a
 * newer version
 */
export async function openDatabase(
  dataDir: string,
  url?: string,
  { acceptDataLoss, isTarget }: OpenOptions = {},
): Promise<Database> {
  const database = await (url === undefined ? openFile(dataDir, acceptDataLoss) : openServer(url))
  if (isTarget) return database
  const title = url === undefined ? `console.db in DATA_DIR ${dataDir}` : 'The database of the console'
  const store = { dataDir, store: 'console', title } as const
  try {
    await checkIdentity(database, { ...store, acceptDataLoss, records })
  } catch (error) {
    await database.close()
    throw error
  }
  return counted(database, new WriteCount(database, store))
}

/** Counts what is written. Notes do not count: they may be lost. */
function counted(database: Database, writes: WriteCount): Database {
  const count = <T>(result: T): T => {
    writes.committed()
    return result
  }
  return {
    ...database,
    rows: async (sql, args) => {
      const found = await database.rows(sql, args)
      return isWrite(sql) ? count(found) : found
    },
    write: (...statements) => database.write(...statements).then(count),
    transact: (work) => database.transact(work).then(count),
    close: async () => {
      await writes.close()
      await database.close()
    },
  }
}
