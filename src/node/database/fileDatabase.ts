/** A database of records in a file, with SQLite in this process. */
import { chmod, mkdir } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient, LibsqlError, type Client } from '@libsql/client/sqlite3'
import { putDamagedAside, type StoreOptions } from '../files/dataLoss/dataLoss.ts'
import { Turns } from '../concurrency/turns.ts'
import { Checkpoints } from './checkpoints.ts'
import { damageIn, requireFile, requireIntact } from './databaseFile.ts'
import { fileSteps, type Migrations } from './migrations.ts'
import { isWrite, type RecordDatabase, type Statement } from './recordDatabase.ts'
import type { Row, Statements, Value } from './statements.ts'
import { DiskUnwritable, newerVersion, StoreError, unknownOutcome } from './storeError.ts'

export interface FileOptions extends StoreOptions {
  migrations: Migrations
}

/**
 * Opens a file, which only this user may read, or creates it.
 * @throws DataLoss for a file that is damaged, or missing where there was one; StoreError for one that cannot be opened or was
 * written by a newer version
 */
export async function openFile(path: string, options: FileOptions): Promise<RecordDatabase> {
  const file = resolve(path)
  requireFile(file, options)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const client = createClient({ url: pathToFileURL(file).href, timeout: 5_000 })
  try {
    await chmod(file, 0o600)
    // Readers do not wait for a writer, and a commit is one sequential write and one fsync.
    await client.execute('PRAGMA journal_mode = WAL')
    // The client opens several connections and the pragma applies to one, so the default of the build must be safe.
    const [row] = (await client.execute('PRAGMA synchronous')).rows
    if (Number(row?.['synchronous']) < 2) throw new Error('this build of SQLite does not sync every commit')
    await migrate(client, options)
    await requireIntact(client, file, options)
  } catch (error) {
    client.close()
    const damage = damageIn(error, file, options)
    if (damage && options.acceptDataLoss) {
      putDamagedAside(file)
      return openFile(path, options)
    }
    throw damage ?? unreadable(error, options)
  }
  return databaseOf(client, `${basename(file)} in DATA_DIR`)
}

/** @param name of the file in errors */
function databaseOf(client: Client, name: string): RecordDatabase {
  const checkpoints = new Checkpoints(client)
  // The log may have writes of the migrations and of an earlier process.
  checkpoints.committed()
  // SQLite waits for a lock in this thread: without turns, a transaction that has it would never end.
  const turns = new Turns()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    turns.take(async () => {
      const result = await work().catch(failWrite(name))
      checkpoints.committed()
      return result
    })
  const { rows } = statementsOf(client)
  const transact: RecordDatabase['transact'] = (work) => inTurn(() => transactIn(client, work, name))
  return {
    isShared: false,
    rows: (sql, args) => (isWrite(sql) ? inTurn(() => rows(sql, args)) : rows(sql, args)),
    write: (statements) => inTurn(async () => void (await client.batch(statements.map(forClient), 'write'))),
    transact,
    note: transact,
    size: async () => {
      const [row] = await rows(
        `SELECT (page_count - freelist_count) * page_size AS bytes
          FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
      )
      return Number(row?.['bytes'])
    },
    scrub: () => inTurn(() => scrub(client, name)),
    close: async () => {
      await checkpoints.close()
      client.close()
    },
  }
}

async function transactIn<T>(client: Client, work: (transaction: Statements) => Promise<T>, name: string): Promise<T> {
  const transaction = await client.transaction('write')
  try {
    const result = await work(statementsOf(transaction))
    await transaction.commit().catch((error: unknown) => {
      throw commitFailure(error, name)
    })
    return result
  } finally {
    transaction.close() // rolls back what was not committed
  }
}

function statementsOf(executor: Pick<Client, 'execute'>): Statements {
  const execute = (sql: string, args: readonly Value[]) => executor.execute(forClient({ sql, args }))
  return {
    rows: async (sql, args = []): Promise<Row[]> => (await execute(sql, args)).rows,
    run: async (sql, args = []) => (await execute(sql, args)).rowsAffected,
  }
}

const forClient = ({ sql, args = [] }: Statement) => ({ sql, args: [...args] })

function unreadable(error: unknown, { title }: StoreOptions): unknown {
  if (!(error instanceof LibsqlError)) return error
  const advice = 'Check that it is a file that this user may write, and that the disk has free space.'
  return new StoreError('refused', `${title} cannot be opened (${error.code}). ${advice}`, { cause: error })
}

const failWrite = (name: string) => (error: unknown) => {
  throw writeFailure(error, name)
}

/** Failures of the file as StoreErrors. Errors of statements stay as they are. */
function writeFailure(error: unknown, name: string): unknown {
  if (!(error instanceof LibsqlError)) return error
  const { code } = error
  if (code === 'SQLITE_FULL') {
    return new DiskUnwritable('The disk that holds DATA_DIR is full. Nothing was changed.', { cause: error })
  }
  if (/^SQLITE_(IOERR|READONLY|CANTOPEN)/.test(code)) {
    return new DiskUnwritable(`${name} cannot be written (${code}). Nothing was changed.`, { cause: error })
  }
  return error
}

/**
 * The outcome of a commit that could not be synced is unknown: it depends on what reached the disk. One that could not be written
 * into the log of SQLite has no valid end there, and is as if it had never been.
 */
function commitFailure(error: unknown, name: string): unknown {
  if (!(error instanceof LibsqlError) || !isUnknownCommit(error)) return writeFailure(error, name)
  return unknownOutcome(new StoreError('refused', `${name} cannot be written (${error.code}).`, { cause: error }))
}

const isUnknownCommit = ({ code, extendedCode = code }: LibsqlError) => /^SQLITE_IOERR(?!_WRITE)/.test(extendedCode)

/** SQLite leaves old data in free pages and in its log. */
async function scrub(client: Client, name: string): Promise<void> {
  await client.execute('VACUUM')
  const [row] = (await client.execute('PRAGMA wal_checkpoint(TRUNCATE)')).rows
  if (Number(row?.['busy']) !== 0) throw new StoreError('refused', `${name} is in use by another program.`)
}

/** All in one transaction: an upgrade that fails changes nothing, and a new file is written to the disk once. */
async function migrate(client: Client, { migrations, store }: FileOptions): Promise<void> {
  const steps = fileSteps(migrations)
  await client.execute('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const [row] = (await client.execute('SELECT coalesce(max(version), 0) AS version FROM migrations')).rows
  const applied = Number(row?.['version'])
  if (applied > steps.length) throw newerVersion(store)
  if (applied === steps.length) return
  const transaction = await client.transaction('write')
  try {
    for (const [index, sql] of steps.entries()) {
      if (index < applied) continue
      await transaction.executeMultiple(sql)
      await transaction.execute({ sql: 'INSERT INTO migrations VALUES (?)', args: [index + 1] })
    }
    await transaction.commit()
  } finally {
    transaction.close()
  }
}
