/**
 * `npm run make-admin`: prints a link that opens the console as administrator, once and within an hour. For those who have
 * locked everybody out. The console may be running.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#gateway/database/database.ts'
import { SignInLinks } from '#gateway/people/signInLinks.ts'
import { localUrl } from '#stack/startup/ports.ts'
import { readSettings, StartError } from './serverSettings.ts'

/** @throws StartError for problems that people can fix */
async function createLink(env: Record<string, string | undefined>): Promise<string> {
  const { DATA_DIR: dataDir, HOST, UI_PORT, PUBLIC_URL } = readSettings(env)
  if (!existsSync(join(dataDir, 'console.db'))) {
    throw new StartError(`DATA_DIR ${dataDir} has no console.db. Set DATA_DIR to the folder of the console.`)
  }
  const database = await openDatabase(dataDir)
  try {
    const { token } = await new SignInLinks(database).forAdministrator()
    return `${PUBLIC_URL?.replace(/\/$/, '') ?? localUrl(HOST, UI_PORT)}/sign-in#token=${token}`
  } finally {
    database.close()
  }
}

try {
  console.log(`Open this link within an hour. It works once:\n${await createLink(process.env)}`)
} catch (error) {
  // The message is more useful than a stack trace.
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
