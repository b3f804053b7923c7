/**
 * Replaces the key of the stored secrets. Two files change, the key and the connections, and the process may be killed in
 * between. So the new key is first written beside the old one, then all secrets are encrypted with it in one write, and
 * then it replaces the old key. After a kill, the key that the secrets are encrypted with decides.
 */
import { existsSync, rmSync } from 'node:fs'
import { connectionsFile, dataKeyContext, secretContext, secretFields } from './connections.ts'
import { keysInUse, openKeyInUse } from './keysInUse.ts'
import { renameDurably } from '#node/atomicFile.ts'
import { keyFile, keyOf, seal, unseal, VaultError, type VaultKey } from '#node/vault.ts'

const beside = (path: string) => `${path}.next`

/**
 * Encrypts every stored secret with a new key. The key is derived from `newSecret` or `secret` and a new salt; without
 * them it is a new key file. No other process may write connections meanwhile.
 * @returns the number of secrets
 * @throws UnusableState or VaultError if stored secrets cannot be decrypted: nothing is changed
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

/** Completes an interrupted rotation if the secrets are encrypted with the new key, and reverts it otherwise. */
export function settleRotation(dataDir: string, secret?: string): void {
  const path = keyFile(dataDir, secret)
  if (!existsSync(beside(path))) return
  const inUse = keysInUse(dataDir)
  if (inUse.has(keyOf(beside(path), secret).id)) takePlace(dataDir, path)
  else if (inUse.size === 0 || (existsSync(path) && inUse.has(keyOf(path, secret).id))) rmSync(beside(path))
  // Neither key fits: CONSOLE_SECRET is not the one that was rotated to. Nothing is removed.
}

function takePlace(dataDir: string, path: string): void {
  renameDurably(beside(path), path)
  // A key file from before there was a secret is no longer used.
  const former = keyFile(dataDir)
  if (former !== path) rmSync(former, { force: true })
}

function resealAll(dataDir: string, old: VaultKey, next: VaultKey): number {
  const file = connectionsFile(dataDir)
  const { connections: stored = [], dataKey } = file.read() ?? {}
  let count = 0
  for (const connection of stored) {
    for (const field of secretFields) {
      const text = connection.sealed[field]
      if (text === undefined) continue
      const place = secretContext(connection, field)
      connection.sealed[field] = seal(next, place, opened(old, place, text, connection.name))
      count += 1
    }
  }
  const resealed = dataKey === undefined ? undefined : seal(next, dataKeyContext, unseal(old, dataKeyContext, dataKey))
  file.write({ connections: stored, dataKey: resealed })
  return count
}

function opened(key: VaultKey, place: Parameters<typeof unseal>[1], text: string, name: string): string {
  try {
    return unseal(key, place, text)
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    throw new VaultError(
      `The key of the connection “${name}” cannot be decrypted. Enter it again, or delete the connection.`,
    )
  }
}
