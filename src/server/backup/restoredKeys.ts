/** Whether the keys of a restored data directory are those of its records. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UnusableState } from '#node/files/atomicFile.ts'
import { StoreError } from '#node/database/storeError.ts'
import { openKeys } from '#gateway/connections/consoleKeys.ts'
import { openDatabase } from '#gateway/database/database.ts'
import type { Config } from '#stack/config.ts'
import { openRecords } from '#stack/store/store.ts'
import { openSecrets } from '#stack/store/storeSecrets.ts'
import { consoleFile, stackFile } from '../database/databaseFiles.ts'
import { StartError, type Settings } from '../serverSettings.ts'
import type { Manifest, RecordsEntry } from './manifest.ts'

interface Given {
  settings: Settings
  config: Config
}

/**
 * @returns what has to be given before a start, because the backup does not have it
 * @throws StartError if a key or passphrase was given that is not that of the records
 */
export async function missingKeys({ settings, config }: Given, dataDir: string, manifest: Manifest): Promise<string[]> {
  const consoleMissing = await missingKey(manifest.console, {
    isRestored: existsSync(join(dataDir, consoleFile)),
    secret: settings.CONSOLE_SECRET,
    variable: 'CONSOLE_SECRET',
    file: join(dataDir, 'console.key'),
    encrypts: 'the keys of the connections',
    open: () => openConsole(dataDir, settings.CONSOLE_SECRET),
  })
  const stackMissing = await missingKey(manifest.stack, {
    isRestored: existsSync(join(dataDir, stackFile)),
    secret: config.stackSecret,
    variable: 'STACK_SECRET',
    file: join(dataDir, 'stack.key'),
    encrypts: "the secrets in the stack's records",
    open: () => openStack(dataDir, config.stackSecret),
  })
  return [consoleMissing, stackMissing].filter((remark) => remark !== undefined)
}

interface KeyCheck {
  isRestored: boolean
  secret: string | undefined
  variable: string
  file: string
  encrypts: string
  open(): Promise<void>
}

async function missingKey(entry: RecordsEntry | null, check: KeyCheck): Promise<string | undefined> {
  const { isRestored, secret, variable, file, encrypts, open } = check
  if (!entry || !isRestored) return undefined
  if (secret !== undefined || existsSync(file)) {
    await open().catch((error: unknown) => {
      if (!(error instanceof UnusableState || error instanceof StoreError)) throw error
      const keyName = secret === undefined ? file : variable
      throw new StartError(`${keyName} is not the key of the backup: ${error.message}`, { cause: error })
    })
    return undefined
  }
  return entry.key === 'secret'
    ? `Before the start, set ${variable} to the passphrase of the console that was backed up. It encrypts ${encrypts}.`
    : `Before the start, put the key file of the console that was backed up at ${file} (mode 0600). It encrypts ${encrypts}, and the backup was made without --with-keys.`
}

async function openConsole(dataDir: string, secret: string | undefined): Promise<void> {
  const database = await openDatabase(dataDir)
  try {
    await openKeys({ database, dataDir, secret })
  } finally {
    await database.close()
  }
}

async function openStack(dataDir: string, secret: string | undefined): Promise<void> {
  const database = await openRecords({ file: join(dataDir, stackFile) })
  try {
    await openSecrets(database, { dataDir, secret })
  } finally {
    await database.close()
  }
}
