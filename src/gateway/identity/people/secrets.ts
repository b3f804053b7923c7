/** Secrets of people: passwords, and random tokens that are stored as hashes. */
import { createHash, randomBytes } from 'node:crypto'
import { hashPassword, matchesPassword } from '#node/secrets/passwordHash.ts'

/** 256 random bits. */
export const randomSecret = () => randomBytes(32).toString('base64url')

/** A random secret needs no slow hash: it cannot be guessed. */
export const hashOfSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** Verified for accounts that do not exist or have no password, so that they take as long as others. */
const nobody = hashPassword(randomSecret())
// Callers that wait for it learn of a failure.
nobody.catch(() => {})

export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  if (stored) return matchesPassword(stored, password)
  await matchesPassword(await nobody, password)
  return false
}
