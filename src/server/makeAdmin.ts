/**
 * `npm run make-admin`: prints a link that opens the console as administrator, once and within an hour. For those who have
 * locked everybody out. The console may be running.
 */
import { SignInLinks } from '#gateway/identity/people/signInLinks.ts'
import { underBasePath } from '#node/net/basePath.ts'
import { localUrl } from '#stack/startup/ports.ts'
import { openConsoleDatabase } from './consoleDatabase.ts'
import { readSettings } from './serverSettings.ts'

/** @throws StartError for problems that people can fix */
async function createLink(env: Record<string, string | undefined>): Promise<string> {
  const settings = readSettings(env)
  const { HOST, UI_PORT, PUBLIC_URL, BASE_PATH } = settings
  const database = await openConsoleDatabase(settings)
  try {
    const { token } = await new SignInLinks(database).forAdministrator()
    const address = PUBLIC_URL?.replace(/\/$/, '') ?? localUrl(HOST, UI_PORT)
    return `${underBasePath(address, BASE_PATH)}/sign-in#token=${token}`
  } finally {
    await database.close()
  }
}

try {
  console.log(`Open this link within an hour. It works once:\n${await createLink(process.env)}`)
} catch (error) {
  // The message is more useful than a stack trace.
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
