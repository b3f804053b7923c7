/** A database of records in a file, with SQLite in this process. */
import { chmod, mkdir } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { LibsqlError } from '@libsql/client/sqlite3'
import { putDamagedAside, type StoreOptions } from '../files/dataLoss.ts'
import { TaskQueue } from '../concurrency/concurrencyLimits.ts'
import { Checkpoints, damageIn, requireFile, requireIntact } from './databaseFile.ts'
import { FileConnection, inTransaction } from './fileConnection.ts'
import { fileSteps, type Migrations } from './migrations.ts'
import { isWrite, type RecordDatabase } from './recordDatabase.ts'
import type { Statements } from './statements.ts'
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
  const connections: Connections = { reader: new FileConnection(file), writer: new FileConnection(file) }
  const { reader, writer } = connections
  try {
    writer.execute('SELECT 1') // creates the file
    await chmod(file, 0o600)
    // Readers do not wait for a writer, and a commit is one sequential write and one fsync.
    writer.execute('PRAGMA journal_mode = WAL')
    // Nothing sets the pragma, so the default of the build must be safe.
    const [row] = writer.execute('PRAGMA synchronous').rows
    if (Number(row?.['synchronous']) < 2) throw new Error('this build of SQLite does not sync every commit')
    await migrate(writer, options)
    requireIntact(reader, file, options)
  } catch (error) {
    closeBoth(connections)
    const damage = damageIn(error, file, options)
    if (damage && options.acceptDataLoss) {
      putDamagedAside(file)
      return openFile(path, options)
    }
    throw damage ?? unreadable(error, options)
  }
  return databaseOf(connections, `${basename(file)} in DATA_DIR`)
}

/** Transactions and writes have a connection of their own: what they have not committed is not read by others. */
interface Connections {
  reader: FileConnection
  writer: FileConnection
}

function closeBoth({ reader, writer }: Connections): void {
  reader.close()
  writer.close()
}

/** @param name of the file in errors */
function databaseOf(connections: Connections, name: string): RecordDatabase {
  const { reader, writer } = connections
  const checkpoints = new Checkpoints(reader)
  // The log may have writes of the migrations and of an earlier process.
  checkpoints.committed()
  // SQLite waits for a lock in this thread: without turns, a transaction that has it would never end.
  const queue = new TaskQueue()
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> =>
    queue.run(async () => {
      try {
        const result = await work()
        checkpoints.committed()
        return result
      } catch (error) {
        throw writeFailure(error, name)
      }
    })
  const transact: RecordDatabase['transact'] = (work) => inTurn(() => transactIn(writer, work, name))
  return {
    isShared: false,
    rows: async (sql, args) =>
      isWrite(sql) ? inTurn(() => writer.execute(sql, args).rows) : reader.execute(sql, args).rows,
    write: (statements) =>
      inTurn(() =>
        inTransaction(writer, async (transaction) => {
          for (const { sql, args } of statements) transaction.execute(sql, args)
          transaction.commit()
        }),
      ),
    transact,
    transactConcurrently: transact,
    size: async () => {
      const [row] = reader.execute(
        `SELECT (page_count - freelist_count) * page_size AS bytes
          FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
      ).rows
      return Number(row?.['bytes'])
    },
    scrub: () => inTurn(() => scrub(writer, name)),
    close: async () => {
      checkpoints.close()
      closeBoth(connections)
    },
  }
}

function transactIn<T>(
  writer: FileConnection,
  work: (transaction: Statements) => Promise<T>,
  name: string,
): Promise<T> {
  return inTransaction(writer, async (transaction) => {
    const result = await work({
      rows: async (sql, args) => transaction.execute(sql, args).rows,
      run: async (sql, args) => transaction.execute(sql, args).rowsAffected,
    })
    try {
      transaction.commit()
    } catch (error) {
      throw commitFailure(error, name)
    }
    return result
  })
}

function unreadable(error: unknown, { title }: StoreOptions): unknown {
  if (!(error instanceof LibsqlError)) return error
  const advice = 'Check that it is a file that this user may write, and that the disk has free space.'
  return new StoreError('refused', `${title} cannot be opened (${error.code}). ${advice}`, { cause: error })
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
function scrub(writer: FileConnection, name: string): void {
  writer.execute('VACUUM')
  const [row] = writer.execute('PRAGMA wal_checkpoint(TRUNCATE)').rows
  if (Number(row?.['busy']) !== 0) throw new StoreError('refused', `${name} is in use by another program.`)
}

/** All in one transaction: an upgrade that fails changes nothing, and a new file is written to the disk once. */
async function migrate(writer: FileConnection, { migrations, store }: FileOptions): Promise<void> {
  const steps = fileSteps(migrations)
  writer.execute('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const [row] = writer.execute('SELECT coalesce(max(version), 0) AS version FROM migrations').rows
  const applied = Number(row?.['version'])
  if (applied > steps.length) throw newerVersion(store)
  if (applied === steps.length) return
  await inTransaction(writer, async (transaction) => {
    for (const [index, sql] of steps.entries()) {
      if (index < applied) continue
      transaction.executeMultiple(sql)
      transaction.execute('INSERT INTO migrations VALUES (?)', [index + 1])
    }
    transaction.commit()
  })
}
