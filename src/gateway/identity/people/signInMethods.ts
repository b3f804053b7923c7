/**
 * The ways in which people can sign in, with passkeys as they are stored. Only what can be read is one: a damaged
 * passkey or password lets nobody in.
 */
import type { Statements } from '#node/database/statements.ts'
import { isPasswordHash } from '#node/secrets/passwordHash.ts'
import type { Database, Row } from '../../database/database.ts'
import { StoredRows } from '../../database/storedRows.ts'
import type { AuthenticatorTransport } from '@simplewebauthn/server'
import { z } from 'zod'

/** One way to sign in: a password, a passkey by its ID, or a provider by its ID. */
export type SignInMethod = { kind: 'password' } | { kind: 'passkey' | 'provider'; id: string }

interface SignInMethodOptions {
  /** The IDs of the providers that are configured. */
  providers?: readonly string[]
  /** Whether a proxy signs in everybody who has an account. */
  hasProxy?: boolean
}

export class SignInMethods {
  readonly #passkeys: StoredRows
  readonly #providers: ReadonlySet<string>
  readonly #hasProxy: boolean

  constructor(database: Pick<Database, 'damaged'>, { providers = [], hasProxy = false }: SignInMethodOptions = {}) {
    this.#passkeys = new StoredRows(database, 'passkeys')
    this.#providers = new Set(providers)
    this.#hasProxy = hasProxy
  }

  /** The ways of a person, without that of a proxy. */
  async of({ rows }: Pick<Statements, 'rows'>, personId: string): Promise<SignInMethod[]> {
    const [person] = await rows('SELECT password FROM people WHERE id = ?', [personId])
    const keys = await rows(`SELECT ${passkeyColumns} FROM passkeys WHERE person_id = ?`, [personId])
    // A person with a damaged identity signs in with it, and gets its groups again.
    const identities = await rows('SELECT provider FROM identities WHERE person_id = ?', [personId])
    const providers = identities.map(({ provider }) => String(provider)).filter((id) => this.#providers.has(id))
    return [
      ...(passwordOf(person) === null ? [] : [{ kind: 'password' as const }]),
      ...this.#passkeys.each(keys, (row) => ({ kind: 'passkey' as const, id: passkeyRow.parse(row).id })),
      ...providers.map((id) => ({ kind: 'provider' as const, id })),
    ]
  }

  /** Whether a person whose account is active can sign in. */
  async has(statements: Pick<Statements, 'rows'>, personId: string): Promise<boolean> {
    return this.#hasProxy || (await this.of(statements, personId)).length > 0
  }
}

/** The hash of the password of a row with it; null if there is none, or a damaged one. */
export function passwordOf(row: Row | undefined): string | null {
  const password = row?.['password']
  return typeof password === 'string' && isPasswordHash(password) ? password : null
}

export const transports = [
  'ble',
  'hybrid',
  'internal',
  'nfc',
  'usb',
] as const satisfies readonly AuthenticatorTransport[]

export const passkeyRow = z.object({
  id: z.string(),
  person_id: z.string(),
  name: z.string(),
  credential: z.string(),
  public_key: z.string(),
  counter: z.coerce.number(),
  transports: z.string().transform((text) => z.array(z.enum(transports)).parse(JSON.parse(text))),
  synced: z.coerce.number(),
  created_at: z.string(),
  used_at: z.string().nullable(),
})
export const passkeyColumns =
  'id, person_id, name, credential, public_key, counter, transports, synced, created_at, used_at'
