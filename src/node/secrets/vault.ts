/** Encryption of secrets at rest: AES-256-GCM, each bound to the context that it was entered for. */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UnusableState, writeAtomically } from '../files/atomicFile.ts'

export interface VaultKey {
  /** Identifies the key without revealing anything about it. */
  id: string
  bytes: Buffer
}

/** The context of a secret, such as a connection, a field and its address. It cannot be decrypted in another context. */
export type SealContext = readonly string[]

export class VaultError extends Error {
  override name = 'VaultError'
}

const version = 'v1'
const tagLength = 16
const nonceLength = 12

/**
 * The key of a data directory: derived from a secret with scrypt, or from `console.key`, which the first start creates.
 * @throws UnusableState if the file exists but has no key: a new key could decrypt nothing
 */
export function openKey(dataDir: string, secret?: string): VaultKey {
  return keyOf(keyFile(dataDir, secret), secret)
}

/** The file of a key: the key itself, or the salt for a secret. */
export function keyFile(dataDir: string, secret?: string): string {
  return join(dataDir, secret ? 'console.salt' : 'console.key')
}

/** The key from a file, which is created if it does not exist. */
export function keyOf(path: string, secret?: string): VaultKey {
  const bytes = storedBytes(path)
  return secret ? derivedKey(secret, bytes) : keyFrom(bytes)
}

/** Keys that this process derived, by secret and salt: a start asks for the same one several times, each for 0.1 seconds. */
const derived = new Map<string, VaultKey>()
const maxDerived = 8

/** Derives a key from a secret and a salt. The result is the same on every machine. */
export function derivedKey(secret: string, salt: Buffer): VaultKey {
  const id = `${salt.toString('hex')} ${secret}`
  const known = derived.get(id)
  if (known) return known
  const key = keyFrom(scryptSync(secret, salt, 32, { N: 2 ** 15, r: 8, maxmem: 64 * 2 ** 20 }))
  if (derived.size >= maxDerived) derived.clear()
  derived.set(id, key)
  return key
}

function keyFrom(bytes: Buffer): VaultKey {
  return { id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 8), bytes }
}

/** 32 random bytes, stored as hexadecimal text in a file of mode 0600. */
function storedBytes(path: string): Buffer {
  if (!existsSync(path)) writeAtomically(path, randomBytes(32).toString('hex'))
  const bytes = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
  if (bytes.length !== 32) throw new UnusableState(`${path} does not contain a key. Restore it from a backup.`)
  return bytes
}

/** Encrypts a secret for its context. */
export function seal(key: VaultKey, place: SealContext, secret: string): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagLength })
  cipher.setAAD(boundTo(key, place))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [version, key.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
}

/** Decrypts a secret in its context. @throws VaultError for another context or key, or a changed bit */
export function unseal(key: VaultKey, place: SealContext, text: string): string {
  const [header, keyId, nonceText = '', sealedText = '', ...rest] = text.split('.')
  const nonce = Buffer.from(nonceText, 'base64url')
  const sealed = Buffer.from(sealedText, 'base64url')
  // Node decodes several spellings of the same bytes. Only the one that was written is accepted.
  const canonical = nonce.toString('base64url') === nonceText && sealed.toString('base64url') === sealedText
  if (
    header !== version ||
    rest.length > 0 ||
    !canonical ||
    nonce.length !== nonceLength ||
    sealed.length < tagLength
  ) {
    throw new VaultError('The stored secret is damaged.')
  }
  if (keyId !== key.id) throw new VaultError('The stored secret was encrypted with another key.')
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagLength })
  decipher.setAAD(boundTo(key, place))
  decipher.setAuthTag(sealed.subarray(-tagLength))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagLength)), decipher.final()]).toString('utf8')
  } catch {
    throw new VaultError('The stored secret is damaged, or belongs to another record.')
  }
}

/** The id of the key that a text was encrypted with. */
export function sealedWith(text: string): string {
  return text.split('.')[1] ?? ''
}

function boundTo(key: VaultKey, place: SealContext): Buffer {
  return Buffer.from(JSON.stringify([version, key.id, ...place]))
}
