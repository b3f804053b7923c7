/**
 * `npm run rotate-key`: seals the stored keys of all connections, and the secrets in the stack's records, with new keys, while
 * neither runs.
 */
import { rotateKey } from '#gateway/connections/keyRotation.ts'
import { ConfigError, readConfig } from '#stack/config.ts'
import { recordsOf } from '#stack/startup/storeTarget.ts'
import { hasRecords, rotateStoreKey } from '#stack/store/keyRotation.ts'
import { lockDataDir } from './dataDirLock.ts'
import { readSettings, StartError } from './settings.ts'

/** Throws StartError for what a person can put right. */
async function rotate(env: Record<string, string | undefined>): Promise<string> {
  const { DATA_DIR: dataDir, CONSOLE_SECRET: secret } = readSettings(env)
  // The same rule as for the first one.
  const { CONSOLE_SECRET: newSecret } = readNewSecret(env)
  const records = recordsOf(readConfig(env))
  const { stackSecret: newStackSecret } = readNewStackSecret(env)
  const lock = await lockDataDir(dataDir)
  const count = rotateKey(dataDir, secret, newSecret ?? secret)
  const lines = [`${count} stored ${count === 1 ? 'key is' : 'keys are'} sealed with a new key.`]
  if (newSecret) lines.push('From now on start the console with the new CONSOLE_SECRET.')
  if (hasRecords(records)) {
    const sealed = await rotateStoreKey(records, newStackSecret)
    lines.push(
      `${sealed} ${sealed === 1 ? 'record of the stack is' : 'records of the stack are'} sealed with a new key.`,
    )
    if (newStackSecret) lines.push('From now on start the stack with the new STACK_SECRET.')
  }
  await lock.release()
  return lines.join('\n')
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
  // A stack trace would say less than the sentence.
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
