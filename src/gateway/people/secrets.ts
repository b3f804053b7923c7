/** Secrets of people: passwords, and random tokens that are stored as hashes. */
import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** 256 random bits. */
export const randomSecret = () => randomBytes(32).toString('base64url')

/** A random secret needs no slow hash: it cannot be guessed. */
export const hashOfSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** argon2id with the parameters that OWASP recommends. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** Verified for accounts that do not exist or have no password, so that they take as long as others. */
const nobody = hash(randomSecret(), cost)
// Whoever waits for it learns of a failure.
nobody.catch(() => {})

export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  if (stored) return verify(stored, password)
  await verify(await nobody, password)
  return false
}
