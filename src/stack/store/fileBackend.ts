/** Stores records in a file, with SQLite in this process. */
import { chmod, mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient, LibsqlError, type Client } from '@libsql/client'
import { migrations } from './migrations.ts'
import type { Backend, Row, Statements, Value } from './backend.ts'
import { Checkpoints } from '#node/database/checkpoints.ts'
import { damageIn, putDamagedAside, requireFile, requireIntact } from '#node/dataLoss/databaseFile.ts'
import type { StoreOptions } from '#node/dataLoss/storeIdentity.ts'
import { newerVersion, StoreError, unknownOutcome } from '#node/database/storeError.ts'

/**
 * @param options of the records in the data directory
 * @throws DataLoss for a file that is damaged, or missing where there was one; StoreError for one that cannot be opened or is not
 * the stack's
 */
export async function openFile(path: string, options: StoreOptions): Promise<Backend> {
  const file = resolve(path)
  requireFile(file, options)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const client = createClient({ url: pathToFileURL(file).href, timeout: 5000 })
  try {
    await chmod(file, 0o600)
    // Readers do not wait for a writer, and a commit is one sequential write and one fsync.
    await client.execute('PRAGMA journal_mode = WAL')
    // The client opens several connections and the pragma applies to one, so the default of the build must be safe.
    const [row] = (await client.execute('PRAGMA synchronous')).rows
    if (Number(row?.['synchronous']) < 2) throw new Error('this build of SQLite does not sync every commit')
    await migrate(client)
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
  const checkpoints = new Checkpoints(client)
  // The log may have writes of the migrations and of an earlier process.
  checkpoints.committed()
  const transactHere: Backend['transact'] = async (work) => {
    const result = await transact(client, work)
    checkpoints.committed()
    return result
  }
  return {
    isShared: false,
    rows: statements(client).rows,
    transact: transactHere,
    note: transactHere,
    scrub: () => scrub(client),
    close: async () => {
      await checkpoints.close()
      client.close()
    },
  }
}

function unreadable(error: unknown, { title }: StoreOptions): unknown {
  if (!(error instanceof LibsqlError)) return error
  const advice = 'Check that it is a file that this user may write, and that the disk has free space.'
  return new StoreError('refused', `${title} cannot be opened (${error.code}). ${advice}`, { cause: error })
}

function statements(executor: Pick<Client, 'execute'>): Statements {
  const execute = (sql: string, args: readonly Value[]) => executor.execute({ sql, args: [...args] })
  return {
    rows: async (sql, args = []): Promise<Row[]> => (await execute(sql, args)).rows,
    run: async (sql, args = []) => (await execute(sql, args)).rowsAffected,
  }
}

async function transact<T>(client: Client, work: (transaction: Statements) => Promise<T>): Promise<T> {
  const transaction = await client.transaction('write').catch(failWrite)
  try {
    const result = await work(statements(transaction)).catch(failWrite)
    await transaction.commit().catch(failCommit)
    return result
  } finally {
    transaction.close() // rolls back what was not committed
  }
}

/** Turns failures of the file into StoreErrors. Errors of statements are rethrown. */
function failWrite(error: unknown): never {
  if (!(error instanceof LibsqlError)) throw error
  const { code } = error
  if (code === 'SQLITE_FULL') {
    throw new StoreError('refused', 'The disk that holds DATA_DIR is full. Nothing was changed.', { cause: error })
  }
  if (/^SQLITE_(IOERR|READONLY|CANTOPEN)/.test(code)) {
    throw new StoreError('refused', `stack.db in DATA_DIR cannot be written (${code}). Nothing was changed.`, {
      cause: error,
    })
  }
  throw error
}

/** The outcome of an incomplete commit is unknown: it depends on what reached the disk. */
function failCommit(error: unknown): never {
  if (error instanceof LibsqlError && error.code.startsWith('SQLITE_IOERR')) {
    throw unknownOutcome(
      new StoreError('refused', `stack.db in DATA_DIR cannot be written (${error.code}).`, { cause: error }),
    )
  }
  return failWrite(error)
}

/** SQLite leaves old data in free pages and in its log. */
async function scrub(client: Client): Promise<void> {
  await client.execute('VACUUM')
  const [row] = (await client.execute('PRAGMA wal_checkpoint(TRUNCATE)')).rows
  if (Number(row?.['busy']) !== 0) throw new StoreError('refused', 'stack.db in DATA_DIR is in use by another program.')
}

/** All in one transaction: an upgrade that fails changes nothing, and a new file is written to the disk once. */
async function migrate(client: Client): Promise<void> {
  await client.execute('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const [row] = (await client.execute('SELECT coalesce(max(version), 0) AS version FROM migrations')).rows
  const applied = Number(row?.['version'])
  if (applied > migrations.length) throw newerVersion('stack')
  if (applied === migrations.length) return
  const transaction = await client.transaction('write')
  try {
    for (const [index, sql] of migrations.entries()) {
      if (index < applied) continue
      await transaction.executeMultiple(sql)
      await transaction.execute({ sql: 'INSERT INTO migrations VALUES (?)', args: [index + 1] })
    }
    await transaction.commit()
  } finally {
    transaction.close()
  }
}
