/** API keys as they are stored: hashes instead of ID and secret. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { maxApiKeys } from '#contract/cloud/organization/apiKeys.ts'
import { stepTolerance } from '#node/clock/wallClock.ts'
import { collection } from '../store/collection.ts'
import type { Limit } from '../store/requireRoom.ts'
import type { Queries } from '../store/store.ts'

export interface KeyDocument {
  id: string
  name: string
  state: 'enabled' | 'disabled'
  assignedRoleIds: readonly string[]
  ipAccessList: readonly { source: string; description?: string | undefined }[]
  /** The last four characters of the key ID. */
  keySuffix: string
  createdAt: string
  expireAt: string | null
  /** Base64 of the SHA-256 of the key ID, and of the secret. */
  keyIdHash: string
  keySecretHash: string
}

export const keyRows = collection<KeyDocument>('api_keys', { columns: ({ keyIdHash }) => ({ key_id_hash: keyIdHash }) })

export const keyLimit: Limit = {
  rows: keyRows,
  most: maxApiKeys,
  owner: 'An organization',
  records: 'API keys',
  remedy: 'Delete one first',
}

/** Base64 of the SHA-256 of a text, as clients send it in `hashData`. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

export interface KeyPair {
  keyId: string
  keySecret: string
}

export function newKeyPair(): KeyPair {
  return { keyId: randomBytes(15).toString('base64url'), keySecret: randomBytes(30).toString('base64url') }
}

export function hashesOf({
  keyId,
  keySecret,
}: KeyPair): Pick<KeyDocument, 'keyIdHash' | 'keySecretHash' | 'keySuffix'> {
  return { keyIdHash: hashOf(keyId), keySecretHash: hashOf(keySecret), keySuffix: keyId.slice(-4) }
}

export function newKeyId(): string {
  return randomUUID()
}

/** The key with this hash of its ID. Who can only guess IDs learns nothing from the time of a look-up by hash. */
export async function keyByHash(queries: Queries, keyIdHash: string): Promise<KeyDocument | undefined> {
  const [row] = await queries.rows('SELECT id FROM api_keys WHERE key_id_hash = ?', [keyIdHash])
  return row && keyRows.get(queries, String(row['id']))
}

export function isExpired({ expireAt }: Pick<KeyDocument, 'expireAt'>, now: number): boolean {
  return expireAt !== null && Date.parse(expireAt) <= now
}

/** When each key was last used, to the minute. Apart from the keys, because it changes with every request. */
export async function keyUses(queries: Queries): Promise<Map<string, string>> {
  const rows = await queries.rows('SELECT key_id, used_at FROM api_key_uses')
  return new Map(rows.map((row) => [String(row['key_id']), new Date(Number(row['used_at'])).toISOString()]))
}

/** @param at the minute of the use. A later one is of another stack, or was stored before the clock was set back. */
export async function writeKeyUse(queries: Pick<Queries, 'run'>, keyId: string, at: number): Promise<void> {
  await queries.run(
    `INSERT INTO api_key_uses (key_id, used_at) VALUES (?, ?)
     ON CONFLICT (key_id) DO UPDATE SET used_at = excluded.used_at
     WHERE api_key_uses.used_at < excluded.used_at OR api_key_uses.used_at > ?`,
    [keyId, at, at + 60_000 + stepTolerance],
  )
}

export async function deleteKey(queries: Queries, id: string): Promise<void> {
  await keyRows.delete(queries, id)
  await queries.run('DELETE FROM api_key_uses WHERE key_id = ?', [id])
}
