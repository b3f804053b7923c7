/** Which keys the stored secrets are sealed with: a start with none of them would seal new secrets beside unreadable ones. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { connectionsFile } from './connections.ts'
import { UnusableState } from '#node/stateFile.ts'
import { keyFile, openKey, sealedWith, type VaultKey } from '#node/vault.ts'

/** @param but ids of connections that do not count */
export function keysInUse(dataDir: string, but: readonly string[] = []): Set<string> {
  const stored = connectionsFile(dataDir).read()?.connections ?? []
  const counted = stored.filter(({ id }) => !but.includes(id))
  return new Set(counted.flatMap(({ sealed }) => Object.values(sealed).map(sealedWith)))
}

/**
 * The key of a data directory, which the first start creates.
 * @param seeded ids of connections whose secrets every start can give again: they open with any key
 * @throws UnusableState when it opens none of what is stored; nothing is written then
 */
export function openKeyInUse(dataDir: string, secret?: string, seeded: readonly string[] = []): VaultKey {
  const inUse = keysInUse(dataDir, seeded)
  // The making of a key from a secret takes a while: once.
  const key = inUse.size === 0 || existsSync(keyFile(dataDir, secret)) ? openKey(dataDir, secret) : null
  if (key && (inUse.size === 0 || inUse.has(key.id))) return key
  const other = secret ? 'another CONSOLE_SECRET, or with console.key' : 'a CONSOLE_SECRET, or with another console.key'
  throw new UnusableState(
    `The keys in ${join(dataDir, 'connections.json')} were encrypted with ${other}: go on with that ` +
      '(npm run rotate-key changes it), or move the file away to begin without its connections.',
  )
}
