/** Encrypts secrets of the records with a key that is not in the database. */
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UnusableState, renameDurably } from '#node/files/atomicFile.ts'
import { derivedKey, keyOf, seal, unseal, type SealContext, type VaultKey } from '#node/secrets/vault.ts'
import { sealedFields, sealedSettings, sealedTables, withoutSecrets, type DocumentTable } from './sealedParts.ts'
import type { RecordDatabase } from '#node/database/recordDatabase.ts'
import type { Statements } from '#node/database/statements.ts'
import { StoreError } from '#node/database/storeError.ts'

export interface Secrets {
  /** @param place the table and id of the record: it cannot be decrypted in another row */
  seal(place: SealContext, text: string): string
  /** @throws VaultError for a text of another record or key, and for a damaged one */
  open(place: SealContext, sealed: string): string
}

export interface KeyOptions {
  /** Where `stack.key` is. */
  dataDir: string
  /** The key is derived from this instead, for several machines with one database. */
  secret?: string | undefined
}

/** The setting with the id of the current key and the salt of a secret. */
const settingName = 'sealing'
const sealing = z.object({
  keyId: z.string(),
  salt: z.string(),
  /** Whether unencrypted secrets of earlier versions are removed from the disk. */
  scrubbed: z.boolean(),
})
type Sealing = z.infer<typeof sealing>

/**
 * Opens the secrets of a database. The first start creates the key. Unencrypted secrets of earlier versions are encrypted
 * in the same transaction, and then removed from the disk. After an interruption, the next start continues.
 * @throws StoreError if the database is encrypted with another key: nothing is changed
 */
export async function openSecrets(database: RecordDatabase, options: KeyOptions): Promise<Secrets> {
  const { key, state } = await database.transact(async (transaction) => {
    const known = await readSealing(transaction)
    if (known) return { state: known, key: keyInUse(known, options) }
    const salt = randomBytes(32)
    const key = options.secret ? derivedKey(options.secret, salt) : fileKey(options.dataDir)
    const count = await sealAll(transaction, secretsOf(key))
    const state = { keyId: key.id, salt: salt.toString('hex'), scrubbed: count === 0 }
    await writeSealing(transaction, state)
    return { key, state }
  })
  if (!state.scrubbed) {
    await database.scrub()
    await database.transact((transaction) => writeSealing(transaction, { ...state, scrubbed: true }))
  }
  return secretsOf(key)
}

export function secretsOf(key: VaultKey): Secrets {
  return {
    seal: (place, text) => seal(key, place, text),
    open: (place, sealed) => unseal(key, place, sealed),
  }
}

function keyInUse({ keyId, salt }: Sealing, { dataDir, secret }: KeyOptions): VaultKey {
  if (secret) {
    const key = derivedKey(secret, Buffer.from(salt, 'hex'))
    if (key.id === keyId) return key
    throw otherKey('another STACK_SECRET, or with the stack.key of a DATA_DIR')
  }
  settleKeyFile(dataDir, keyId)
  const key = existsSync(keyPath(dataDir)) ? fileKey(dataDir) : null
  if (key?.id === keyId) return key
  throw otherKey(`a STACK_SECRET, or with another stack.key than ${key ? 'that' : 'one (there is none)'} in DATA_DIR`)
}

function otherKey(which: string): StoreError {
  return new StoreError('refused', `The secrets in the records were encrypted with ${which}. Use that one.`)
}

export const keyPath = (dataDir: string) => join(dataDir, 'stack.key')
/** The file of the next key during a rotation. */
export const nextKeyPath = (dataDir: string) => `${keyPath(dataDir)}.next`

/** Completes the change of files of a rotation if the records are encrypted with the new key, and reverts it otherwise. */
export function settleKeyFile(dataDir: string, keyId: string): void {
  const next = nextKeyPath(dataDir)
  if (!existsSync(next)) return
  if (keyOf(next).id === keyId) renameDurably(next, keyPath(dataDir))
  else if (existsSync(keyPath(dataDir)) && fileKey(dataDir).id === keyId) rmSync(next)
}

function fileKey(dataDir: string): VaultKey {
  try {
    return keyOf(keyPath(dataDir))
  } catch (cause) {
    if (!(cause instanceof UnusableState)) throw cause
    throw new StoreError('refused', cause.message, { cause })
  }
}

/** Encrypts unencrypted secrets. @returns the number of records */
async function sealAll(transaction: Statements, secrets: Secrets): Promise<number> {
  let count = 0
  for (const table of sealedTables) {
    for (const { id, document } of await transaction.rows(`SELECT id, document FROM ${table} WHERE sealed IS NULL`)) {
      const row = sealedRow(secrets, [table, String(id)], JSON.parse(String(document)))
      if (row.sealed === null) continue
      count += await transaction.run(`UPDATE ${table} SET document = ?, sealed = ? WHERE id = ?`, [
        row.document,
        row.sealed,
        String(id),
      ])
    }
  }
  for (const name of sealedSettings) {
    for (const { value } of await transaction.rows('SELECT value FROM settings WHERE name = ?', [name])) {
      const sealed = secrets.seal(['settings', name], String(value))
      count += await transaction.run('UPDATE settings SET value = ? WHERE name = ?', [JSON.stringify(sealed), name])
    }
  }
  return count
}

/** The columns of a document: its text without secrets, and the encrypted secrets. */
export function sealedRow(
  secrets: Secrets,
  place: readonly [table: DocumentTable, id: string],
  document: object,
): { document: string; sealed: string | null } {
  const { shown, parts } = withoutSecrets(document, sealedFields[place[0]])
  return {
    document: JSON.stringify(shown),
    sealed: parts.length > 0 ? secrets.seal(place, JSON.stringify(parts)) : null,
  }
}

async function readSealing(transaction: Statements): Promise<Sealing | undefined> {
  const [row] = await transaction.rows('SELECT value FROM settings WHERE name = ?', [settingName])
  return row && sealing.parse(JSON.parse(String(row['value'])))
}

export async function writeSealing(transaction: Statements, state: Sealing): Promise<void> {
  await transaction.run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [settingName, JSON.stringify(state)],
  )
}
