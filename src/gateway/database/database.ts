/** The gateway's own records, beside its connections and sessions: SQLite in `console.db` of the data directory. */
import { chmod } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient, LibsqlError, type Client, type InStatement } from '@libsql/client'
import { failure } from '#node/upstream/apiFailure.ts'
import { UnusableState } from '#node/stateFile.ts'
import { migrations } from './migrations.ts'

type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, unknown>>

export interface Statement {
  sql: string
  args?: readonly Value[]
}

export interface Database {
  /** What a query finds, or one statement returns. @throws notStored like `write` */
  rows(sql: string, args?: readonly Value[]): Promise<Row[]>
  /** Carries out all statements or none. On the disk when it returns. @throws notStored if the disk is full or read-only */
  write(...statements: readonly Statement[]): Promise<void>
  close(): void
}

/** @throws UnusableState for a file that is damaged, or written by a newer version */
export async function openDatabase(dataDir: string): Promise<Database> {
  const file = resolve(dataDir, 'console.db')
  const client = createClient({ url: pathToFileURL(file).href, timeout: 5_000 })
  try {
    await chmod(file, 0o600)
    // Readers do not wait for a writer, and a commit is one sequential write and one fsync.
    await client.execute('PRAGMA journal_mode = WAL')
    await migrate(client)
  } catch (error) {
    client.close()
    if (!(error instanceof LibsqlError)) throw error
    throw new UnusableState(`${file} cannot be opened (${error.code}). Restore it from a backup, or move it away.`, {
      cause: error,
    })
  }
  return {
    rows: (sql, args = []) => orExplain(client.execute({ sql, args: [...args] }).then(({ rows }) => rows)),
    write: (...statements) => orExplain(client.batch(statements.map(forClient), 'write').then(() => {})),
    close: () => client.close(),
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

async function migrate(client: Client): Promise<void> {
  await client.execute('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const [row] = (await client.execute('SELECT coalesce(max(version), 0) AS version FROM migrations')).rows
  const applied = Number(row?.['version'])
  if (applied > migrations.length) {
    throw new UnusableState('console.db in DATA_DIR was written by a newer version of the console. Use that version.')
  }
  for (const [index, statements] of migrations.entries()) {
    if (index < applied) continue
    await client.batch([...statements, { sql: 'INSERT INTO migrations VALUES (?)', args: [index + 1] }], 'write')
  }
}
