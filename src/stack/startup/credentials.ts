/** `DATA_DIR/credentials.json`: the keys for people and tools on this machine, readable by this user alone. */
import { randomUUID } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Identity } from '../store/identity.ts'

export type Credentials = Pick<
  Identity,
  'personalAccessKey' | 'ingestionKey' | 'keyId' | 'keySecret' | 'organizationId' | 'serviceId'
>

export function credentialsOf(identity: Identity): Credentials {
  const { personalAccessKey, ingestionKey, keyId, keySecret, organizationId, serviceId } = identity
  return { personalAccessKey, ingestionKey, keyId, keySecret, organizationId, serviceId }
}

/** Writes the file as a whole or not at all. What others keep in it, such as the sign-in link, stays. */
export async function writeCredentials(dataDir: string, identity: Identity): Promise<void> {
  const file = join(dataDir, 'credentials.json')
  const text = JSON.stringify({ ...(await readObject(file)), ...credentialsOf(identity) }, null, 2)
  const draft = `${file}.${randomUUID()}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${text}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
}

/** The file's content; nothing when it is missing or broken, since all that matters is written anew. */
async function readObject(file: string): Promise<object> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
