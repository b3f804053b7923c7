/** Passwords as argon2id hashes. */
import { hash, verify } from '@node-rs/argon2'

/** The costs that OWASP recommends: 19 MiB, two passes. Argon2id is the default; it runs in a thread of its own. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** Whether a text has the form of a hash of `hashPassword`. */
export function isPasswordHash(text: string): boolean {
  return /^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[\w+/]+\$[\w+/]+$/.test(text)
}

export function matchesPassword(stored: string, password: string): Promise<boolean> {
  return verify(stored, password)
}
