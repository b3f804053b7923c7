/**
 * Replaces the key of the stored secrets, which are encrypted with it in one transaction. The salt of a secret is part of
 * the transaction. A key file is not, and the process may be killed in between: the new key is first written beside the
 * old one and replaces it after the transaction. After a kill, the key that the secrets are encrypted with decides.
 */
import { rmSync } from 'node:fs'
import { renameDurably } from '#node/files/atomicFile.ts'
import type { Statements } from '#node/database/statements.ts'
import { keyFile, keyOf, seal, unseal, VaultError, type VaultKey } from '#node/secrets/vault.ts'
import { countRevision, recordIn } from '../database/sharedList.ts'
import { StoredRows } from '../database/storedRows.ts'
import { connectionRecord, secretContext, secretFields } from './connectionRecords.ts'
import { nextKeyFile, newSecretKey, storeDataKey, type KeyPlace } from './consoleKeys.ts'
import { openConnections } from './openConnections.ts'

/**
 * Encrypts every stored secret with a new key. The key is derived from `newSecret` or the present one and a new salt;
 * without them it is a new key file. No console may use the database meanwhile.
 * @returns the number of secrets
 * @throws UnusableState or VaultError if stored secrets cannot be decrypted, DamagedRow for a damaged connection: nothing is
 * changed
 */
export async function rotateKey(place: KeyPlace, newSecret = place.secret): Promise<number> {
  const { database, dataDir } = place
  const { key: old, dataKey } = await openConnections(place)
  const path = keyFile(dataDir)
  const beside = nextKeyFile(dataDir)
  rmSync(beside, { force: true })
  const file = newSecret ? null : keyOf(beside)
  const count = await database.transact(async (transaction) => {
    const next = newSecret ? await newSecretKey(transaction, newSecret) : (file ?? keyOf(beside))
    await storeDataKey(transaction, next, dataKey)
    return resealAll(transaction, new StoredRows(database, 'connections'), { old, next })
  })
  if (newSecret) rmSync(path, { force: true })
  else renameDurably(beside, path)
  return count
}

interface Keys {
  old: VaultKey
  next: VaultKey
}

async function resealAll(transaction: Statements, stored: StoredRows, { old, next }: Keys): Promise<number> {
  let count = 0
  for (const row of await transaction.rows('SELECT id, record FROM connections')) {
    const connection = stored.one(row, () => recordIn(row, connectionRecord))
    for (const field of secretFields) {
      const text = connection.sealed[field]
      if (text === undefined) continue
      const context = secretContext(connection, field)
      connection.sealed[field] = seal(next, context, opened(old, context, text, connection.name))
      count += 1
    }
    await transaction.run('UPDATE connections SET record = ? WHERE id = ?', [JSON.stringify(connection), connection.id])
  }
  await countRevision(transaction, 'connections')
  return count
}

function opened(key: VaultKey, context: Parameters<typeof unseal>[1], text: string, name: string): string {
  try {
    return unseal(key, context, text)
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    throw new VaultError(
      `The key of the connection “${name}” cannot be decrypted. Enter it again, or delete the connection.`,
    )
  }
}
