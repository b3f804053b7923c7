/**
 * `npm run move-database`: moves the records of console and stack from their files in `DATA_DIR` to the servers of
 * `CONSOLE_DATABASE_URL` and `DATABASE_URL`. Neither may be running. The files are kept aside. It can be repeated.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { renameDurably } from '#node/files/atomicFile.ts'
import type { CopiedRecords } from '#node/database/copyRecords.ts'
import { lockDataDir } from '../dataDirLock.ts'
import { readSettings, StartError } from '../serverSettings.ts'
import { consoleToServer, stackToServer } from './databaseFiles.ts'

/** @throws StartError for problems that people can fix */
async function move(env: Record<string, string | undefined>): Promise<string[]> {
  const { DATA_DIR: dataDir, CONSOLE_DATABASE_URL: own, DATABASE_URL } = readSettings(env)
  const consoleUrl = own === 'file' ? undefined : (own ?? DATABASE_URL)
  const files = { console: join(dataDir, 'console.db'), stack: join(dataDir, 'stack.db') }
  const wanted = {
    console: consoleUrl !== undefined && existsSync(files.console),
    stack: DATABASE_URL !== undefined && existsSync(files.stack),
  }
  if (consoleUrl === undefined && DATABASE_URL === undefined) {
    throw new StartError('Set CONSOLE_DATABASE_URL, DATABASE_URL or both: the servers to move the records to.')
  }
  if (!wanted.console && !wanted.stack) throw new StartError(`DATA_DIR ${dataDir} has no records to move.`)
  const lock = await lockDataDir(dataDir)
  const lines: string[] = []
  const kept: string[] = []
  try {
    if (consoleUrl !== undefined && wanted.console) {
      lines.push(report('console', await consoleToServer(dataDir, consoleUrl)))
      putAside(files.console)
      kept.push('console.db.moved')
    }
    if (DATABASE_URL !== undefined && wanted.stack) {
      lines.push(report('stack', await stackToServer(dataDir, DATABASE_URL)))
      putAside(files.stack)
      kept.push('stack.db.moved')
    }
  } finally {
    await lock.release()
  }
  return [...lines, `The earlier records are kept in ${kept.join(' and ')}. Keep the other files of DATA_DIR in place.`]
}

function report(product: string, { tables, rows, wasThere }: CopiedRecords): string {
  const what = `${rows} rows of ${tables} tables of the ${product}`
  return wasThere ? `The server has ${what} already.` : `Moved ${what}, and compared them.`
}

/** With what SQLite keeps beside a file that was not closed. */
function putAside(path: string): void {
  for (const suffix of ['-shm', '-wal', '']) {
    if (existsSync(path + suffix)) renameDurably(path + suffix, `${path}.moved${suffix}`)
  }
}

try {
  console.log((await move(process.env)).join('\n'))
} catch (error) {
  // The message is more useful than a stack trace.
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
