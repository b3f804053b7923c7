/** Digests of keys. Keys are random, so that a fast digest is enough. */
import { createHash } from 'node:crypto'

export function keyDigest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/** Names a key without revealing it. */
export function keyId(key: string): string {
  return keyDigest(`id ${key}`).slice(0, 16)
}

/** The message for a rotation that names another key than the current one. */
export const keyReplaced = 'The key was replaced meanwhile. Nothing was changed.'
