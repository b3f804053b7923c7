/** Passwords of members: the rules of deployments (section 1.2 of the open-source reference), stored as argon2id hashes. */
import { hash } from '@node-rs/argon2'

const minLength = 12
const maxLength = 72

/** What people read before they choose one. */
export const passwordRule = `${minLength} to ${maxLength} characters, with upper and lower case letters, digits and special characters`

/** Why a password is not accepted; undefined if it is. */
export function passwordProblem(password: string): string | undefined {
  const long = password.length >= minLength && password.length <= maxLength
  const mixed = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9\s]/].every((kind) => kind.test(password))
  return long && mixed ? undefined : `The password must have ${passwordRule}.`
}

/** With argon2id, which is the default, in a thread of its own. The costs are those that OWASP recommends: 19 MiB, two passes. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
}
