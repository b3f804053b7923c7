/** The stack's own records in SQLite: a file in the data folder, or a libSQL server by its address. */
import { chmod, mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createClient, type Client, type InValue, type Row } from '@libsql/client'
import { createClient as createHttpClient } from '@libsql/client/http'
import { migrations } from './migrations.ts'
import { serverFailure, StoreError, unknownOutcome, unreadableFile } from './storeError.ts'

/** Runs statements: the store, or a transaction under way. */
export interface Queries {
  rows(sql: string, args?: InValue[]): Promise<Row[]>
  /** @returns how many rows were changed */
  run(sql: string, args?: InValue[]): Promise<number>
}

export interface Store extends Queries {
  /**
   * Runs `work` in one transaction, after the writes that were asked for before it: a check made inside still holds when
   * the write is kept. All of it is kept, durably, before the promise resolves; or, when `work` throws, nothing.
   */
  write<T>(work: (transaction: Queries) => Promise<T>): Promise<T>
  close(): void
}

/** Milliseconds that a write may stand in line: whoever asked for it gives up a little later, and it must not be kept then. */
const linePatience = 20_000
/** Milliseconds until a libSQL server counts as gone. */
const serverPatience = 10_000

/** The database, and what its failures are called. */
interface Database {
  client: Client
  translate(error: unknown): unknown
}

/**
 * @param target a file, which only this user may read; or the address of a libSQL server
 * @throws StoreError when it cannot be opened; later on statements throw it while a server is out of reach
 */
export async function openStore(target: { file: string } | { url: string }): Promise<Store> {
  const database = isServer(target) ? await openServer(target.url) : await openFile(fileOf(target))
  let lastWrite: Promise<unknown> = Promise.resolve()
  return {
    ...queries(database.client, database),
    write(work) {
      const asked = performance.now()
      const write = lastWrite.then(() => {
        if (performance.now() - asked < linePatience) return transact(database, work)
        throw new StoreError('refused', 'The writes before this one took too long: nothing was changed.')
      })
      lastWrite = write.catch(() => {})
      return write
    },
    close: () => database.client.close(),
  }
}

function isServer(target: { file: string } | { url: string }): target is { url: string } {
  return 'url' in target && !target.url.startsWith('file:')
}

/** `file:` addresses are files as well, `file:name` one of the working folder. */
function fileOf(target: { file: string } | { url: string }): string {
  if ('file' in target) return target.file
  return target.url.startsWith('file:/') ? fileURLToPath(target.url) : target.url.slice('file:'.length)
}

async function openFile(path: string): Promise<Database> {
  const file = resolve(path)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const client = createClient({ url: pathToFileURL(file).href, timeout: 5000 })
  try {
    await chmod(file, 0o600)
    // Readers do not wait for a writer, and a commit is one sequential write and one fsync.
    await client.execute('PRAGMA journal_mode = WAL')
    // The pragma belongs to a connection and the client opens more than one: the build's own default must be the safe one.
    const [row] = (await client.execute('PRAGMA synchronous')).rows
    if (Number(row?.['synchronous']) < 2) throw new Error('this build of SQLite does not sync every commit')
    await migrate(client)
    return { client, translate: (error) => error }
  } catch (error) {
    client.close()
    throw unreadableFile(error)
  }
}

/** Over HTTP whatever the scheme: servers answer it where they answer web sockets, and no connection can go stale. */
async function openServer(url: string): Promise<Database> {
  const client = createHttpClient({
    url: url.replace(/^ws/, 'http'),
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(serverPatience) }),
  })
  try {
    await migrate(client)
    return { client, translate: serverFailure }
  } catch (error) {
    client.close()
    throw serverFailure(error)
  }
}

function queries(executor: Pick<Client, 'execute'>, { translate }: Pick<Database, 'translate'>): Queries {
  const execute = (sql: string, args: InValue[]) =>
    executor.execute({ sql, args }).catch((error: unknown) => {
      throw translate(error)
    })
  return {
    rows: async (sql, args = []) => (await execute(sql, args)).rows,
    run: async (sql, args = []) => (await execute(sql, args)).rowsAffected,
  }
}

async function transact<T>(database: Database, work: (transaction: Queries) => Promise<T>): Promise<T> {
  const { client, translate } = database
  const transaction = await client.transaction('write').catch((error: unknown) => {
    throw translate(error)
  })
  try {
    const result = await work(queries(transaction, database))
    await transaction.commit().catch((error: unknown) => {
      throw unknownOutcome(translate(error))
    })
    return result
  } finally {
    transaction.close() // rolls back what was not committed
  }
}

async function migrate(client: Client): Promise<void> {
  await client.execute('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const [row] = (await client.execute('SELECT coalesce(max(version), 0) AS version FROM migrations')).rows
  const applied = Number(row?.['version'])
  if (applied > migrations.length)
    throw new StoreError('refused', 'The data folder was written by a newer version of the stack: start that one.')
  for (const [index, sql] of migrations.entries()) {
    if (index < applied) continue
    const transaction = await client.transaction('write')
    try {
      await transaction.executeMultiple(sql)
      await transaction.execute({ sql: 'INSERT INTO migrations VALUES (?)', args: [index + 1] })
      await transaction.commit()
    } finally {
      transaction.close()
    }
  }
}
