/**
 * The lock of a data directory. It is a lock of the operating system on `console.lock`, which ends with the process even
 * after a kill, so no process id has to be trusted. SQLite takes such locks on every supported system.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import { UnusableState } from '#node/files/atomicFile.ts'
import { refuseUnfinishedRestore } from '#node/files/unfinishedRestore.ts'
import { StartError } from './serverSettings.ts'

export interface DataDirLock {
  release(): Promise<void>
}

/** Another process has the lock. */
export class DataDirInUse extends StartError {}

/**
 * Takes the lock until it is released or the process ends.
 * @throws DataDirInUse if another process holds it, StartError if a restore was interrupted
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const lock = await holdDataDir(dataDir)
  try {
    refuseUnfinishedRestore(dataDir)
    return lock
  } catch (error) {
    await lock.release()
    throw error instanceof UnusableState ? new StartError(error.message, { cause: error }) : error
  }
}

/** Likewise, for a restore. @throws DataDirInUse if another process holds it */
export async function holdDataDir(dataDir: string): Promise<DataDirLock> {
  const client = createClient({ url: pathToFileURL(join(resolve(dataDir), 'console.lock')).href })
  try {
    // The transaction writes nothing. Without this, it would create a journal file.
    await client.execute('PRAGMA journal_mode = MEMORY')
    const transaction = await client.transaction('write')
    noteHolder(dataDir)
    removeLeftovers(dataDir)
    return {
      release: async () => {
        await transaction.rollback()
        client.close()
        rmSync(holderFile(dataDir), { force: true })
      },
    }
  } catch (cause) {
    client.close()
    const { code = '', message } = cause as NodeJS.ErrnoException // what SQLite and fs throw
    if (code !== 'SQLITE_BUSY') throw new StartError(`DATA_DIR ${dataDir} cannot be used (${message}).`, { cause })
    throw new DataDirInUse(
      `DATA_DIR ${dataDir} is in use by another console${readHolder(dataDir)}. Stop that one, or set DATA_DIR to another folder.`,
      { cause },
    )
  }
}

const holderFile = (dataDir: string) => join(dataDir, 'console.pid')

/** Only for the error message. The lock decides. */
function noteHolder(dataDir: string): void {
  try {
    writeFileSync(holderFile(dataDir), String(process.pid), { mode: 0o600 })
  } catch {
    // On a full disk the message names no process.
  }
}

function readHolder(dataDir: string): string {
  try {
    const pid = Number(readFileSync(holderFile(dataDir), 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? ` (process ${pid})` : ''
  } catch {
    return ''
  }
}

/** Removes temporary files that a killed process left. Nobody else writes here now. */
function removeLeftovers(dataDir: string): void {
  for (const file of readdirSync(dataDir)) {
    if (/\.\d+\.new$/.test(file)) rmSync(join(dataDir, file), { force: true })
  }
}
