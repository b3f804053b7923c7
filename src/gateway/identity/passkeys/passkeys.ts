/** Passkeys of people. A passkey is the public half of a key pair: nothing here opens an account. */
import { randomBytes } from 'node:crypto'
import type { AuthenticatorTransport, WebAuthnCredential } from '@simplewebauthn/server'
import type { Passkey } from '#contract/console/people.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database, Row } from '../../database/database.ts'
import { StoredRows } from '../../database/storedRows.ts'
import { SignInMethods, passkeyColumns as columns, passkeyRow, transports } from '../people/signInMethods.ts'

/** The most passkeys of one person. */
const maxPasskeys = 20

export interface StoredPasskey {
  id: string
  personId: string
  name: string
  credential: WebAuthnCredential
}

/** Nobody signs in with a damaged passkey. */
export class Passkeys {
  readonly #stored: StoredRows
  readonly #database: Database
  readonly #now: () => number
  readonly #signInMethods: SignInMethods

  constructor(database: Database, now: () => number = currentTime, signInMethods = new SignInMethods(database)) {
    this.#database = database
    this.#now = now
    this.#signInMethods = signInMethods
    this.#stored = new StoredRows(database, 'passkeys')
  }

  async of(personId: string): Promise<Passkey[]> {
    return (await this.#rowsOf(personId)).map(({ id, name, synced, created_at: createdAt, used_at: usedAt }) => ({
      id,
      name,
      synced: synced === 1,
      createdAt,
      ...(usedAt !== null && { usedAt }),
    }))
  }

  /** Their descriptors for the browser, to find or to exclude them. */
  async credentials(personId: string): Promise<{ id: string; transports: AuthenticatorTransport[] }[]> {
    return (await this.#rowsOf(personId)).map((row) => ({ id: row.credential, transports: row.transports }))
  }

  /** @param credential the ID that the authenticator gave it */
  async find(credential: string): Promise<StoredPasskey | undefined> {
    const [found] = await this.#database.rows(`SELECT ${columns} FROM passkeys WHERE credential = ?`, [credential])
    return this.#stored.ifReadable(found, storedOf)
  }

  /** @throws blocked beyond the limit, conflict for a credential that is known already */
  async add(personId: string, name: string, credential: WebAuthnCredential, synced: boolean): Promise<Passkey[]> {
    const known = new Set<string>(transports)
    const kept = (credential.transports ?? []).filter((transport) => known.has(transport))
    const rows = await this.#database.rows(
      `INSERT INTO passkeys (id, person_id, name, credential, public_key, counter, transports, synced, created_at)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE (SELECT count(*) FROM passkeys WHERE person_id = ?) < ${maxPasskeys}
        ON CONFLICT (credential) DO NOTHING RETURNING id`,
      [
        randomBytes(9).toString('hex'),
        personId,
        name,
        credential.id,
        Buffer.from(credential.publicKey).toString('base64url'),
        credential.counter,
        JSON.stringify(kept),
        synced ? 1 : 0,
        this.#iso(),
        personId,
      ],
    )
    if (rows.length > 0) return this.of(personId)
    if (await this.find(credential.id)) throw failure('conflict', 'This passkey is registered already.')
    throw failure('blocked', `You have ${maxPasskeys} passkeys. Remove one first.`)
  }

  async rename(personId: string, id: string, name: string): Promise<void> {
    await this.#database.write({
      sql: 'UPDATE passkeys SET name = ? WHERE person_id = ? AND id = ?',
      args: [name, personId, id],
    })
  }

  /** Unless it is the last way in which the person can sign in, which a damaged passkey is not. @throws conflict */
  async remove(personId: string, id: string): Promise<void> {
    await this.#database.transact(async (transaction) => {
      const methods = await this.#signInMethods.of(transaction, personId)
      if (methods.length === 1 && methods.some((method) => method.kind === 'passkey' && method.id === id)) {
        throw failure('conflict', lastSignInMethod)
      }
      await transaction.run('DELETE FROM passkeys WHERE person_id = ? AND id = ?', [personId, id])
    })
  }

  /** Remembers its counter, unless another use was faster. @returns whether it is remembered */
  async noteUse(id: string, counter: number): Promise<boolean> {
    const rows = await this.#database.rows(
      'UPDATE passkeys SET counter = ?, used_at = ? WHERE id = ? AND (counter < ? OR (counter = 0 AND 1 = ?)) RETURNING id',
      [counter, this.#iso(), id, counter, counter === 0 ? 1 : 0],
    )
    return rows.length > 0
  }

  async #rowsOf(personId: string) {
    const rows = await this.#database.rows(
      `SELECT ${columns} FROM passkeys WHERE person_id = ? ORDER BY created_at, id`,
      [personId],
    )
    return this.#stored.each(rows, (row) => passkeyRow.parse(row))
  }

  #iso(): string {
    return new Date(this.#now()).toISOString()
  }
}

export const lastSignInMethod =
  'This is the only way in which you can sign in. Add another passkey first, or ask an administrator for a link to choose a password.'

function storedOf(found: Row): StoredPasskey {
  const { id, person_id: personId, name, credential, public_key, counter, transports: by } = passkeyRow.parse(found)
  const publicKey = new Uint8Array(Buffer.from(public_key, 'base64url'))
  return { id, personId, name, credential: { id: credential, publicKey, counter, transports: by } }
}
