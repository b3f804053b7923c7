/** Copies of SQLite databases that other processes may be writing. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { LibsqlError } from '@libsql/client/sqlite3'
import { FileConnection } from './fileConnection.ts'
import { StoreError } from './storeError.ts'

/**
 * Writes one state of a database, with everything that was committed before, into a new file. Writers do not wait.
 * @throws StoreError if it cannot be read, or if the new file cannot be written
 */
export async function snapshotFile(source: string, target: string): Promise<void> {
  // SQLite would create it.
  if (!existsSync(source)) throw new StoreError('refused', `${source} does not exist.`)
  on(source, (connection) => {
    try {
      connection.execute('VACUUM INTO ?', [resolve(target)])
    } catch (error) {
      if (!(error instanceof LibsqlError)) throw error
      const reason = error.code === 'SQLITE_FULL' ? 'the disk of the copy is full' : error.code
      throw new StoreError('refused', `${source} cannot be copied (${reason}).`, { cause: error })
    }
  })
}

/**
 * Checks the structure of a database that nobody uses.
 * @returns how many migrations it has had
 * @throws StoreError if it is damaged, or not a database with migrations
 */
export async function checkFile(path: string): Promise<number> {
  return on(path, (connection) => {
    const [row] = connection.execute('PRAGMA integrity_check(1)').rows
    const result = String(row?.['integrity_check'])
    if (result !== 'ok') throw new StoreError('refused', `${path} is damaged (${result}).`)
    const [version] = connection.execute('SELECT max(version) AS version FROM migrations').rows
    return Number(version?.['version'])
  })
}

function on<T>(path: string, work: (connection: FileConnection) => T): T {
  const connection = new FileConnection(resolve(path))
  try {
    return work(connection)
  } catch (error) {
    if (!(error instanceof LibsqlError)) throw error
    throw new StoreError('refused', `${path} cannot be read (${error.code}).`, { cause: error })
  } finally {
    connection.close()
  }
}
