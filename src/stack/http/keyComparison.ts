/** Compares keys in constant time. */
import { secretDigest } from '#node/sameSecret.ts'

/** A digest of a key that may be stored in memory. */
export function fingerprint(secret: string): string {
  return secretDigest(secret).toString('base64url')
}
