/** Replaces the key of the secrets in the records. The stack must not be running. */
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { derivedKey, keyOf, type VaultKey } from '#node/secrets/vault.ts'
import { sealedSettings, sealedTables } from './sealedParts.ts'
import {
  keyPath,
  nextKeyPath,
  openSecrets,
  secretsOf,
  settleKeyFile,
  writeSealing,
  type Secrets,
} from './storeSecrets.ts'
import { keyOptionsOf, openRecords, type StoreTarget } from './store.ts'
import type { Statements } from '#node/database/statements.ts'

/**
 * Encrypts all secrets with a new key. It is derived from `newSecret` or the current secret with a new salt; without them
 * it is a new key file. One transaction switches from the old key to the new one. After an interruption, the next start
 * completes or reverts the change of files.
 * @returns the number of records
 * @throws StoreError if the records cannot be decrypted: nothing is changed
 */
export async function rotateStoreKey(target: StoreTarget, newSecret?: string): Promise<number> {
  const options = keyOptionsOf(target)
  const secret = newSecret ?? options.secret
  const database = await openRecords(target)
  try {
    const old = await openSecrets(database, options)
    const salt = randomBytes(32)
    const next = secret ? derivedKey(secret, salt) : newKeyFile(options.dataDir)
    const count = await database.transact(async (transaction) => {
      const resealed = await resealAll(transaction, old, secretsOf(next))
      await writeSealing(transaction, { keyId: next.id, salt: salt.toString('hex'), scrubbed: false })
      return resealed
    })
    settleKeyFile(options.dataDir, next.id)
    // A key file from before there was a secret is no longer used.
    if (secret) rmSync(keyPath(options.dataDir), { force: true })
    // Completes the rotation like any start: data that was encrypted with the old key is removed from the disk.
    await openSecrets(database, { ...options, secret })
    return count
  } finally {
    await database.close()
  }
}

/** Whether records exist. Without them there is nothing to rotate. */
export function hasRecords(target: StoreTarget): boolean {
  return 'url' in target || existsSync(target.file)
}

function newKeyFile(dataDir: string): VaultKey {
  rmSync(nextKeyPath(dataDir), { force: true })
  return keyOf(nextKeyPath(dataDir))
}

async function resealAll(transaction: Statements, old: Secrets, next: Secrets): Promise<number> {
  let count = 0
  for (const table of sealedTables) {
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
