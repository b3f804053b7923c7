/**
 * `npm run rotate-key`: encrypts the keys of all connections and the secrets in the stack's records with new keys. Neither
 * the console nor the stack may be running.
 */
import { rotateKey } from '#gateway/connections/connectionKeyRotation.ts'
import { Presence } from '#gateway/cluster/presence.ts'
import { openDatabase } from '#gateway/database/database.ts'
import { ConfigError, readConfig } from '#stack/config.ts'
import { recordsOf } from '#stack/startup/recordsTarget.ts'
import { hasRecords, rotateStoreKey } from '#stack/store/storeKeyRotation.ts'
import { counted } from '#domain/text/words.ts'
import { consoleDatabaseUrl } from './consoleDatabase.ts'
import { lockDataDir } from './dataDirLock.ts'
import { readSettings, StartError, type Settings } from './serverSettings.ts'

/** @throws StartError for problems that people can fix */
async function rotate(env: Record<string, string | undefined>): Promise<string> {
  const settings = readSettings(env)
  // The same rules as for the first one.
  const { CONSOLE_SECRET: newSecret } = readNewSecret(env)
  const records = recordsOf(readConfig(env))
  const { stackSecret: newStackSecret } = readNewStackSecret(env)
  const lock = await lockDataDir(settings.DATA_DIR)
  const count = await rotateConsoleKey(settings, newSecret)
  const lines = [`Encrypted ${counted(count, 'stored key')} with a new key.`]
  if (newSecret) lines.push('From now on, start the console with the new CONSOLE_SECRET.')
  if (hasRecords(records)) {
    const sealed = await rotateStoreKey(records, newStackSecret)
    lines.push(`Encrypted the secrets of ${counted(sealed, 'record')} of the stack with a new key.`)
    if (newStackSecret) lines.push('From now on, start the stack with the new STACK_SECRET.')
  }
  await lock.release()
  return lines.join('\n')
}

/** @throws UnusableState while a console uses the database, which is known after ten seconds at most */
async function rotateConsoleKey(settings: Settings, newSecret: string | undefined): Promise<number> {
  const { DATA_DIR: dataDir, CONSOLE_SECRET: secret } = settings
  const database = await openDatabase(dataDir, consoleDatabaseUrl(settings))
  const presence = new Presence({ database, dataDir, isAlone: true, onError: () => {} })
  try {
    await presence.open()
    return await rotateKey({ database, dataDir, secret }, newSecret ?? secret)
  } finally {
    await presence.close()
    await database.close()
  }
}

function readNewSecret(env: Record<string, string | undefined>) {
  try {
    return readSettings({ CONSOLE_SECRET: env['NEW_CONSOLE_SECRET'] })
  } catch (error) {
    throw error instanceof StartError ? new StartError(error.message.replace('CONSOLE', 'NEW_CONSOLE')) : error
  }
}

function readNewStackSecret(env: Record<string, string | undefined>) {
  try {
    return readConfig({ STACK_SECRET: env['NEW_STACK_SECRET'] })
  } catch (error) {
    throw error instanceof ConfigError ? new StartError(`NEW_${error.message}`) : error
  }
}

try {
  console.log(await rotate(process.env))
} catch (error) {
  // The message is more useful than a stack trace.
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
