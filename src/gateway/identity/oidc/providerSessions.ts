/** Sessions that were started with a provider: finds those that the provider ends, and what ends its own session. */
import { z } from 'zod'
import { currentTime, wallClock } from '#node/clock/wallClock.ts'
import type { Database } from '../../database/database.ts'
import { StoredRows } from '../../database/storedRows.ts'
import type { SealedJson } from '../../database/sealedJson.ts'

const row = z.object({ session_id: z.string(), provider: z.string(), id_token: z.string() })

interface Started {
  sessionId: string
  provider: string
  issuer: string
  subject: string
  sid?: string | undefined
  idToken: string
}

export class ProviderSessions {
  readonly #stored: StoredRows
  readonly #database: Database
  readonly #sealed: SealedJson
  readonly #longest: number
  readonly #now: () => number

  /** @param longest milliseconds after which no session is left */
  constructor(database: Database, sealed: SealedJson, longest: number, now: () => number = currentTime) {
    this.#database = database
    this.#sealed = sealed
    this.#longest = longest
    this.#now = now
    this.#stored = new StoredRows(database, 'provider_sessions')
  }

  async add({ sessionId, provider, issuer, subject, sid, idToken }: Started): Promise<void> {
    const sealed = Buffer.from(this.#sealed.sealText(`id token ${sessionId}`, idToken)).toString('base64')
    await this.#database.write(
      {
        sql: 'DELETE FROM provider_sessions WHERE started_at <= ?',
        args: [this.#iso(-this.#longest - wallClock.deletionLag())],
      },
      {
        sql: `INSERT INTO provider_sessions (session_id, provider, issuer, subject, sid, id_token, started_at)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
        args: [sessionId, provider, issuer, subject, sid ?? null, sealed, this.#iso(0)],
      },
    )
  }

  /** Forgets a session that ended. @returns what its provider needs to end its own, unless that is damaged */
  async take(sessionId: string): Promise<{ provider: string; idToken: string } | undefined> {
    const [found] = await this.#database.rows(
      'DELETE FROM provider_sessions WHERE session_id = ? RETURNING session_id, provider, id_token',
      [sessionId],
    )
    return this.#stored.ifReadable(found, (stored) => {
      const { provider, id_token } = row.parse(stored)
      return { provider, idToken: this.#sealed.openText(`id token ${sessionId}`, Buffer.from(id_token, 'base64')) }
    })
  }

  /** The providers of sessions, by the IDs of the sessions. */
  async providers(): Promise<Map<string, string>> {
    const rows = await this.#database.rows('SELECT session_id, provider, id_token FROM provider_sessions')
    const readable = this.#stored.each(rows, (stored) => row.parse(stored))
    return new Map(readable.map(({ session_id, provider }) => [session_id, provider]))
  }

  /** Sessions of a subject, or of one session of the provider: both, if both are given. */
  async named(issuer: string, { sid, subject }: { sid?: string; subject?: string }): Promise<Set<string>> {
    const rows = await this.#database.rows(
      `SELECT session_id FROM provider_sessions WHERE issuer = ?${sid === undefined ? '' : ' AND sid = ?'}${subject === undefined ? '' : ' AND subject = ?'}`,
      [issuer, ...(sid === undefined ? [] : [sid]), ...(subject === undefined ? [] : [subject])],
    )
    return new Set(rows.map((stored) => String(stored['session_id'])))
  }

  #iso(later: number): string {
    return new Date(this.#now() + later).toISOString()
  }
}
