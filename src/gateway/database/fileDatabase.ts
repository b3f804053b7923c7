/** SQLite in `console.db` of the data directory. */
import { chmod } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient, LibsqlError, type Client, type InStatement } from '@libsql/client'
import { Checkpoints } from '#node/database/checkpoints.ts'
import { damageIn, putDamagedAside, requireFile, requireIntact } from '#node/dataLoss/databaseFile.ts'
import type { StoreOptions } from '#node/dataLoss/storeIdentity.ts'
import { UnusableState } from '#node/stateFile.ts'
import { DamagedRows } from '#node/database/damagedRows.ts'
import type { Statements, Value } from '#node/database/statements.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { isWrite, type Database, type Statement } from './databaseInterface.ts'
import { migrations } from './migrations.ts'

/**
 * @param acceptDataLoss puts a damaged file aside, and begins with an empty one where it is missing
 * @throws DataLoss for a file that is damaged, or missing where there was one; UnusableState for one that cannot be opened, or
 * was written by a newer version
 */
export async function openFile(dataDir: string, acceptDataLoss?: boolean): Promise<Database> {
  const file = resolve(dataDir, 'console.db')
  const options: StoreOptions = {
    dataDir,
    acceptDataLoss,
    store: 'console',
    title: `console.db in DATA_DIR ${dataDir}`,
  }
  requireFile(file, options)
  const client = createClient({ url: pathToFileURL(file).href, timeout: 5_000 })
  try {
    await chmod(file, 0o600)
    // Readers do not wait for a writer, and a commit is one sequential write and one fsync.
    await client.execute('PRAGMA journal_mode = WAL')
    await migrate(client)
    await requireIntact(client, file, options)
  } catch (error) {
    client.close()
    const damage = damageIn(error, file, options)
    if (damage && acceptDataLoss) {
      putDamagedAside(file)
      return openFile(dataDir, acceptDataLoss)
    }
    if (damage) throw damage
    if (!(error instanceof LibsqlError)) throw error
    throw new UnusableState(`${file} cannot be opened (${error.code}). Restore it from a backup, or move it away.`, {
      cause: error,
    })
  }
  const checkpoints = new Checkpoints(client)
  // The log may have writes of the migrations and of an earlier process.
  checkpoints.committed()
  const turns = new WriteTurns(() => checkpoints.committed())
  const transact: Database['transact'] = (work) => turns.take(() => orExplain(transactIn(client, work)))
  const rows = async (sql: string, args: readonly Value[] = []) =>
    (await orExplain(client.execute({ sql, args: [...args] }))).rows
  return {
    isShared: false,
    damaged: new DamagedRows(),
    rows: (sql, args) => (isWrite(sql) ? turns.take(() => rows(sql, args)) : rows(sql, args)),
    write: (...statements) =>
      turns.take(async () => void (await orExplain(client.batch(statements.map(forClient), 'write')))),
    transact,
    note: transact,
    size: async () => {
      const { rows } = await client.execute(
        `SELECT (page_count - freelist_count) * page_size AS bytes
          FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
      )
      return Number(rows[0]?.['bytes'])
    },
    close: async () => {
      await checkpoints.close()
      client.close()
    },
  }
}

/** One write after another: SQLite waits for a lock in this thread, so that the transaction that has it would never end. */
class WriteTurns {
  private last: Promise<unknown> = Promise.resolve()

  constructor(private readonly onWritten: () => void) {}

  take<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.last.then(task)
    this.last = turn.then(this.onWritten, () => {})
    return turn
  }
}

async function transactIn<T>(client: Client, work: (transaction: Statements) => Promise<T>): Promise<T> {
  const transaction = await client.transaction('write')
  try {
    const execute = (sql: string, args: readonly Value[]) => transaction.execute({ sql, args: [...args] })
    const result = await work({
      rows: async (sql, args = []) => (await execute(sql, args)).rows,
      run: async (sql, args = []) => (await execute(sql, args)).rowsAffected,
    })
    await transaction.commit()
    return result
  } finally {
    transaction.close() // rolls back what was not committed
  }
}

function forClient({ sql, args = [] }: Statement): InStatement {
  return { sql, args: [...args] }
}

async function orExplain<T>(outcome: Promise<T>): Promise<T> {
  try {
    return await outcome
  } catch (error) {
    throw explained(error)
  }
}

function explained(error: unknown): unknown {
  if (!(error instanceof LibsqlError)) return error
  const { code } = error
  if (code === 'SQLITE_FULL') return failure('notStored', 'The disk that holds DATA_DIR is full. Nothing was changed.')
  if (/^SQLITE_(IOERR|READONLY|CANTOPEN)/.test(code)) {
    return failure('notStored', `console.db in DATA_DIR cannot be written (${code}). Nothing was changed.`)
  }
  return error
}

/** All in one transaction: an upgrade that fails changes nothing, and a new file is written to the disk once. */
async function migrate(client: Client): Promise<void> {
  await client.execute('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const [row] = (await client.execute('SELECT coalesce(max(version), 0) AS version FROM migrations')).rows
  const applied = Number(row?.['version'])
  if (applied > migrations.length) {
    throw new UnusableState('console.db in DATA_DIR was written by a newer version of the console. Use that version.')
  }
  const pending = migrations.flatMap((statements, index) =>
    index < applied ? [] : [...statements, { sql: 'INSERT INTO migrations VALUES (?)', args: [index + 1] }],
  )
  if (pending.length > 0) await client.batch(pending, 'write')
}
