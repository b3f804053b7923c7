/** Comparing keys without telling, by the time it takes, how much of a guess was right. */
import { createHash, timingSafeEqual } from 'node:crypto'

export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

/** A key as something that may be remembered: one-way, of fixed length. */
export function fingerprint(secret: string): string {
  return digest(secret).toString('base64url')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
