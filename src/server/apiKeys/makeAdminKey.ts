/**
 * `npm run make-admin-key`: a new API key with the role Admin for the organization of the stack on this machine, for when the
 * last one has expired or was lost. `credentials.json` and the local connection get it. The console may be running.
 */
import { join } from 'node:path'
import { updateCredentialsFile } from '#node/files/credentialsFile.ts'
import { addAdminKey } from '#stack/access/credentialsKey.ts'
import { ConfigError, readConfig } from '#stack/config.ts'
import { recordsOf } from '#stack/startup/recordsTarget.ts'
import { credentialsOf, readIdentity, requireIdentity } from '#stack/store/identity.ts'
import { openStore } from '#stack/store/store.ts'
import { StoreError } from '#node/database/storeError.ts'
import { hasRecords } from '#stack/store/storeKeyRotation.ts'
import { StartError } from '../serverSettings.ts'

/** @throws StartError, ConfigError or StoreError for problems that people can fix */
async function makeKey(env: Record<string, string | undefined>): Promise<string> {
  const config = readConfig(env)
  const records = recordsOf(config)
  const missing = `DATA_DIR ${config.dataDir} has no stack. Set DATA_DIR, and DATABASE_URL if it has one, as for the stack.`
  if (!hasRecords(records)) throw new StartError(missing)
  const store = await openStore(records)
  try {
    if (!(await readIdentity(store))) throw new StartError(missing)
    const { name, id } = await addAdminKey(store)
    updateCredentialsFile(config.dataDir, credentialsOf(await requireIdentity(store)))
    return [
      `Created the API key “${name}” (${id}) with the role Admin. It does not expire.`,
      `Its key ID and secret are in ${join(config.dataDir, 'credentials.json')}.`,
      'A running console gives it to the connection “Local (managed)” within seconds, another one when it starts.',
      'The activity log has an entry. Delete keys that are no longer needed under API keys.',
    ].join('\n')
  } finally {
    await store.close()
  }
}

try {
  console.log(await makeKey(process.env))
} catch (error) {
  const isForPeople = [StartError, ConfigError, StoreError].some((kind) => error instanceof kind)
  // The message is more useful than a stack trace.
  console.error(error instanceof Error ? (isForPeople ? error.message : error.stack) : String(error))
  process.exitCode = 1
}
