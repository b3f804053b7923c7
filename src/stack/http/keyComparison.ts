/** Compares keys in constant time. */
import { createHash, timingSafeEqual } from 'node:crypto'

export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

/** A digest of a key that may be stored in memory. */
export function fingerprint(secret: string): string {
  return digest(secret).toString('base64url')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
