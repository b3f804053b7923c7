/** Compares secrets in constant time. */
import { createHash, timingSafeEqual } from 'node:crypto'

export function sameSecret(presented: string, expected: string): boolean {
  return timingSafeEqual(secretDigest(presented), secretDigest(expected))
}

export function secretDigest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
