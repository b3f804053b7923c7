/** The stack's own records in SQLite: a file in the data folder, or a libSQL server by its address. */
import { chmod, mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient, type Client, type InValue, type Row } from '@libsql/client'
import { migrations } from './migrations.ts'

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

/** @param target a file, which only this user may read; or the address of a libSQL server */
export async function openStore(target: { file: string } | { url: string }): Promise<Store> {
  const client = 'file' in target ? await openFile(target.file) : createClient({ url: target.url })
  try {
    await migrate(client)
  } catch (error) {
    client.close()
    throw error
  }
  let lastWrite: Promise<unknown> = Promise.resolve()
  return {
    ...queries(client),
    write(work) {
      const write = lastWrite.then(() => transact(client, work))
      lastWrite = write.catch(() => {})
      return write
    },
    close: () => client.close(),
  }
}

async function openFile(path: string): Promise<Client> {
  const file = resolve(path)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const client = createClient({ url: pathToFileURL(file).href, timeout: 5000 })
  await chmod(file, 0o600)
  // Readers do not wait for a writer, and a commit is one sequential write and one fsync.
  await client.execute('PRAGMA journal_mode = WAL')
  // The pragma belongs to a connection and the client opens more than one: the build's own default must be the safe one.
  const [row] = (await client.execute('PRAGMA synchronous')).rows
  if (Number(row?.['synchronous']) < 2) throw new Error('this build of SQLite does not sync every commit')
  return client
}

function queries(executor: Pick<Client, 'execute'>): Queries {
  return {
    rows: async (sql, args = []) => (await executor.execute({ sql, args })).rows,
    run: async (sql, args = []) => (await executor.execute({ sql, args })).rowsAffected,
  }
}

async function transact<T>(client: Client, work: (transaction: Queries) => Promise<T>): Promise<T> {
  const transaction = await client.transaction('write')
  try {
    const result = await work(queries(transaction))
    await transaction.commit()
    return result
  } finally {
    transaction.close() // rolls back what was not committed
  }
}

async function migrate(client: Client): Promise<void> {
  await client.execute('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const [row] = (await client.execute('SELECT coalesce(max(version), 0) AS version FROM migrations')).rows
  const applied = Number(row?.['version'])
  if (applied > migrations.length) throw new Error('the data folder was written by a newer version of the stack')
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
