/** `npm run rotate-key`: seals the stored keys of all connections with a new key, while no console runs. */
import { rotateKey } from '#gateway/keyRotation.ts'
import { runningConsole } from '#gateway/runningMark.ts'
import { readSettings, StartError } from './settings.ts'

/** Throws StartError for what a person can put right. */
function rotate(env: Record<string, string | undefined>): string {
  const { DATA_DIR: dataDir, CONSOLE_SECRET: secret } = readSettings(env)
  // The same rule as for the first one.
  const { CONSOLE_SECRET: newSecret } = readNewSecret(env)
  const running = runningConsole(dataDir)
  if (running !== null) {
    throw new StartError(
      `A console runs on ${dataDir} (process ${running}): end it first, and start it again after this.`,
    )
  }
  const count = rotateKey(dataDir, secret, newSecret ?? secret)
  const sealed = `${count} stored ${count === 1 ? 'key is' : 'keys are'} sealed with a new key.`
  return newSecret ? `${sealed} From now on start the console with the new CONSOLE_SECRET.` : sealed
}

function readNewSecret(env: Record<string, string | undefined>) {
  try {
    return readSettings({ CONSOLE_SECRET: env['NEW_CONSOLE_SECRET'] })
  } catch (error) {
    throw error instanceof StartError ? new StartError(error.message.replace('CONSOLE', 'NEW_CONSOLE')) : error
  }
}

try {
  console.log(rotate(process.env))
} catch (error) {
  // A stack trace would say less than the sentence.
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
