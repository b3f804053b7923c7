/** The stack's own records: in a file of the data folder, or on a PostgreSQL server by its address. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFile } from './file.ts'
import { openPostgres } from './postgres.ts'
import type { Backend, Statements } from './backend.ts'
import { openSecrets, type KeyOptions, type Secrets } from './secrets.ts'
import { StoreError } from './storeError.ts'

/** The store, or a transaction under way. */
export interface Queries extends Statements {
  /** Seals what must not be read in the database itself. */
  readonly secrets: Secrets
}

export interface Store extends Queries {
  /**
   * Runs `work` in one transaction, after the writes that were asked for before it: a check made inside still holds when
   * the write is kept. All of it is kept, durably, before the promise resolves; or, when `work` throws, nothing.
   */
  write<T>(work: (transaction: Queries) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Where the records are; `file:` addresses are files as well. */
export type StoreTarget = ({ file: string } & Partial<KeyOptions>) | ({ url: string } & KeyOptions)

/** Milliseconds that a write may wait for others: whoever asked for it gives up a little later, and it must not be kept then. */
const longestWait = 20_000

/**
 * @param target a file, which only this user may read; or the address of a PostgreSQL server. The key that seals secrets
 * comes from `secret`, or from a file in `dataDir`, which is the file's own folder unless it is given
 * @throws StoreError when it cannot be opened; later on statements throw it while a server is out of reach
 */
export async function openStore(target: StoreTarget): Promise<Store> {
  const backend = await openBackend(target)
  try {
    return storeOn(backend, await openSecrets(backend, keyOptionsOf(target)))
  } catch (error) {
    await backend.close()
    throw error
  }
}

/** The database alone, for what is done while no stack runs on it. */
export function openBackend(target: StoreTarget): Promise<Backend> {
  if ('file' in target) return openFile(target.file)
  if (!target.url.startsWith('file:')) return openPostgres(target.url)
  // `file:name` is one of the working folder.
  return openFile(target.url.startsWith('file:/') ? fileURLToPath(target.url) : target.url.slice('file:'.length))
}

export function keyOptionsOf(target: StoreTarget): KeyOptions {
  return 'url' in target ? target : { dataDir: dirname(target.file), ...target }
}

function storeOn(backend: Backend, secrets: Secrets): Store {
  let lastWrite: Promise<unknown> = Promise.resolve()
  const write: Store['write'] = (work) => {
    const asked = performance.now()
    const result = lastWrite.then(() => {
      if (performance.now() - asked < longestWait) {
        return backend.transact((transaction) => work({ ...transaction, secrets }))
      }
      throw new StoreError('refused', 'The writes before this one took too long: nothing was changed.')
    })
    lastWrite = result.catch(() => {})
    return result
  }
  return {
    secrets,
    rows: (sql, args) => backend.rows(sql, args),
    run: (sql, args) => write((transaction) => transaction.run(sql, args)),
    write,
    close: () => backend.close(),
  }
}
