/**
 * One-time links: invitations of people, and links that open the console as administrator. Stored as hashes, so that every
 * console of several knows them and each can be used once.
 */
import { currentTime, wallClock } from '#node/clock/wallClock.ts'
import type { Database } from '../../database/database.ts'
import { hashOfSecret, randomSecret } from './secrets.ts'

const hour = 3_600_000
/** Milliseconds that an invitation can be used. */
const invitationPeriod = 7 * 24 * hour
/** Milliseconds that a link of `npm run make-admin` can be used. */
const administratorPeriod = hour

/** Later than any time. */
const never = '9999-12-31T23:59:59.999Z'

export interface NewLink {
  token: string
  expiresAt: string
}

export class SignInLinks {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number = currentTime) {
    this.#database = database
    this.#now = now
  }

  /** Replaces earlier invitations of the person. */
  invite(personId: string): Promise<NewLink> {
    return this.#create(personId, invitationPeriod)
  }

  /** A link that opens the console as administrator, without an account. */
  forAdministrator(): Promise<NewLink> {
    return this.#create(null, administratorPeriod)
  }

  /** The ID of the person whom a link invites. */
  async invited(token: string): Promise<string | undefined> {
    const rows = await this.#database.rows(
      'SELECT person_id FROM sign_in_links WHERE hash = ? AND expires_at > ? AND person_id IS NOT NULL',
      [hashOfSecret(token), this.#iso(0)],
    )
    return textOf(rows[0]?.['person_id'])
  }

  /** Uses up an invitation. @returns the person */
  async takeInvitation(token: string): Promise<string | undefined> {
    const rows = await this.#database.rows(
      'DELETE FROM sign_in_links WHERE hash = ? AND expires_at > ? AND person_id IS NOT NULL RETURNING person_id',
      [hashOfSecret(token), this.#iso(0)],
    )
    return textOf(rows[0]?.['person_id'])
  }

  /** Uses up a link that opens the console as administrator. @returns whether it was one */
  async takeAdministrator(token: string): Promise<boolean> {
    const rows = await this.#database.rows(
      'DELETE FROM sign_in_links WHERE hash = ? AND expires_at > ? AND person_id IS NULL RETURNING hash',
      [hashOfSecret(token), this.#iso(0)],
    )
    return rows.length > 0
  }

  /** The link that a console prints: it opens it as administrator until it is used, replaced, or the console has ended. */
  async forConsole(consoleId: string): Promise<string> {
    const token = randomSecret()
    await this.#database.write(
      { sql: 'DELETE FROM sign_in_links WHERE console = ?', args: [consoleId] },
      {
        sql: 'INSERT INTO sign_in_links (hash, person_id, expires_at, console) VALUES (?, NULL, ?, ?)',
        args: [hashOfSecret(token), never, consoleId],
      },
    )
    return token
  }

  /** Whether a link can be used. */
  async isOpen(token: string): Promise<boolean> {
    const rows = await this.#database.rows('SELECT hash FROM sign_in_links WHERE hash = ?', [hashOfSecret(token)])
    return rows.length > 0
  }

  async revoke(personId: string): Promise<void> {
    await this.#database.write({ sql: 'DELETE FROM sign_in_links WHERE person_id = ?', args: [personId] })
  }

  async #create(personId: string | null, period: number): Promise<NewLink> {
    const link = { token: randomSecret(), expiresAt: this.#iso(period) }
    await this.#database.write(
      {
        sql: 'DELETE FROM sign_in_links WHERE person_id = ? OR expires_at <= ?',
        args: [personId ?? '', this.#iso(-wallClock.deletionLag())],
      },
      {
        sql: 'INSERT INTO sign_in_links (hash, person_id, expires_at) VALUES (?, ?, ?)',
        args: [hashOfSecret(link.token), personId, link.expiresAt],
      },
    )
    return link
  }

  #iso(later: number): string {
    return new Date(this.#now() + later).toISOString()
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
