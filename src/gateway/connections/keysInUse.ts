/** The keys that the stored secrets are encrypted with. A start without any of them is refused. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { connectionsFile } from './connections.ts'
import { UnusableState } from '#node/stateFile.ts'
import { keyFile, openKey, sealedWith, type VaultKey } from '#node/vault.ts'

/** @param except ids of connections that do not count */
export function keysInUse(dataDir: string, except: readonly string[] = []): Set<string> {
  const { connections = [], dataKey } = connectionsFile(dataDir).read() ?? {}
  const counted = connections.filter(({ id }) => !except.includes(id))
  const texts = [...counted.flatMap(({ sealed }) => Object.values(sealed)), ...(dataKey === undefined ? [] : [dataKey])]
  return new Set(texts.map(sealedWith))
}

/**
 * The key of a data directory. The first start creates it.
 * @param seeded ids of connections whose secrets every start can provide again
 * @throws UnusableState if the key decrypts none of the stored secrets: nothing is written
 */
export function openKeyInUse(dataDir: string, secret?: string, seeded: readonly string[] = []): VaultKey {
  const inUse = keysInUse(dataDir, seeded)
  // Deriving a key from a secret is slow, so it is done once.
  const key = inUse.size === 0 || existsSync(keyFile(dataDir, secret)) ? openKey(dataDir, secret) : null
  if (key && (inUse.size === 0 || inUse.has(key.id))) return key
  const other = secret ? 'another CONSOLE_SECRET, or with console.key' : 'a CONSOLE_SECRET, or with another console.key'
  throw new UnusableState(
    `The keys in ${join(dataDir, 'connections.json')} were encrypted with ${other}. Use that one ` +
      '(npm run rotate-key replaces it), or move the file away to start without its connections.',
  )
}
