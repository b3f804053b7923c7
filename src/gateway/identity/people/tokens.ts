/** Personal tokens for the command line and scripts. Their secrets are stored as hashes. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { CreatedToken, Token, TokenInput } from '#contract/console/people.ts'
import { roles } from '#contract/console/consoleRoles.ts'
import { currentTime, wallClock } from '#node/clock/wallClock.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database, Row } from '../../database/database.ts'
import { StoredRows } from '../../database/storedRows.ts'
import { hashOfSecret, randomSecret } from './secrets.ts'

/** The prefix by which tokens are recognized, also by scanners for secrets. */
const prefix = 'sct_'
const day = 86_400_000
/** The most tokens of one person. */
const maxTokens = 50
/** Milliseconds between two writes of a token's last use. */
const usedInterval = 60_000

const row = z.object({
  id: z.string(),
  person_id: z.string(),
  name: z.string(),
  secret_end: z.string(),
  role: z.enum(roles),
  connections: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : z.array(z.string()).parse(JSON.parse(text)))),
  created_at: z.string(),
  expires_at: z.string(),
  used_at: z.string().nullable(),
  valid_for: z.enum(['console', 'agents']).nullable(),
})
const columns = 'id, person_id, name, secret_end, role, connections, created_at, expires_at, used_at, valid_for'

type OwnedToken = Token & { personId: string }

/** Nobody is let in by a damaged token. */
export class Tokens {
  readonly #stored: StoredRows
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number = currentTime) {
    this.#database = database
    this.#now = now
    this.#stored = new StoredRows(database, 'personal_tokens')
  }

  /** The person's tokens that have not expired, newest first. */
  async of(personId: string): Promise<Token[]> {
    const rows = await this.#database.rows(
      `SELECT ${columns} FROM personal_tokens WHERE person_id = ? AND expires_at > ? ORDER BY created_at DESC`,
      [personId, this.#iso(0)],
    )
    return this.#stored.each(rows, tokenOf)
  }

  /** The number of valid tokens of each person who has any. */
  async counts(): Promise<Map<string, number>> {
    const rows = await this.#database.rows(
      'SELECT person_id, count(*) AS n FROM personal_tokens WHERE expires_at > ? GROUP BY person_id',
      [this.#iso(0)],
    )
    return new Map(rows.map((counted) => [String(counted['person_id']), Number(counted['n'])]))
  }

  /** @returns the token with its secret, which is not stored */
  async create(personId: string, input: TokenInput): Promise<CreatedToken> {
    const secret = prefix + randomSecret()
    const { name, role, connections, days, validFor = 'console' } = input
    const id = randomBytes(9).toString('hex')
    const scope = connections === null ? null : JSON.stringify(connections)
    const [now, end] = [this.#iso(0), this.#iso(days * day)]
    await this.#database.transact(async (transaction) => {
      await transaction.run('DELETE FROM personal_tokens WHERE expires_at <= ?', [
        this.#iso(-30 * day - wallClock.deletionLag()),
      ])
      const [counted] = await transaction.rows(
        'SELECT count(*) AS n FROM personal_tokens WHERE person_id = ? AND expires_at > ?',
        [personId, now],
      )
      if (Number(counted?.['n']) >= maxTokens) {
        throw failure('blocked', `A person has at most ${maxTokens} tokens. Revoke one first.`)
      }
      await transaction.run(
        `INSERT INTO personal_tokens (id, person_id, name, secret_end, role, connections, created_at, expires_at, hash,
          valid_for) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [id, personId, name, secret.slice(-4), role, scope, now, end, hashOfSecret(secret), validFor],
      )
    })
    const created = await this.get(id)
    if (!created) throw failure('failed', 'The token was not stored.')
    const { personId: _, ...shown } = created
    return { ...shown, secret }
  }

  async revoke(personId: string, id: string): Promise<void> {
    await this.#database.write({
      sql: 'DELETE FROM personal_tokens WHERE person_id = ? AND id = ?',
      args: [personId, id],
    })
  }

  async revokeAll(personId: string): Promise<void> {
    await this.#database.write({ sql: 'DELETE FROM personal_tokens WHERE person_id = ?', args: [personId] })
  }

  /** The token with a secret, unless it has expired or was revoked. */
  async find(secret: string): Promise<OwnedToken | undefined> {
    const [found] = await this.#database.rows(
      `SELECT ${columns} FROM personal_tokens WHERE hash = ? AND expires_at > ?`,
      [hashOfSecret(secret), this.#iso(0)],
    )
    const token = this.#stored.ifReadable(found, ownedOf)
    if (token) await this.#noteUsed(token)
    return token
  }

  /** Unless it has expired or was revoked. */
  async get(id: string): Promise<OwnedToken | undefined> {
    const [found] = await this.#database.rows(
      `SELECT ${columns} FROM personal_tokens WHERE id = ? AND expires_at > ?`,
      [id, this.#iso(0)],
    )
    return this.#stored.ifReadable(found, ownedOf)
  }

  /** A full disk refuses nobody. */
  async #noteUsed({ id, usedAt }: Token): Promise<void> {
    if (usedAt !== undefined && this.#now() - Date.parse(usedAt) < usedInterval) return
    await this.#database
      .write({ sql: 'UPDATE personal_tokens SET used_at = ? WHERE id = ?', args: [this.#iso(0), id] })
      .catch(() => {})
  }

  #iso(later: number): string {
    return new Date(this.#now() + later).toISOString()
  }
}

function tokenOf(found: Row): Token {
  const { id, name, secret_end: end, role, connections, created_at, expires_at, used_at, valid_for } = row.parse(found)
  const times = { createdAt: created_at, expiresAt: expires_at, ...(used_at !== null && { usedAt: used_at }) }
  return { id, name, role, connections, validFor: valid_for ?? 'console', end, ...times }
}

function ownedOf(found: Row): OwnedToken {
  return { ...tokenOf(found), personId: row.parse(found).person_id }
}
