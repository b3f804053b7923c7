/**
 * The keys of a console: the one that the secrets of connections are encrypted with, and the data key, which is stored
 * encrypted with it. The former is derived from CONSOLE_SECRET and a salt in the database, so that consoles that share
 * the database share it; or it is the file `console.key`, for one console. A start with another key is refused.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { consoleCommand } from '#node/consoleCommand.ts'
import { renameDurably, UnusableState } from '#node/files/atomicFile.ts'
import type { Statements } from '#node/database/statements.ts'
import {
  derivedKey,
  keyFile,
  keyOf,
  openKey,
  seal,
  sealedWith,
  unseal,
  type SealContext,
  type VaultKey,
} from '#node/secrets/vault.ts'
import type { Database } from '../database/database.ts'
import { connectionRecord } from './connectionRecords.ts'
import { FormerConnections } from './formerConnections.ts'

export interface ConsoleKeys {
  key: VaultKey
  /** 32 bytes. */
  dataKey: Uint8Array
}

export interface KeyPlace {
  database: Database
  dataDir: string
  /** CONSOLE_SECRET. */
  secret?: string | undefined
}

const dataKeyContext: SealContext = ['data key']
type KeyName = 'data key' | 'salt'

/** The path of a new key file until the secrets are encrypted with it. */
export const nextKeyFile = (dataDir: string) => `${keyFile(dataDir)}.next`

/**
 * The keys of the database. The first start creates them. Takes over the connections of earlier versions, and completes a
 * rotation that was interrupted, or reverts it.
 * @param seeded ids of connections whose secrets every start can provide again
 * @throws UnusableState if the key decrypts none of the stored secrets: nothing is changed
 */
export async function openKeys(place: KeyPlace, seeded: readonly string[] = []): Promise<ConsoleKeys> {
  const former = new FormerConnections(place.dataDir)
  const keys = await place.database.transact(async (transaction) => {
    await former.takeOver(transaction, place.secret)
    return keysIn(transaction, place, seeded)
  })
  former.putAside()
  return keys
}

async function keysIn(transaction: Statements, place: KeyPlace, seeded: readonly string[]): Promise<ConsoleKeys> {
  if (!place.secret) settleKeyFile(place.dataDir, await keysInUse(transaction, []))
  const inUse = await keysInUse(transaction, seeded)
  const key = await keyFor(transaction, place, inUse.size === 0)
  if (!key || (inUse.size > 0 && !inUse.has(key.id))) throw otherKey(place)
  const sealed = await storedKey(transaction, 'data key')
  if (sealed !== undefined) return { key, dataKey: Buffer.from(unseal(key, dataKeyContext, sealed), 'base64url') }
  const dataKey = randomBytes(32)
  await storeDataKey(transaction, key, dataKey)
  return { key, dataKey }
}

/** The key of this console; null if it has none, and must not get a new one because there are secrets. */
async function keyFor(
  transaction: Statements,
  { dataDir, secret }: KeyPlace,
  isFirst: boolean,
): Promise<VaultKey | null> {
  if (!secret) return isFirst || existsSync(keyFile(dataDir)) ? openKey(dataDir) : null
  const salt = await storedKey(transaction, 'salt')
  if (salt !== undefined) return derivedKey(secret, Buffer.from(salt, 'hex'))
  return isFirst ? newSecretKey(transaction, secret) : null
}

/** A key from a secret and a new salt, which is stored. */
export async function newSecretKey(transaction: Statements, secret: string): Promise<VaultKey> {
  const salt = randomBytes(32)
  await storeKey(transaction, 'salt', salt.toString('hex'))
  return derivedKey(secret, salt)
}

export function storeDataKey(transaction: Statements, key: VaultKey, dataKey: Uint8Array): Promise<void> {
  return storeKey(transaction, 'data key', seal(key, dataKeyContext, Buffer.from(dataKey).toString('base64url')))
}

/** Ids of the keys that stored secrets are encrypted with. @param except ids of connections that do not count */
async function keysInUse(transaction: Statements, except: readonly string[]): Promise<Set<string>> {
  const rows = await transaction.rows('SELECT id, record FROM connections')
  const counted = rows.filter(({ id }) => !except.includes(String(id)))
  const texts = counted.flatMap(({ record }) => sealedIn(String(record)))
  const dataKey = await storedKey(transaction, 'data key')
  return new Set([...texts, ...(dataKey === undefined ? [] : [dataKey])].map(sealedWith))
}

/** None for a damaged record, which is reported when the list is read. */
function sealedIn(record: string): string[] {
  try {
    return Object.values(connectionRecord.parse(JSON.parse(record)).sealed)
  } catch {
    return []
  }
}

/** After an interrupted rotation, the key that the secrets are encrypted with decides. */
function settleKeyFile(dataDir: string, inUse: ReadonlySet<string>): void {
  const [path, beside] = [keyFile(dataDir), nextKeyFile(dataDir)]
  if (!existsSync(beside)) return
  if (inUse.has(keyOf(beside).id)) renameDurably(beside, path)
  else if (inUse.size === 0 || (existsSync(path) && inUse.has(keyOf(path).id))) rmSync(beside)
  // Otherwise neither fits, and nothing is removed.
}

async function storedKey({ rows }: Pick<Statements, 'rows'>, name: KeyName): Promise<string | undefined> {
  const [row] = await rows('SELECT value FROM console_keys WHERE name = ?', [name])
  return row && String(row['value'])
}

async function storeKey({ run }: Statements, name: KeyName, value: string): Promise<void> {
  await run(
    'INSERT INTO console_keys (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, value],
  )
}

function otherKey({ database, dataDir, secret }: KeyPlace): UnusableState {
  const where = database.isShared ? 'the database of CONSOLE_DATABASE_URL' : join(dataDir, 'console.db')
  const other = secret ? 'another CONSOLE_SECRET, or with console.key' : 'a CONSOLE_SECRET, or with another console.key'
  const advice = database.isShared
    ? 'Use that one. Consoles that share a database need the same CONSOLE_SECRET.'
    : `Use that one (${consoleCommand('rotate-key')} replaces it).`
  return new UnusableState(`The keys in ${where} were encrypted with ${other}. ${advice}`)
}
