/** The store of the stack's records: a file in the data folder, or a PostgreSQL server. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFile } from '#node/database/fileDatabase.ts'
import type { RecordDatabase } from '#node/database/recordDatabase.ts'
import type { Statements } from '#node/database/statements.ts'
import { StoreError } from '#node/database/storeError.ts'
import { checkIdentity, WriteCount } from '#node/database/storeIdentity.ts'
import type { StoreOptions } from '#node/files/dataLoss.ts'
import { TaskQueue } from '#node/concurrency/concurrencyLimits.ts'
import { migrations } from './migrations.ts'
import { openSecrets, type KeyOptions, type Secrets } from './storeSecrets.ts'

/** The store or a transaction. */
export interface Queries extends Statements {
  /** Encrypts what must not be readable in the database. */
  readonly secrets: Secrets
}

export interface Store extends Queries {
  /** Other stacks may use it: it is on a server. */
  readonly isShared: boolean
  /**
   * Runs `work` in one transaction, after all earlier writes, so that a check inside is still true when the transaction
   * commits. When the promise resolves, everything is on the disk. If `work` throws, nothing is written.
   */
  write<T>(work: (transaction: Queries) => Promise<T>): Promise<T>
  /** A transaction that does not wait for earlier writes. See `RecordDatabase.transactConcurrently`. */
  transactConcurrently<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
  /** How many transactions this process has written: what was read since the last one is still so, unless others write too. */
  writeCount(): number
  close(): Promise<void>
}

/** Where the records are. A `file:` URL is a file too. */
export type StoreTarget = (({ file: string } & Partial<KeyOptions>) | ({ url: string } & KeyOptions)) & {
  /** Go on with records that are damaged, older or others than before, or without them. */
  acceptDataLoss?: boolean | undefined
}

/** Milliseconds that a write may wait for others. Its caller times out a little later, and then nothing may be written. */
const maxWait = 20_000

/**
 * @param target a file, which only this user may read, or the URL of a PostgreSQL server. The key of the secrets comes from
 * `secret`, or from a file in `dataDir`. Default for `dataDir`: the folder of the file
 * @throws StoreError if it cannot be opened. Later, statements throw it while a server is unreachable
 */
export async function openStore(target: StoreTarget): Promise<Store> {
  const database = await openRecords(target)
  try {
    const secrets = await openSecrets(database, keyOptionsOf(target))
    return storeOn(database, secrets, storeOptionsOf(target))
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * The database, for commands that run while the stack does not. It is compared with the marker in the data directory.
 * @throws DataLoss if records are missing or damaged
 */
export async function openRecords(target: StoreTarget): Promise<RecordDatabase> {
  const options = storeOptionsOf(target)
  const database = await openUnmarked(target)
  try {
    await checkIdentity(database, { ...options, records: 'SELECT 1 FROM settings' })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The database without a comparison, for one that records are moved to. */
export function openUnmarked(target: StoreTarget): Promise<RecordDatabase> {
  const place = placeOf(target)
  return 'url' in place ? openServer(place.url) : openFile(place.file, { ...storeOptionsOf(target), migrations })
}

/** @throws StoreError for an invalid URL, and for a server that is unreachable or refuses the connection */
export async function openServer(url: string): Promise<RecordDatabase> {
  const { openPostgres } = await postgres()
  return openPostgres({ ...serverOptions(url), lock: 1 })
}

/** Reads one state of the records on a server, and changes nothing. @throws StoreError like `readPostgres` */
export async function readServer<T>(url: string, work: (snapshot: Pick<Statements, 'rows'>) => Promise<T>): Promise<T> {
  const { readPostgres } = await postgres()
  return readPostgres(serverOptions(url), work)
}

/** Loaded only where there is a server. */
const postgres = () => import('#node/database/postgres.ts')

const serverOptions = (url: string) => ({ url, variable: 'DATABASE_URL', product: 'stack', migrations }) as const

export function placeOf(target: StoreTarget): { file: string } | { url: string } {
  if ('file' in target || !target.url.startsWith('file:')) return target
  // `file:name` is relative to the working directory.
  return { file: target.url.startsWith('file:/') ? fileURLToPath(target.url) : target.url.slice('file:'.length) }
}

function storeOptionsOf(target: StoreTarget): StoreOptions {
  const { dataDir } = keyOptionsOf(target)
  const isFile = 'file' in placeOf(target)
  const title = isFile ? `stack.db in DATA_DIR ${dataDir}` : 'The database of the stack in DATABASE_URL'
  return { dataDir, title, store: 'stack', acceptDataLoss: target.acceptDataLoss }
}

export function keyOptionsOf(target: StoreTarget): KeyOptions {
  return 'url' in target ? target : { dataDir: dirname(target.file), ...target }
}

function storeOn(database: RecordDatabase, secrets: Secrets, options: StoreOptions): Store {
  const queue = new TaskQueue()
  let written = 0
  const writeUncounted: Store['write'] = (work) => {
    const requestedAt = performance.now()
    return queue.run(async () => {
      if (performance.now() - requestedAt < maxWait) {
        return database.transact((transaction) => work({ ...transaction, secrets })).finally(() => (written += 1))
      }
      throw new StoreError('refused', 'Earlier writes took too long. Nothing was changed.')
    })
  }
  const writes = new WriteCount({ transact: writeUncounted }, options)
  const write: Store['write'] = async (work) => {
    const result = await writeUncounted(work)
    writes.committed()
    return result
  }
  return {
    isShared: database.isShared,
    secrets,
    transactConcurrently: (work) => database.transactConcurrently(work).finally(() => (written += 1)),
    writeCount: () => written,
    rows: (sql, args) => database.rows(sql, args),
    run: (sql, args) => write((transaction) => transaction.run(sql, args)),
    write,
    close: async () => {
      await writes.close()
      await database.close()
    },
  }
}
