/**
 * Another key for the stored secrets. Two files change, the key and what is sealed with it, and a kill may come between:
 * the new key is put beside the old one first, then all secrets are sealed with it in one write, and only then it takes
 * the old one's place. Which key the secrets are sealed with tells what a start finds: that write decides.
 */
import { existsSync, rmSync } from 'node:fs'
import { connectionsFile, placeOf, secretFields } from './connections.ts'
import { keysInUse, openKeyInUse } from './keysInUse.ts'
import { renameDurably } from '#node/atomicFile.ts'
import { keyFile, keyOf, seal, unseal, VaultError, type VaultKey } from '#node/vault.ts'

const beside = (path: string) => `${path}.next`

/**
 * Seals every stored secret with a new key and answers how many. With a secret the new key comes from that, or from
 * `newSecret`, and a new salt; without one it is a new key file. Nobody else may write connections meanwhile.
 * @throws UnusableState when `secret` opens no stored secret, VaultError when one does not open: nothing is changed then
 */
export function rotateKey(dataDir: string, secret?: string, newSecret = secret): number {
  settleRotation(dataDir, secret)
  const old = openKeyInUse(dataDir, secret)
  const path = keyFile(dataDir, newSecret)
  rmSync(beside(path), { force: true })
  const next = keyOf(beside(path), newSecret)
  const count = resealAll(dataDir, old, next)
  takePlace(dataDir, path)
  return count
}

/** Ends a rotation that was cut off: forward where the secrets are sealed with the new key, else back. */
export function settleRotation(dataDir: string, secret?: string): void {
  const path = keyFile(dataDir, secret)
  if (!existsSync(beside(path))) return
  const inUse = keysInUse(dataDir)
  if (inUse.has(keyOf(beside(path), secret).id)) takePlace(dataDir, path)
  else if (inUse.size === 0 || (existsSync(path) && inUse.has(keyOf(path, secret).id))) rmSync(beside(path))
  // Sealed with neither: this is another secret than the one that was rotated to, and nothing must be lost over it.
}

function takePlace(dataDir: string, path: string): void {
  renameDurably(beside(path), path)
  // A key file of the time before there was a secret opens nothing any more.
  const former = keyFile(dataDir)
  if (former !== path) rmSync(former, { force: true })
}

function resealAll(dataDir: string, old: VaultKey, next: VaultKey): number {
  const file = connectionsFile(dataDir)
  const stored = file.read()?.connections ?? []
  let count = 0
  for (const connection of stored) {
    for (const field of secretFields) {
      const text = connection.sealed[field]
      if (text === undefined) continue
      const place = placeOf(connection, field)
      connection.sealed[field] = seal(next, place, opened(old, place, text, connection.name))
      count += 1
    }
  }
  file.write({ connections: stored })
  return count
}

function opened(key: VaultKey, place: Parameters<typeof unseal>[1], text: string, name: string): string {
  try {
    return unseal(key, place, text)
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    throw new VaultError(`The key of the connection “${name}” does not open: enter it again, or delete the connection.`)
  }
}
