/** The gateway's own records: SQLite in `console.db` of the data directory, or a PostgreSQL server that consoles share. */
import { resolve } from 'node:path'
import { DamagedRows } from '#node/database/damagedRows.ts'
import { openFile } from '#node/database/fileDatabase.ts'
import { isWrite, type RecordDatabase } from '#node/database/recordDatabase.ts'
import type { Statements } from '#node/database/statements.ts'
import { DiskUnwritable, StoreError } from '#node/database/storeError.ts'
import { checkIdentity, WriteCount } from '#node/database/storeIdentity.ts'
import type { StoreOptions } from '#node/files/dataLoss.ts'
import { UnusableState } from '#node/files/atomicFile.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database } from './databaseInterface.ts'
import { migrations } from './migrations.ts'

export type { Statement } from '#node/database/recordDatabase.ts'
export type { Row } from '#node/database/statements.ts'
export type { Database } from './databaseInterface.ts'

/** Finds something in each database that a console has used. */
const records = `SELECT 1 FROM console_keys UNION ALL SELECT 1 FROM connections UNION ALL SELECT 1 FROM people`

/** Loaded only where there is a server. */
const postgres = () => import('#node/database/postgres.ts')

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
  const title = url === undefined ? `console.db in DATA_DIR ${dataDir}` : 'The database of the console'
  const options: StoreOptions = { dataDir, store: 'console', title, acceptDataLoss }
  const database = await (url === undefined ? openRecordFile(options) : openServer(url))
  if (isTarget) return database
  try {
    await checkIdentity(database, { ...options, records })
  } catch (error) {
    await database.close()
    throw error
  }
  return countWrites(database, new WriteCount(database, options))
}

function openRecordFile(options: StoreOptions): Promise<Database> {
  return usable(openFile(resolve(options.dataDir, 'console.db'), { ...options, migrations }))
}

/**
 * @param versions the migrations; those of another version in specs
 * @throws UnusableState for a server that cannot be used, or records of a newer version
 */
export async function openServer(url: string, versions = migrations): Promise<Database> {
  const { openPostgres } = await postgres()
  // Consoles of earlier versions do not know what is new. They end like one that was replaced: see `cluster/presence.ts`.
  return usable(openPostgres({ ...serverOptions(url, versions), lock: 2, afterUpgrade: 'DELETE FROM consoles' }))
}

/** Reads one state of the records, and changes nothing. @throws StoreError like `readPostgres` */
export async function readServer<T>(url: string, work: (snapshot: Pick<Statements, 'rows'>) => Promise<T>): Promise<T> {
  const { readPostgres } = await postgres()
  return readPostgres(serverOptions(url, migrations), work)
}

const serverOptions = (url: string, versions: typeof migrations) =>
  ({
    url,
    variable: 'CONSOLE_DATABASE_URL',
    product: 'console',
    // Separate from the tables of a stack in the same database. Not the name of a user: PostgreSQL looks in the schema of that name first.
    schema: 'console_records',
    migrations: versions,
  }) as const

async function usable(opening: Promise<RecordDatabase>): Promise<Database> {
  try {
    return explaining(await opening)
  } catch (error) {
    if (error instanceof StoreError) throw new UnusableState(error.message, { cause: error })
    throw error
  }
}

/** The database with the gateway's errors instead of StoreErrors. */
function explaining(database: RecordDatabase): Database {
  return {
    isShared: database.isShared,
    damaged: new DamagedRows(),
    rows: (sql, args) => orExplain(database.rows(sql, args)),
    write: (...statements) => orExplain(database.write(statements)),
    transact: (work) => orExplain(database.transact(work)),
    transactConcurrently: (work) => orExplain(database.transactConcurrently(work)),
    size: () => database.size(),
    close: () => database.close(),
  }
}

async function orExplain<T>(outcome: Promise<T>): Promise<T> {
  try {
    return await outcome
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    if (error.outcome === 'unknown') throw failure('outcomeUnknown', error.message)
    if (error instanceof DiskUnwritable) throw failure('notStored', error.message)
    throw failure('unavailable', `${error.message} Nothing was changed.`)
  }
}

/** Counts what is written. Notes do not count: they may be lost. */
function countWrites(database: Database, writes: WriteCount): Database {
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
