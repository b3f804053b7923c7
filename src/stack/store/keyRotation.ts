/** Another key for the secrets in the records, while no stack runs on them. */
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { derivedKey, keyOf, type VaultKey } from '#node/vault.ts'
import { sealedFields, sealedSettings } from './sealedParts.ts'
import { keyPath, nextKeyPath, openSecrets, secretsOf, settleKeyFile, writeSealing, type Secrets } from './secrets.ts'
import { keyOptionsOf, openBackend, type StoreTarget } from './store.ts'
import type { Statements } from './backend.ts'

/**
 * Seals all secrets with a new key, and answers how many. The key comes from `newSecret`, else from the secret in use and a
 * new salt, else it is a new key file. One transaction decides: until it is kept the old key counts, from then on the new
 * one, and the next start puts the files in order where this is cut off.
 * @throws StoreError when the records do not open with the key in use: nothing is changed then
 */
export async function rotateStoreKey(target: StoreTarget, newSecret?: string): Promise<number> {
  const options = keyOptionsOf(target)
  const secret = newSecret ?? options.secret
  const backend = await openBackend(target)
  try {
    const old = await openSecrets(backend, options)
    const salt = randomBytes(32)
    const next = secret ? derivedKey(secret, salt) : newKeyFile(options.dataDir)
    const count = await backend.transact(async (transaction) => {
      const resealed = await resealAll(transaction, old, secretsOf(next))
      await writeSealing(transaction, { keyId: next.id, salt: salt.toString('hex'), scrubbed: false })
      return resealed
    })
    settleKeyFile(options.dataDir, next.id)
    // A key file of the time before there was a secret opens nothing any more.
    if (secret) rmSync(keyPath(options.dataDir), { force: true })
    // Ends the rotation as any start does: what was sealed with the old key leaves the disk.
    await openSecrets(backend, { ...options, secret })
    return count
  } finally {
    await backend.close()
  }
}

/** The records are there: nothing has to be rotated where no stack ever ran. */
export function hasRecords(target: StoreTarget): boolean {
  return 'url' in target || existsSync(target.file)
}

function newKeyFile(dataDir: string): VaultKey {
  rmSync(nextKeyPath(dataDir), { force: true })
  return keyOf(nextKeyPath(dataDir))
}

async function resealAll(transaction: Statements, old: Secrets, next: Secrets): Promise<number> {
  let count = 0
  for (const table of Object.keys(sealedFields)) {
    for (const { id, sealed } of await transaction.rows(`SELECT id, sealed FROM ${table} WHERE sealed IS NOT NULL`)) {
      const place = [table, String(id)]
      const text = next.seal(place, old.open(place, String(sealed)))
      count += await transaction.run(`UPDATE ${table} SET sealed = ? WHERE id = ?`, [text, String(id)])
    }
  }
  for (const name of sealedSettings) {
    for (const { value } of await transaction.rows('SELECT value FROM settings WHERE name = ?', [name])) {
      const place = ['settings', name]
      const text = next.seal(place, old.open(place, String(JSON.parse(String(value)))))
      count += await transaction.run('UPDATE settings SET value = ? WHERE name = ?', [JSON.stringify(text), name])
    }
  }
  return count
}
