/** Files that show that a data directory had records of the console or the stack. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readCredentialsFile } from '../credentialsFile.ts'
import type { StoreName } from './dataLoss.ts'

const files: Record<StoreName, readonly string[]> = {
  console: ['console.marker', 'console.key', 'connections.json.migrated'],
  stack: ['stack.marker', 'stack.key'],
}
/** A field of `credentials.json` that each of them writes. */
const fields: Record<StoreName, string> = { console: 'signInUrl', stack: 'keyId' }
/** The console's records before it had a database: it makes one from them. */
const former = 'connections.json'

/** The file that shows it; undefined if there is none. */
export function traceOf(dataDir: string, store: StoreName): string | undefined {
  if (store === 'console' && existsSync(join(dataDir, former))) return undefined
  const file = files[store].find((name) => existsSync(join(dataDir, name)))
  if (file !== undefined) return file
  return fields[store] in readCredentialsFile(dataDir) ? 'credentials.json' : undefined
}
